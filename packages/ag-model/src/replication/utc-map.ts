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
  const { bins, placeOf, counts } = binsOf(fire);
  const ends = new Uint32Array(counts.length);
  let filled = 0;
  for (const [place, count] of counts.entries()) {
    ends[place] = filled;
    filled += count;
  }
  const values = new Float64Array(filled);
  for (let i = 0; i < fire.length; i++)
    if (placeOf[i] >= 0) values[ends[placeOf[i]]++] = publish[i] - fire[i];
  const order = [...bins.keys()].sort((x, y) => bins[x] - bins[y]);
  return {
    at: Float64Array.from(order, (place) => (bins[place] + 0.5) * UTC_BIN_US),
    ahead: Float64Array.from(order, (place) =>
      upperMedian(values.subarray(ends[place] - counts[place], ends[place])),
    ),
  };
}

/** The bins that hold a fire time, in the order in which they come first, and each event's place in that list; -1 for none. */
function binsOf(fire: Float64Array): {
  readonly bins: readonly number[];
  readonly placeOf: Int32Array;
  readonly counts: readonly number[];
} {
  const places = new Map<number, number>();
  const bins: number[] = [];
  const counts: number[] = [];
  const placeOf = new Int32Array(fire.length).fill(-1);
  let bin = Number.NaN;
  let place = -1;
  for (let i = 0; i < fire.length; i++) {
    if (Number.isNaN(fire[i])) continue;
    const own = Math.floor(fire[i] / UTC_BIN_US);
    if (own !== bin) {
      bin = own;
      place = places.get(bin) ?? -1;
      if (place < 0) {
        place = bins.push(bin) - 1;
        counts.push(0);
        places.set(bin, place);
      }
    }
    placeOf[i] = place;
    counts[place]++;
  }
  return { bins, placeOf, counts };
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
