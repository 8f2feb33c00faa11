/** The lanes of a capture, and their figures. */
import type { RangeStatistics, Summary } from "@aglens/contract";
import { captureLanes, type CaptureReplica, foldedLanes, type Lane } from "../../lanes/lanes.ts";
import { backedPercentiles } from "./figures.ts";
import { namesOfSlots, primaryMoved } from "./phases.ts";

/**
 * The lanes of a capture, for the timeline and the report: lanes of open groups, then the remaining lanes of folded
 * groups.
 * @param rawClock secondaries are drawn by their own clocks
 * @param phase the only one; null for all
 */
export function summaryLanes(summary: Summary, rawClock: boolean, phase: number | null = null): Lane[] {
  const replicas = laneReplicas(summary, rawClock, phase);
  return [...captureLanes(replicas), ...foldedLanes(replicas)];
}

function laneReplicas(summary: Summary, rawClock: boolean, phase: number | null): CaptureReplica[] {
  const names = namesOfSlots(summary, phase);
  const inTurn = primaryMoved(summary, phase);
  return summary.replicas.map((replica, i) => {
    const clock = summary.clocks.find((c) => c.secondary === i - 1);
    return {
      name: names[i] ?? replica.name,
      hasCapture: replica.hasCapture,
      inTurn,
      rawClock,
      commitMode: replica.commitMode,
      uncertaintyUs: clock?.strictUncertaintyUs ?? Number.NaN,
      leastRoundTripUs: clock?.minNetworkRoundTripUs ?? Number.NaN,
    };
  });
}

/** Figures next to a lane, µs. */
export interface LaneFigures {
  readonly p50: number | null;
  readonly p95: number | null;
  readonly max: number | null;
}

/** Figures of a lane in a range; null where too few values support a figure, or nothing is known. */
export function laneFigures(lane: Lane, statistics: RangeStatistics | null): LaneFigures {
  const found =
    lane.figure === "commit"
      ? statistics?.commitLatency
      : statistics?.stages[Math.max(0, lane.secondary)]?.[lane.figure];
  if (!found) return { p50: null, p95: null, max: null };
  // A single value keeps its place in the first column.
  return { p50: found.p50 ?? null, p95: backedPercentiles(found).p95 ?? null, max: found.max ?? null };
}

/**
 * Whether any lane has a p95; under 20 blocks no lane has one, and the column is empty. True while figures are being
 * loaded.
 */
export const hasP95 = (statistics: RangeStatistics | null): boolean =>
  statistics === null ||
  [statistics.commitLatency, ...statistics.stages.flatMap((stages) => Object.values(stages))].some(
    (figures) => backedPercentiles(figures).p95 !== null,
  );

/** The isolated lanes with these added; without them where all of them were isolated. */
export function toggledLanes(isolated: readonly string[], keys: readonly string[]): readonly string[] {
  const rest = isolated.filter((key) => !keys.includes(key));
  return keys.every((key) => isolated.includes(key)) ? rest : [...rest, ...keys];
}
