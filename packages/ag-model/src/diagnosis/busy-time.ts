import { sortRows } from "../numbers/index.ts";

/** Number of steps from the interval of the last query; after them the rest is searched by halves. */
const NEAR = 8;

/**
 * Time in which at least one of the intervals [starts[i], ends[i]) runs. Intervals with an unknown end are skipped.
 * Queries in ascending time cost a few steps, others two binary searches.
 */
export class BusyTime {
  /** Intervals that do not touch, ascending. */
  readonly #begin: Float64Array;
  readonly #end: Float64Array;
  /** Busy time before the interval of the same place. */
  readonly #before: Float64Array;
  readonly #length: number;
  /** Place where the last search ended. */
  #place = 0;

  constructor(starts: Float64Array, ends: Float64Array) {
    const order = byStart(starts, ends);
    const begin = new Float64Array(order.length);
    const end = new Float64Array(order.length);
    const before = new Float64Array(order.length);
    let n = 0;
    for (let k = 0; k < order.length; k++) {
      const i = order[k];
      if (n > 0 && starts[i] <= end[n - 1]) {
        if (ends[i] > end[n - 1]) end[n - 1] = ends[i];
        continue;
      }
      begin[n] = starts[i];
      end[n] = ends[i];
      if (n > 0) before[n] = before[n - 1] + end[n - 1] - begin[n - 1];
      n++;
    }
    [this.#begin, this.#end, this.#before, this.#length] = [begin, end, before, n];
  }

  /** Busy time between two instants, µs; 0 where one is unknown. */
  between(from: number, to: number): number {
    return to > from ? this.#until(to) - this.#until(from) : 0;
  }

  /** Busy time without a break up to an instant, µs; 0 where it was not busy, or where the instant is unknown. */
  runningAt(at: number): number {
    const place = this.#placeBehind(at) - 1;
    return place >= 0 && at <= this.#end[place] ? at - this.#begin[place] : 0;
  }

  #until(at: number): number {
    const place = this.#placeBehind(at) - 1;
    if (place < 0) return 0;
    const end = this.#end[place];
    return this.#before[place] + (at < end ? at : end) - this.#begin[place];
  }

  /** First interval that begins after an instant. */
  #placeBehind(at: number): number {
    const begin = this.#begin;
    const length = this.#length;
    let place = this.#place;
    let left = NEAR;
    while (place < length && begin[place] <= at && left > 0) {
      place++;
      left--;
    }
    while (place > 0 && begin[place - 1] > at && left > 0) {
      place--;
      left--;
    }
    if (left === 0) place = this.#byHalves(at);
    this.#place = place;
    return place;
  }

  #byHalves(at: number): number {
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#begin[middle] <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Places of the intervals that have both ends, by their starts. Those of one thread are nearly always in order. */
function byStart(starts: Float64Array, ends: Float64Array): Uint32Array {
  const places = new Uint32Array(starts.length);
  let n = 0;
  for (let i = 0; i < places.length; i++) if (ends[i] > starts[i]) places[n++] = i;
  return sortRows(places.subarray(0, n), starts);
}
