import { inChunks, type RowRange } from "./chunks.ts";
import { smallest } from "./extremes.ts";
import { cellCounts, nearRanks, valuesAtRanks } from "./near-ranks.ts";
import { FEW_VALUES, placeRank, sortFirst } from "./selection.ts";

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
 * Percentile `p` (0..100) of values in ascending order, by linear interpolation between the closest ranks. NaN for no
 * values. The values must not contain NaN.
 */
export function percentile(sorted: ArrayLike<number>, p: number): number {
  if (sorted.length === 0) return Number.NaN;
  const rank = (Math.min(Math.max(p, 0), 100) / 100) * (sorted.length - 1);
  const below = Math.floor(rank);
  const above = Math.ceil(rank);
  return sorted[below] + (sorted[above] - sorted[below]) * (rank - below);
}

/** `percentile` of values in any order; NaN is skipped, NaN for no values. */
export const percentileOf = (values: Float64Array, p: number): number => percentilesOf(values, [p])[0];

/** The values without NaN, ascending, in a new array. */
export function sortedValues(values: Float64Array): Float64Array {
  return values.filter((v) => !Number.isNaN(v)).sort();
}

/** Count, percentiles, maximum and mean of durations; NaN means "no value" and is skipped. */
export function statisticsOf(values: Float64Array): Statistics {
  const [p50, p95, p99] = percentilesOf(values, [50, 95, 99]);
  const { n, max, mean } = countedValues(values);
  return { n, p50, p95, p99, max, mean };
}

/** The figures of `Statistics` that need no order of values. */
export function countedValues(values: Float64Array): Pick<Statistics, "n" | "max" | "mean"> {
  const known = { n: 0, sum: 0, max: -Infinity };
  inChunks(values.length, (chunk) => countValues(values, known, chunk));
  const { n, sum, max } = known;
  return { n, max: n > 0 ? max : Number.NaN, mean: n > 0 ? sum / n : Number.NaN };
}

function countValues(
  values: Float64Array,
  known: { n: number; sum: number; max: number },
  { first, end }: RowRange,
): void {
  let { n, sum, max } = known;
  for (let i = first; i < end; i++) {
    const value = values[i];
    // NaN alone differs from itself.
    if (value !== value) continue;
    n++;
    sum += value;
    if (value > max) max = value;
  }
  known.n = n;
  known.sum = sum;
  known.max = max;
}

/** Number of values under each limit; NaN is skipped. @param limits ascending */
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

/** Median of values in any order; NaN is skipped, NaN for no values. */
export const medianOf = (values: Float64Array): number => percentileOf(values, 50);

/** Largest and middle value of runs of rows that follow one another; NaN without a known one. */
export interface RunFigures {
  readonly max: Float64Array;
  readonly p50: Float64Array;
}

/**
 * Largest and middle value of each run of rows; NaN is skipped. A picture has hundreds of thousands of runs, some with
 * only a few rows: no object is created per run.
 * @param rows first row of each run, and the end of the last
 */
export function figuresOfRuns(column: Float64Array, rows: Float64Array): RunFigures {
  const runs = rows.length - 1;
  const max = new Float64Array(runs);
  const p50 = new Float64Array(runs);
  let room = new Float64Array(0);
  for (let run = 0; run < runs; run++) {
    const end = rows[run + 1];
    if (room.length < end - rows[run]) room = new Float64Array(2 * (end - rows[run]));
    let known = 0;
    let highest = -Infinity;
    for (let row = rows[run]; row < end; row++) {
      const value = column[row];
      // NaN alone differs from itself.
      if (value !== value) continue;
      room[known++] = value;
      if (value > highest) highest = value;
    }
    max[run] = known > 0 ? highest : Number.NaN;
    p50[run] = medianOfFirst(room, known);
  }
  return { max, p50 };
}

/** Median of the first `known` values, which are reordered; NaN for none. */
function medianOfFirst(values: Float64Array, known: number): number {
  if (known === 0) return Number.NaN;
  const middle = (known - 1) >> 1;
  const isHalfway = known % 2 === 0;
  if (known <= FEW_VALUES) {
    sortFirst(values, known);
    return isHalfway ? values[middle] + (values[middle + 1] - values[middle]) * 0.5 : values[middle];
  }
  placeRank(values, middle, 0, known);
  const here = values[middle];
  return isHalfway ? here + (smallest(values, middle + 1, known) - here) * 0.5 : here;
}

/** Mean of the values; NaN is skipped, NaN for no values. */
export const meanOf = (values: Float64Array): number => countedValues(values).mean;

/** Mean of the values that `wanted` accepts; NaN is skipped, NaN for no values. */
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

/** In more values than this, a rank is searched only among the values near it. */
const MANY = 1 << 15;
/** Up to this many values use one reused array: new memory takes longer to allocate than to fill. */
const room = new Float64Array(MANY);

/** The known ones of at most `MANY` values, in a column that may be reordered, until the next call. */
function withoutNaN(values: Float64Array): Float64Array {
  let n = 0;
  // NaN alone differs from itself.
  for (let i = 0; i < values.length; i++) if (values[i] === values[i]) room[n++] = values[i];
  return room.subarray(0, n);
}

/**
 * Percentiles in ascending order, as `percentile` returns them; NaN is skipped, NaN for no values. Sorts copies of
 * values only as far as these ranks need: a diagnosis requests some sixty sets of half a million values, and sorting
 * them all took two thirds of its time.
 */
export function percentilesOf(values: Float64Array, wanted: readonly number[]): number[] {
  const cells = values.length > MANY ? cellCounts(values) : null;
  const all = cells === null ? withoutNaN(values) : values;
  const known = cells === null ? all.length : cells.known;
  if (known === 0) return wanted.map(() => Number.NaN);
  const ranks = wanted.map((p) => (p / 100) * (known - 1));
  return valuesAtRanks(cells === null ? { near: all, below: [] } : nearRanks(values, cells, ranks), ranks);
}
