/**
 * Log writes by duration. Limits are the published ones: up to 10 ms good, to 20 reasonable, to 50 busy, above bad
 * (docs/contribute/model/diagnosis.md 6.2, D1).
 */
export const FLUSH_LIMITS_US = { good: 10_000, reasonable: 20_000, busy: 50_000 } as const;

export interface FlushClassCounts {
  readonly good: number;
  readonly reasonable: number;
  readonly busy: number;
  readonly bad: number;
}

export type FlushClass = keyof FlushClassCounts;

/** Class of one log write of `us` microseconds. */
export function flushClass(us: number): FlushClass {
  if (us <= FLUSH_LIMITS_US.good) return "good";
  if (us <= FLUSH_LIMITS_US.reasonable) return "reasonable";
  return us <= FLUSH_LIMITS_US.busy ? "busy" : "bad";
}

/** Number of log writes in each class; NaN is skipped. */
export function countFlushClasses(durations: Float64Array): FlushClassCounts {
  const counts = { good: 0, reasonable: 0, busy: 0, bad: 0 };
  for (const us of durations) if (!Number.isNaN(us)) counts[flushClass(us)]++;
  return counts;
}
