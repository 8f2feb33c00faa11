/**
 * Memory: decision 235: 0.4 GB less at 100 M events, together with `span-finder.ts`. Without it the simple way is to
 * keep all events.
 *
 * Skips events whose instants are needed only where events are listed. If events of one block fired close to each
 * other, the first and the last show the same busy times and silences, per file and over all files (`span-finder.ts`).
 */
import { PAUSE_US } from "./pauses.ts";

/** Consecutive events; columns have a value for each. */
export interface FiredPlaces {
  /** Number of each event's own block; -1 for an event of a foreign database. */
  readonly block: Int32Array;
  readonly fire: Float64Array;
  readonly file: Uint16Array;
  /** 1 for each single event; all of them are kept. */
  readonly isSingle: Uint8Array;
}

/** Number of blocks whose events are combined at once; a new block replaces the one that is this many blocks older. */
const SLOTS = 1 << 12;
/** Events that are combined fired within this time, µs: well below a silence, which they must not hide. */
const MOST_SPAN_US = PAUSE_US / 2;

/** Events of a block are moved alike from one clock to another, so that the first stays first and the last last. */
export class EventEnds {
  readonly #block = new Int32Array(SLOTS).fill(-1);
  readonly #file = new Uint16Array(SLOTS);
  readonly #first = new Float64Array(SLOTS);
  readonly #last = new Float64Array(SLOTS);
  #kept = roomFor(0);
  #length = 0;

  /** Adds the next events. @returns those that are kept, of these or of earlier events; valid until the next call */
  of({ block, fire, file, isSingle }: FiredPlaces): FiredPlaces {
    this.#begin(2 * block.length);
    for (let i = 0; i < block.length; i++) {
      if (isSingle[i] === 1 || block[i] < 0) this.#keep(block[i], fire[i], file[i], isSingle[i]);
      else this.#join(block[i], fire[i], file[i]);
    }
    return this.#keptNow();
  }

  /** The last ones. */
  finish(): FiredPlaces {
    this.#begin(2 * SLOTS);
    for (let slot = 0; slot < SLOTS; slot++) this.#end(slot);
    return this.#keptNow();
  }

  #join(block: number, fire: number, file: number): void {
    const slot = block % SLOTS;
    const first = Math.min(fire, this.#first[slot]);
    const last = Math.max(fire, this.#last[slot]);
    if (this.#block[slot] === block && this.#file[slot] === file && last - first < MOST_SPAN_US) {
      this.#first[slot] = first;
      this.#last[slot] = last;
      return;
    }
    this.#end(slot);
    this.#block[slot] = block;
    this.#file[slot] = file;
    this.#first[slot] = fire;
    this.#last[slot] = fire;
  }

  #end(slot: number): void {
    const block = this.#block[slot];
    if (block < 0) return;
    this.#keep(block, this.#first[slot], this.#file[slot], 0);
    if (this.#last[slot] > this.#first[slot]) this.#keep(block, this.#last[slot], this.#file[slot], 0);
    this.#block[slot] = -1;
  }

  #begin(most: number): void {
    if (this.#kept.block.length < most) this.#kept = roomFor(most);
    this.#length = 0;
  }

  #keep(block: number, fire: number, file: number, isSingle: number): void {
    const kept = this.#kept;
    const at = this.#length++;
    kept.block[at] = block;
    kept.fire[at] = fire;
    kept.file[at] = file;
    kept.isSingle[at] = isSingle;
  }

  #keptNow(): FiredPlaces {
    const { block, fire, file, isSingle } = this.#kept;
    const length = this.#length;
    return {
      block: block.subarray(0, length),
      fire: fire.subarray(0, length),
      file: file.subarray(0, length),
      isSingle: isSingle.subarray(0, length),
    };
  }
}

const roomFor = (events: number): FiredPlaces => ({
  block: new Int32Array(events),
  fire: new Float64Array(events),
  file: new Uint16Array(events),
  isSingle: new Uint8Array(events),
});
