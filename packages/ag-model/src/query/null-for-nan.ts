import type { Statistics } from "../numbers/index.ts";

/** JSON has no NaN: a missing figure is null. */
export const orNull = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) ? value : null;

/** Statistics in a form that JSON can represent. */
export interface StatisticsOrNull {
  n: number;
  p50: number | null;
  p95: number | null;
  p99: number | null;
  max: number | null;
  mean: number | null;
}

/** Restores the input of `withoutNaN`. */
export const withNaN = (s: StatisticsOrNull): Statistics => ({
  n: s.n,
  p50: s.p50 ?? Number.NaN,
  p95: s.p95 ?? Number.NaN,
  p99: s.p99 ?? Number.NaN,
  max: s.max ?? Number.NaN,
  mean: s.mean ?? Number.NaN,
});

export const withoutNaN = (s: Statistics): StatisticsOrNull => ({
  n: s.n,
  p50: orNull(s.p50),
  p95: orNull(s.p95),
  p99: orNull(s.p99),
  max: orNull(s.max),
  mean: orNull(s.mean),
});
