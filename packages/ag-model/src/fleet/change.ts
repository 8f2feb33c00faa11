/**
 * Whether one stage of one replica has changed between captures, and since when (docs/contribute/model/diagnosis.md 6.9). A column is a night or a week, its
 * value the p95 of the stage in the capture that stands for it.
 */
import { medianOf, seededUniform } from "../numbers/index.ts";

/** Number of columns for the median before a change. */
const COLUMNS_BEFORE = 30;
/** The median of fewer values on one side is too uncertain to compare. */
const LEAST_ON_A_SIDE = 5;
/** Fewer values than these are too few to compare. */
export const LEAST_COLUMNS = 2 * LEAST_ON_A_SIDE;
/** A smaller factor is no change that needs action. */
export const LEAST_FACTOR = 1.25;
/** Part of the series without a change that have a step as large by chance. */
const CHANCE = 0.01;
/** Times that the values of a series are put in another order. */
const SHUFFLES = 999;
/** Values further from the median, in spreads of the series, count as if they were so far: one bad night is no change. */
const MOST_SPREADS = 3;
/** Spread that a series has at least, as a logarithm: values that never vary are equal to 0.1 %. */
const LEAST_SPREAD = 1e-3;
/** Standard deviations of a normal distribution in one median absolute deviation. */
const DEVIATION = 1.4826;
const SEED = 15;

/** Durations of a stage before and since a change; µs. */
export interface Change {
  /** Index of the first column since. */
  readonly from: number;
  /** Median of the columns before, of COLUMNS_BEFORE at most. */
  readonly before: number;
  /** Median of all columns since. */
  readonly since: number;
  /** `since / before`: over 1 it takes longer. */
  readonly factor: number;
  /** Columns with a value before, of those that count. */
  readonly columnsBefore: number;
  readonly columnsSince: number;
}

/**
 * The last change of a series that is as large as LEAST_FACTOR and larger than chance explains; null without one.
 * @param p95 µs by column, in order of time; NaN for a column without a capture, or whose capture has an episode of its own
 */
export function changeOf(p95: Float64Array): Change | null {
  let last: Change | null = null;
  for (;;) {
    // An earlier change only limits the columns before the next one.
    const next: Change | null = markedChange(p95, last?.from ?? 0);
    if (next === null) return last;
    last = next;
  }
}

/**
 * Durations of a stage before and since a column; null where either side has no value.
 * @param p95 as of `changeOf`
 * @param from first column since
 * @param first columns before it do not count
 */
export function changeAt(p95: Float64Array, from: number, first = 0): Change | null {
  const before = known(p95.subarray(Math.max(first, from - COLUMNS_BEFORE), from));
  const since = known(p95.subarray(from));
  if (before.length === 0 || since.length === 0) return null;
  const [was, is] = [medianOf(before), medianOf(since)];
  return {
    from,
    before: was,
    since: is,
    factor: is / was,
    columnsBefore: before.length,
    columnsSince: since.length,
  };
}

/** How many columns can be compared: fewer than LEAST_COLUMNS are too few. @param p95 as of `changeOf` */
export const comparableColumns = (p95: Float64Array): number => known(p95).length;

function markedChange(p95: Float64Array, first: number): Change | null {
  const columns = [...p95.keys()].filter((column) => column >= first && isKnown(p95[column]));
  if (columns.length < LEAST_COLUMNS) return null;
  const values = inSpreads(Float64Array.from(columns, (column) => Math.log(p95[column])));
  const step = largestStep(values);
  if (step.isCut) return null;
  const change = changeAt(p95, columns[step.at], first);
  if (change === null || largerWay(change.factor) < LEAST_FACTOR) return null;
  return isBeyondChance(values, step.size) ? change : null;
}

/** Distances from the median in spreads of the series, MOST_SPREADS at most. */
function inSpreads(values: Float64Array): Float64Array {
  const middle = medianOf(values);
  const deviation = medianOf(values.map((value) => Math.abs(value - middle)));
  const spread = Math.max(DEVIATION * deviation, LEAST_SPREAD);
  return values.map((value) => Math.min(MOST_SPREADS, Math.max(-MOST_SPREADS, (value - middle) / spread)));
}

/** Where the values before and since differ most for their numbers. */
interface Step {
  /** First value since. */
  readonly at: number;
  readonly size: number;
  /**
   * True where the step is larger still one value nearer to the end of the series: the change there has too few values
   * yet.
   */
  readonly isCut: boolean;
}

function largestStep(values: Float64Array): Step {
  const last = values.length - LEAST_ON_A_SIDE;
  const sizes = stepSizes(values);
  let at = LEAST_ON_A_SIDE;
  for (let next = at + 1; next <= last; next++) if (sizes[next] > sizes[at]) at = next;
  const size = sizes[at];
  const isCut = (at === LEAST_ON_A_SIDE && sizes[at - 1] > size) || (at === last && sizes[at + 1] > size);
  return { at, size, isCut };
}

/** By how much the values from each one on differ from those before it, for their numbers. */
function stepSizes(values: Float64Array): Float64Array {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const sizes = new Float64Array(count);
  let sum = 0;
  for (let at = 1; at < count; at++) {
    sum += values[at - 1] - mean;
    // The variance of such a sum over values without a step is largest in the middle.
    sizes[at] = Math.abs(sum) / Math.sqrt((at * (count - at)) / count);
  }
  return sizes;
}

/** Whether the same values in another order seldom have a step as large, wherever it is. */
function isBeyondChance(values: Float64Array, size: number): boolean {
  const shuffled = values.slice();
  const uniform = seededUniform(SEED);
  // The order that was found is one of them.
  const allowed = CHANCE * (SHUFFLES + 1) - 1;
  for (let shuffle = 0, asLarge = 0; shuffle < SHUFFLES; shuffle++) {
    shuffleValues(shuffled, uniform);
    if (largestStep(shuffled).size >= size && ++asLarge > allowed) return false;
  }
  return true;
}

function shuffleValues(values: Float64Array, uniform: () => number): void {
  for (let left = values.length; left > 1; left--) {
    const chosen = Math.floor(uniform() * left);
    [values[left - 1], values[chosen]] = [values[chosen], values[left - 1]];
  }
}

/** A factor the way round that is 1 or more. */
export const largerWay = (factor: number): number => (factor < 1 ? 1 / factor : factor);

const isKnown = (us: number): boolean => us > 0 && Number.isFinite(us);

const known = (p95: Float64Array): Float64Array => p95.filter(isKnown);
