import { smallest } from "./extremes.ts";
import { placeRank } from "./selection.ts";

/** Summary of a set of durations, µs; every figure but `n` is NaN for an empty set. */
export interface Statistics {
  readonly n: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  readonly mean: number;
}

/**
 * Percentile `p` (0..100) of values in ascending order, by linear interpolation between the closest ranks.
 * NaN for no values. The values must not hold NaN.
 */
export function percentile(sorted: ArrayLike<number>, p: number): number {
  if (sorted.length === 0) return Number.NaN;
  const rank = (Math.min(Math.max(p, 0), 100) / 100) * (sorted.length - 1);
  const below = Math.floor(rank);
  const above = Math.ceil(rank);
  return sorted[below] + (sorted[above] - sorted[below]) * (rank - below);
}

/** The values without NaN, ascending, in a new array. */
export function sortedValues(values: Float64Array): Float64Array {
  return values.filter((v) => !Number.isNaN(v)).sort();
}

/** Count, percentiles, maximum and mean of durations; NaN means "no value" and is left out. */
export function statisticsOf(values: Float64Array): Statistics {
  const known = withoutNaN(values);
  const n = known.length;
  let sum = 0;
  let max = -Infinity;
  for (const v of known) {
    sum += v;
    if (v > max) max = v;
  }
  const [p50, p95, p99] = percentilesOf(known, [50, 95, 99]);
  return { n, p50, p95, p99, max: n > 0 ? max : Number.NaN, mean: n > 0 ? sum / n : Number.NaN };
}

/** How many values are under each limit; NaN is left out. @param limits ascending */
export function countsBelow(values: Float64Array, limits: Float64Array): Float64Array {
  const below = new Float64Array(limits.length + 1);
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    let low = 0;
    let high = limits.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (limits[middle] > value) high = middle;
      else low = middle + 1;
    }
    below[low]++;
  }
  for (let index = 1; index < limits.length; index++) below[index] += below[index - 1];
  return below.subarray(0, limits.length);
}

/** Median of values in any order; NaN is left out, NaN for no values. */
export const medianOf = (values: Float64Array): number => percentilesOf(withoutNaN(values), [50])[0];

/** The values from row `from` up to `end` without NaN, written to `room`, which has to have as many places: a view of it. */
export function copyKnown(values: Float64Array, from: number, end: number, room: Float64Array): Float64Array {
  let n = 0;
  for (let row = from; row < end; row++) {
    const value = values[row];
    // NaN alone differs from itself; this is the innermost loop of every picture.
    if (value === value) room[n++] = value;
  }
  return room.subarray(0, n);
}

/** Median of values without NaN, which are reordered; NaN for no values. */
export const medianInPlace = (known: Float64Array): number => percentilesOf(known, [50])[0];

/** Mean of the values that `wanted` takes; NaN is left out, NaN for no values. */
export function meanWhere(values: Float64Array, wanted: (row: number) => boolean): number {
  let sum = 0;
  let n = 0;
  for (let row = 0; row < values.length; row++) {
    const value = values[row];
    if (Number.isNaN(value) || !wanted(row)) continue;
    sum += value;
    n++;
  }
  return n > 0 ? sum / n : Number.NaN;
}

function withoutNaN(values: Float64Array): Float64Array {
  const known = new Float64Array(values.length);
  let n = 0;
  for (const v of values) if (!Number.isNaN(v)) known[n++] = v;
  return known.subarray(0, n);
}

/**
 * Percentiles in ascending order, as `percentile` gives them. Reorders the values only as far as these ranks need: a
 * diagnosis asks for some sixty sets of half a million values, and sorting them all was two thirds of its time.
 */
function percentilesOf(values: Float64Array, wanted: readonly number[]): number[] {
  let from = 0;
  return wanted.map((p) => {
    if (values.length === 0) return Number.NaN;
    const rank = (p / 100) * (values.length - 1);
    const below = Math.floor(rank);
    placeRank(values, below, from);
    from = below;
    const here = values[below];
    return rank === below ? here : here + (smallest(values, below + 1) - here) * (rank - below);
  });
}
