/** What lists of captures show of an analysis. */

/** A p95 over this is slow for commits, µs. */
const SLOW_P95_US = 50_000;

export const isSlow = (p95Us: number | null): boolean => p95Us !== null && p95Us > SLOW_P95_US;

/** A verdict without the commits' p95, which lists show on its own. */
export const withoutP95 = (verdict: string | null): string =>
  (verdict ?? "").replace(/(?<=^|\. )Commits finish in .{1,20} \(p95\)\. /u, "") || "Analysed.";
