import type { Summary } from "@aglens/contract";
import { captureLanes, type Lane } from "../lanes/lanes.ts";
import { namesOfSlots, primaryMoved } from "./phase.ts";

/** The lanes of a capture, for the timeline and the report. @param rawClock secondaries are drawn by their own clocks @param phase the only one; null for all */
export function summaryLanes(summary: Summary, rawClock: boolean, phase: number | null = null): Lane[] {
  const names = namesOfSlots(summary, phase);
  const inTurn = primaryMoved(summary, phase);
  return captureLanes(
    summary.replicas.map((replica, i) => {
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
    }),
  );
}
