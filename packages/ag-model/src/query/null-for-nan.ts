import type { Statistics } from "../numbers/index.ts";

/** JSON has no NaN: a figure that is not there is null. */
export const orNull = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) ? value : null;

/** Statistics as JSON can hold them. */
export interface StatisticsOrNull {
  n: number;
  p50: number | null;
  p95: number | null;
  p99: number | null;
  max: number | null;
  mean: number | null;
}

export const withoutNaN = (s: Statistics): StatisticsOrNull => ({
  n: s.n,
  p50: orNull(s.p50),
  p95: orNull(s.p95),
  p99: orNull(s.p99),
  max: orNull(s.max),
  mean: orNull(s.mean),
});
