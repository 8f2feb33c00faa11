import { largest, medianOf } from "../numbers/index.ts";
import { bytesOf } from "./held.ts";
import type { LiveModelBins } from "./picture.ts";

/** A lane's durations in the order of their instants, both µs. */
export interface LaneColumn {
  readonly times: Float64Array;
  readonly durations: Float64Array;
}

interface Lane {
  readonly p50: Float64Array;
  readonly max: Float64Array;
}

/** The recent minutes in narrow bins, in rings of fixed length. */
export class RecentBins {
  readonly width: number;
  readonly #capacity: number;
  readonly #count: Uint32Array;
  readonly #lanes = new Map<string, Lane>();
  #end = 0;

  /** @param width µs */
  constructor(width: number, capacity: number) {
    this.width = width;
    this.#capacity = capacity;
    this.#count = new Uint32Array(capacity);
  }

  /** Bytes of memory that they take. */
  get bytes(): number {
    return this.#count.byteLength + bytesOf(...this.#lanes.values());
  }

  /** The bin after the newest one. */
  get end(): number {
    return this.#end;
  }

  /** Computes the bins from `firstBin` to `endBin` again from rows that begin in or after the first. */
  rewrite(
    firstBin: number,
    endBin: number,
    blockTimes: Float64Array,
    lanes: ReadonlyMap<string, LaneColumn>,
  ): void {
    const from = Math.max(firstBin, endBin - this.#capacity, 0);
    for (const key of lanes.keys()) this.#lane(key);
    for (let bin = Math.max(Math.min(from, this.#end), endBin - this.#capacity); bin < endBin; bin++)
      this.#clear(bin);
    this.#end = Math.max(this.#end, endBin);
    this.#eachBin(
      blockTimes,
      from,
      endBin,
      (bin, first, end) => (this.#count[bin % this.#capacity] = end - first),
    );
    for (const [key, { times, durations }] of lanes) {
      const { p50, max } = this.#lane(key);
      this.#eachBin(times, from, endBin, (bin, first, end) => {
        const values = durations.subarray(first, end);
        p50[bin % this.#capacity] = medianOf(values);
        max[bin % this.#capacity] = largest(values);
      });
    }
  }

  /** The bins from `bin` on that are still kept. */
  from(bin: number): LiveModelBins {
    const firstBin = Math.max(bin, this.#end - this.#capacity, 0);
    const slots = Array.from(
      { length: Math.max(0, this.#end - firstBin) },
      (_, i) => (firstBin + i) % this.#capacity,
    );
    const p50: Record<string, number[]> = {};
    const max: Record<string, number[]> = {};
    for (const [key, lane] of this.#lanes) {
      p50[key] = slots.map((slot) => rounded(lane.p50[slot]));
      max[key] = slots.map((slot) => rounded(lane.max[slot]));
    }
    return { width: this.width, firstBin, count: slots.map((slot) => this.#count[slot]), p50, max };
  }

  #lane(key: string): Lane {
    let lane = this.#lanes.get(key);
    if (lane === undefined) {
      const empty = () => new Float64Array(this.#capacity).fill(Number.NaN);
      lane = { p50: empty(), max: empty() };
      this.#lanes.set(key, lane);
    }
    return lane;
  }

  #clear(bin: number): void {
    const slot = bin % this.#capacity;
    this.#count[slot] = 0;
    for (const { p50, max } of this.#lanes.values()) {
      p50[slot] = Number.NaN;
      max[slot] = Number.NaN;
    }
  }

  /** Calls for each bin that has rows; times ascend. */
  #eachBin(
    times: Float64Array,
    from: number,
    to: number,
    use: (bin: number, first: number, end: number) => void,
  ): void {
    let row = 0;
    while (row < times.length) {
      const bin = Math.floor(times[row] / this.width);
      const first = row;
      while (row < times.length && Math.floor(times[row] / this.width) === bin) row++;
      if (bin >= from && bin < to) use(bin, first, row);
    }
  }
}

/** A tenth of a µs is finer than the counters, and such values take half the bytes on the wire. */
const rounded = (us: number): number => Math.round(us * 10) / 10;
