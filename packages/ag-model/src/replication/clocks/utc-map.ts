/** UTC against a server's counter (docs/contribute/model/clocks.md 5.6). */
import { allRows, firstAtOrAfter, gatherFloat64, placeRank, sortRows } from "../../numbers/index.ts";
import type { UtcSample } from "./utc-sample.ts";

/** UTC minus a server's counter over time: the median of a sample's intervals, per two seconds, µs. */
export interface UtcMap {
  /** Counter, µs, ascending. */
  readonly at: Float64Array;
  /** UTC minus counter, µs; UTC counts from the origin of the sample's publish times. */
  readonly ahead: Float64Array;
}

/** Time over which each median of a UTC map is taken, µs of the counter. */
export const UTC_BIN_US = 2_000_000;
/** UTC drifts and swings by much less than this against a counter, also over hours without events, µs. */
export const UTC_JUMP_US = 1_000_000;

/** Builds a server's UTC map. Used for labels and for events without start_timestamp only (docs/contribute/model/clocks.md 5.6). */
export function utcMap({ fire, ahead }: UtcSample): UtcMap {
  const bins = Map.groupBy(fire.keys(), (place) => Math.floor(fire[place] / UTC_BIN_US));
  const numbers = [...bins.keys()].sort((x, y) => x - y);
  return {
    at: Float64Array.from(numbers, (number) => (number + 0.5) * UTC_BIN_US),
    ahead: Float64Array.from(numbers, (number) =>
      upperMedian(Float64Array.from(bins.get(number)!, (place) => ahead[place])),
    ),
  };
}

/** The middle value, or the larger one of two. Reorders the values. */
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
  // Where UTC was set, no value between the two exists.
  if (Math.abs(ahead[upper] - ahead[upper - 1]) >= UTC_JUMP_US) return ahead[part < 0.5 ? upper - 1 : upper];
  return ahead[upper - 1] + part * (ahead[upper] - ahead[upper - 1]);
}

/**
 * Finds UTC minus counter at instants of UTC, µs: that of the median nearest by UTC, since UTC may have been set; NaN
 * for an empty map.
 */
export function aheadByUtc({ at, ahead }: UtcMap): (utc: number) => number {
  const utc = at.map((counter, bin) => counter + ahead[bin]);
  const order = sortRows(allRows(utc.length), utc);
  const ascending = gatherFloat64(utc, order);
  return (instant) => {
    const next = firstAtOrAfter(ascending, instant);
    const isBefore = next === ascending.length || instant - ascending[next - 1] <= ascending[next] - instant;
    return ahead[order[isBefore ? next - 1 : next]] ?? Number.NaN;
  };
}
