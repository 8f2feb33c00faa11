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
  const bins = new Map<number, number[]>();
  for (let i = 0; i < fire.length; i++) {
    if (Number.isNaN(fire[i])) continue;
    const bin = Math.floor(fire[i] / UTC_BIN_US);
    const values = bins.get(bin);
    if (values) values.push(publish[i] - fire[i]);
    else bins.set(bin, [publish[i] - fire[i]]);
  }
  const keys = [...bins.keys()].sort((x, y) => x - y);
  return {
    at: Float64Array.from(keys, (k) => (k + 0.5) * UTC_BIN_US),
    ahead: Float64Array.from(keys, (k) => upperMedian(bins.get(k)!)),
  };
}

/** The middle value; of two the larger one. */
function upperMedian(values: readonly number[]): number {
  const ordered = Float64Array.from(values);
  const middle = ordered.length >> 1;
  placeRank(ordered, middle);
  return ordered[middle];
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
