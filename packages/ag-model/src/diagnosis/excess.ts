/**
 * Finds periods in which a duration is above its own quiet part (docs/contribute/model/diagnosis.md 6.3). The quiet part is
 * found from bins of time, not from the median, so that a fault that lasts longer than half of the capture is found
 * too.
 */
import { percentile, percentileOf, sortedValues } from "../numbers/index.ts";
import type { ExcessLimit, Settings } from "./settings.ts";

/** Rows [first, end) of a column. */
export type Rows = readonly [first: number, end: number];

/** The quiet part of a column, µs. */
interface Quiet {
  readonly level: number;
  /** Upper bound of nine in ten of its values. */
  readonly high: number;
}

/** A period of slow rows. */
export interface SlowPeriod {
  readonly rows: Rows;
  /** Time that the period's rows take longer than usual on average, µs. */
  readonly meanUs: number;
}

/** A period that was found by how far its rows are above the quiet level. */
export interface Excess extends SlowPeriod {
  readonly slowRows: number;
}

/** Largest number of periods; if there are more, those with the most slow rows are kept. */
export const MOST_STRETCHES = 200;

/**
 * Slow periods of a column, in order; the values are µs and NaN where unknown, `time` ascends. A row is slow when it
 * is over the limit and over the upper bound of nine in ten quiet rows. A period is the run of rows with the largest
 * sum when a slow row counts 1 and another row costs the amount that balances at `slowShare`. Its sum has to reach
 * `slowBlocks`, so that chance makes no period, and its mean the limit, so that a few outliers do not either.
 */
export function excessesOf(
  time: Float64Array,
  values: Float64Array,
  limit: ExcessLimit,
  settings: Settings,
): Excess[] {
  const quiet = quietPart(time, values, limit, settings);
  if (quiet === null) return [];
  const least = leastExcess(quiet.level, limit);
  const bound = Math.max(quiet.level + least, quiet.high);
  return slowRuns(values, bound, settings)
    .map((rows) => measured(values, rows, bound, quiet.level))
    .filter(({ meanUs }) => meanUs >= least);
}

/** Least excess over a quiet level that is reported, µs. */
const leastExcess = (level: number, { us, share }: ExcessLimit): number => Math.max(us, share * level);

/** Level of the quiet part: a low percentile of the bins' medians; null for too few rows to compare. */
function quietPart(
  time: Float64Array,
  values: Float64Array,
  limit: ExcessLimit,
  settings: Settings,
): Quiet | null {
  const bins = binsOf(time, values, settings);
  if (bins.length < 2) return null;
  const medians = bins
    .map((bin) => ({ bin, median: percentileOf(bin, 50) }))
    .toSorted((a, b) => a.median - b.median);
  const level = percentile(
    medians.map(({ median }) => median),
    settings.quietShare * 100,
  );
  const most = level + leastExcess(level, limit);
  const calm = medians
    .slice(0, Math.ceil(medians.length * settings.quietShare * 2))
    .filter(({ median }) => median <= most);
  const high = percentileOf(concatenated(calm.map(({ bin }) => bin)), 90);
  return { level, high };
}

function concatenated(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Known values of bins of equal time that are wide enough for some rows each; copies, which may be reordered. */
function binsOf(time: Float64Array, values: Float64Array, { binUs, binBlocks }: Settings): Float64Array[] {
  let first = -1;
  let last = -1;
  let n = 0;
  for (let row = 0; row < values.length; row++) {
    if (Number.isNaN(values[row] + time[row])) continue;
    if (first < 0) first = row;
    last = row;
    n++;
  }
  if (n < 2 * binBlocks) return [];
  const start = time[first];
  const whole = time[last] - start;
  const width = Math.max(Math.min(binUs, whole / 4), (whole * binBlocks) / n);
  const inTime = new Float64Array(n);
  const bins: Float64Array[] = [];
  let bin = 0;
  let from = 0;
  let end = 0;
  for (let row = first; row <= last; row++) {
    if (Number.isNaN(values[row] + time[row])) continue;
    const own = Math.floor((time[row] - start) / width);
    if (own !== bin) {
      if (end - from >= binBlocks / 2) bins.push(inTime.subarray(from, end));
      from = end;
      bin = own;
    }
    inTime[end++] = values[row];
  }
  if (end - from >= binBlocks / 2) bins.push(inTime.subarray(from, end));
  return bins;
}

/** A run of rows while the column is read: the sums of all rows before it and up to its end. */
interface Run {
  readonly first: number;
  readonly end: number;
  readonly before: number;
  readonly upTo: number;
  /** Index of the run before it that begins with a smaller sum; -1 for none. */
  readonly lower: number;
}

/**
 * The runs with the largest sums: the largest of all, then the largest before and after it, and so on, in the order of
 * rows. They are found in one pass (Ruzzo and Tompa, 1999), so that an event that recurs every few seconds is found
 * each time.
 */
function slowRuns(values: Float64Array, bound: number, { slowShare, slowBlocks }: Settings): Rows[] {
  const cost = slowShare / (1 - slowShare);
  const runs: Run[] = [];
  let sum = 0;
  for (let row = 0; row < values.length; row++) {
    if (Number.isNaN(values[row])) continue;
    if (values[row] > bound) joinRuns(runs, { first: row, end: row + 1, before: sum, upTo: ++sum });
    else sum -= cost;
  }
  const largest = runs
    .filter(({ before, upTo }) => upTo - before >= slowBlocks)
    .toSorted((a, b) => b.upTo - b.before - (a.upTo - a.before))
    .slice(0, MOST_STRETCHES);
  return largest.map(({ first, end }): Rows => [first, end]).sort((a, b) => a[0] - b[0]);
}

/** Adds a slow row to the runs: it extends an earlier run if the rows between do not cost all of that run's sum. */
function joinRuns(runs: Run[], row: Omit<Run, "lower">): void {
  let run = row;
  for (;;) {
    let lower = runs.length - 1;
    while (lower >= 0 && runs[lower].before >= run.before) lower = runs[lower].lower;
    if (lower < 0 || runs[lower].upTo >= run.upTo) {
      runs.push({ ...run, lower });
      return;
    }
    run = { ...run, first: runs[lower].first, before: runs[lower].before };
    runs.length = lower;
  }
}

/** A few rows must not decide the mean: values above the 95th percentile of the period count as that percentile. */
function measured(values: Float64Array, rows: Rows, bound: number, level: number): Excess {
  const own = sortedValues(values.subarray(...rows));
  const most = percentile(own, 95);
  let sum = 0;
  let slowRows = 0;
  for (const us of own) {
    sum += Math.min(us, most) - level;
    if (us > bound) slowRows++;
  }
  return { rows, meanUs: sum / own.length, slowRows };
}
