import { firstAtOrAfter, placeRank } from "../numbers/index.ts";
/** UTC against a server's counter (docs/model.md 5.6). */

/** UTC minus a server's counter over time: running median per two seconds of publish minus fire, µs. */
export interface UtcMap {
  /** Counter, µs, ascending. */
  readonly at: Float64Array;
  /** UTC minus counter, µs relative to `baseTicks`. */
  readonly ahead: Float64Array;
}

const UTC_BIN_US = 2_000_000;

/**
 * Builds a server's UTC map from publish times (µs after some fixed instant) and fire times (µs of the counter). Times
 * that are NaN are left out. Used for labels and for events without start_timestamp only (docs/model.md 5.6).
 */
export function utcMap(publish: Float64Array, fire: Float64Array): UtcMap {
  const bins = new UtcBins();
  const counts: number[] = [];
  for (let i = 0; i < fire.length;) {
    const place = bins.placeOf(fire[i]);
    const end = bins.endOfStay(fire, i);
    if (place === counts.length) counts.push(0);
    if (place >= 0) counts[place] += end - i;
    i = end;
  }
  const ends = new Uint32Array(counts.length);
  let filled = 0;
  for (const [place, count] of counts.entries()) {
    ends[place] = filled;
    filled += count;
  }
  const values = new Float64Array(filled);
  for (let i = 0; i < fire.length;) {
    const place = bins.placeOf(fire[i]);
    const stayed = bins.endOfStay(fire, i);
    if (place < 0) {
      i = stayed;
      continue;
    }
    let to = ends[place];
    for (; i < stayed; i++) values[to++] = publish[i] - fire[i];
    ends[place] = to;
  }
  const { numbers } = bins;
  const order = [...numbers.keys()].sort((x, y) => numbers[x] - numbers[y]);
  return {
    at: Float64Array.from(order, (place) => (numbers[place] + 0.5) * UTC_BIN_US),
    ahead: Float64Array.from(order, (place) =>
      upperMedian(values.subarray(ends[place] - counts[place], ends[place])),
    ),
  };
}

/** The bins that hold a fire time. Events nearly always fire in the bin of the one before: a stay in one costs two comparisons per event. */
class UtcBins {
  /** Number of each bin, in the order in which they come first. */
  readonly numbers: number[] = [];
  readonly #places = new Map<number, number>();
  #from = Number.NaN;

  /** Place in `numbers` of the bin of a fire time; -1 for NaN, which has none. */
  placeOf(fire: number): number {
    if (Number.isNaN(fire)) {
      this.#from = Number.NaN;
      return -1;
    }
    const number = Math.floor(fire / UTC_BIN_US);
    this.#from = number * UTC_BIN_US;
    const known = this.#places.get(number);
    if (known !== undefined) return known;
    this.#places.set(number, this.numbers.length);
    return this.numbers.push(number) - 1;
  }

  /** Row of the first event from `i` on, the next at the earliest, that does not fire in the bin last asked for. */
  endOfStay(fire: Float64Array, i: number): number {
    const from = this.#from;
    const to = from + UTC_BIN_US;
    let end = i + 1;
    while (end < fire.length && fire[end] >= from && fire[end] < to) end++;
    return end;
  }
}

/** The middle value; of two the larger one. Reorders the values. */
function upperMedian(values: Float64Array): number {
  const middle = values.length >> 1;
  placeRank(values, middle);
  return values[middle];
}

/** UTC minus counter at an instant of the counter, µs; NaN for an empty map. */
export function aheadAt({ at, ahead }: UtcMap, counter: number): number {
  if (at.length === 0) return Number.NaN;
  const upper = firstAtOrAfter(at, counter);
  if (upper === 0) return ahead[0];
  if (upper === at.length) return ahead[at.length - 1];
  const part = (counter - at[upper - 1]) / (at[upper] - at[upper - 1]);
  return ahead[upper - 1] + part * (ahead[upper] - ahead[upper - 1]);
}
