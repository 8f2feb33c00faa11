/** Fewer values have no such percentile: it would be the largest of them, or nearly. */
export const LEAST_P95 = 20;
export const LEAST_P99 = 100;

interface Figures {
  readonly n: number;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  readonly max: number | null;
}

/** The percentiles that enough values stand behind, µs: p95 from 20, p99 from 100; a single value is there once, as `max`. */
export function backedPercentiles({ n, p50, p95, p99, max }: Figures): Omit<Figures, "n"> {
  return {
    p50: n === 1 ? null : p50,
    p95: n < LEAST_P95 ? null : p95,
    p99: n < LEAST_P99 ? null : p99,
    max,
  };
}
