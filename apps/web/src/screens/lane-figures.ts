import type { RangeStatistics } from "@aglens/contract";
import type { Lane } from "../lanes/lanes.ts";
import { backedPercentiles } from "./percentiles.ts";

/** Figures beside a lane, µs. */
export interface LaneFigures {
  readonly p50: number | null;
  readonly p95: number | null;
  readonly max: number | null;
}

/** Those of a range, as far as enough values stand behind them; null where nothing is known. */
export function laneFigures(lane: Lane, statistics: RangeStatistics | null): LaneFigures {
  const found =
    lane.figure === "commit"
      ? statistics?.commitLatency
      : statistics?.stages[Math.max(0, lane.secondary)]?.[lane.figure];
  if (!found) return { p50: null, p95: null, max: null };
  // A single value keeps its place in the first column.
  return { p50: found.p50 ?? null, p95: backedPercentiles(found).p95 ?? null, max: found.max ?? null };
}
