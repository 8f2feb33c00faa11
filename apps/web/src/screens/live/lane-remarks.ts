/** Lanes of a live run, and why a secondary's end before now. */
import type { LiveReplica } from "@aglens/contract";
import { type Lane, liveLanes } from "../../lanes/lanes.ts";
import { secondaryOf } from "./lane-times.ts";
import type { LiveState } from "./picture.ts";

/** Later than this a secondary's lanes say why they end early, s. */
const LATE_S = 0.5;

/** The lanes of the newest picture. */
export function drawnLanes(state: LiveState): Lane[] {
  return liveLanes(state.lanes, (secondary) => {
    const clock = state.clocks.find((each) => each.secondary === secondary);
    return {
      asynchronous: secondaryOf(state.lanes, state.replicas, secondary)?.commitMode === "async",
      leastRoundTripUs: clock?.minNetworkRoundTripUs ?? Number.NaN,
    };
  });
}

/** Why a secondary's lane ends before now: its buffer is not here yet, or its connection is lost. */
export function remarksOf(lanes: readonly Lane[], state: LiveState): Map<string, string> {
  const remarks = new Map<string, string>();
  for (const lane of lanes) {
    if (lane.figure !== "secondaryFlush") continue;
    const replica = secondaryOf(state.lanes, state.replicas, lane.secondary);
    const words = replica === undefined ? null : remarkOf(replica);
    if (words !== null) remarks.set(lane.key, words);
  }
  return remarks;
}

function remarkOf(replica: LiveReplica): string | null {
  if (replica.state === "waiting") return `${replica.name}: connection lost`;
  if (replica.state !== "reading" || replica.behindSeconds === null || replica.behindSeconds < LATE_S)
    return null;
  return replica.ownSession
    ? `${replica.name} sends its buffer every 1\u2009s`
    : `${replica.name}'s buffer came ${replica.behindSeconds.toFixed(1)}\u2009s ago`;
}
