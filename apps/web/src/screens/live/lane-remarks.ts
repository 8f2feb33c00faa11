/** Lanes of a live run, and why a secondary's end before now. */
import type { LiveReplica } from "@aglens/contract";
import { type Lane, liveLanes } from "../../lanes/lanes.ts";
import { secondaryOf } from "./lane-times.ts";
import type { LiveState } from "./picture.ts";
import { replicaStates } from "./replica-states.ts";

/** Later than this a secondary's lanes say why they end early, s. */
const LATE_S = 0.5;
/** What a session of ours holds back, the way here and a picture take no longer than this, s. */
const PROMPT_S = 3.1;

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
  const suspended = suspendedOn(state);
  for (const lane of lanes) {
    if (lane.figure !== "secondaryFlush") continue;
    const replica = secondaryOf(state.lanes, state.replicas, lane.secondary);
    const words =
      replica === undefined ? null : (suspended.get(replica.replicaId) ?? remarkOf(replica, state.now));
    if (words !== null) remarks.set(lane.key, words);
  }
  return remarks;
}

/** A suspended database gets no log: that is no silence. By replicaId. */
function suspendedOn(state: LiveState): Map<string, string> {
  const secondaries = replicaStates(state)?.secondaries ?? [];
  return new Map(
    secondaries
      .filter(({ suspended }) => suspended.length > 0)
      .map(({ replicaId, name, suspended }) => [
        replicaId,
        `${suspended.map(({ database }) => database).join(", ")} suspended on ${name}`,
      ]),
  );
}

function remarkOf(replica: LiveReplica, now: number): string | null {
  const { name, behindSeconds, unheardSince } = replica;
  if (replica.state === "waiting") {
    const hasEnded = replica.problem?.code === "live-session-stopped";
    return `${name}: ${hasEnded ? "session ended" : "connection lost"}`;
  }
  if (replica.state !== "reading" || behindSeconds === null || behindSeconds < LATE_S) return null;
  if (unheardSince !== null) return `${name} not heard for ${Math.round((now - unheardSince) / 1e6)}\u2009s`;
  return replica.ownSession && behindSeconds < PROMPT_S
    ? `${name} sends its buffer every 1\u2009s`
    : `${name} is heard ${behindSeconds.toFixed(1)}\u2009s late; the hatch is not zero`;
}
