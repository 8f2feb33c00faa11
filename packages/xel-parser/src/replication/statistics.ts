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
  const sorted = sortedValues(values);
  const n = sorted.length;
  let sum = 0;
  for (const v of sorted) sum += v;
  return {
    n,
    p50: percentile(sorted, 50),
    p95: percentile(sorted, 95),
    p99: percentile(sorted, 99),
    max: n > 0 ? sorted[n - 1] : Number.NaN,
    mean: n > 0 ? sum / n : Number.NaN,
  };
}
