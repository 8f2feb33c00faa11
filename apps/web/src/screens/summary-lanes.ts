import type { Summary } from "@aglens/contract";
import { captureLanes, foldedLanes, type CaptureReplica, type Lane } from "../lanes/lanes.ts";
import { namesOfSlots, primaryMoved } from "./phase.ts";

/**
 * The lanes of a capture, for the timeline and the report: of open groups, then those that are left of folded ones.
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
