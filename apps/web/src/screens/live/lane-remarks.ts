/** Lanes of a live run, the reason why a secondary's lane ends before now, and the reasons for gaps. */
import type { LiveGap, LiveReplica } from "@aglens/contract";
import type { UnknownTime } from "../../charts/hatch.ts";
import type { GapInLane } from "../../charts/live/paint-live.ts";
import type { UnknownPart } from "../../charts/live/paint-run.ts";
import { type Lane, liveLanes } from "../../lanes/lanes.ts";
import { liveTexts as texts } from "../../messages/live.ts";
import { durationText } from "../../ui/words.ts";
import { PROMPT_S, whyOld } from "./delivery.ts";
import { type LaneGap, laneGaps, secondaryOf } from "./lane-times.ts";
import { primaryAt, unawaitedSecondaries } from "./phase-lanes.ts";
import type { LiveState } from "./picture.ts";
import { replicaStates } from "./replica-states.ts";

/** Delay from which a secondary's lanes show why they end early, s. */
const LATE_S = 0.5;

/** The lanes of the newest picture. */
export function drawnLanes(state: LiveState): Lane[] {
  const unawaited = unawaitedSecondaries({ lanes: state.lanes, phases: [] });
  return liveLanes(state.lanes, (secondary) => {
    const clock = state.clocks.find((each) => each.secondary === secondary);
    return {
      asynchronous: unawaited.has(secondary),
      leastRoundTripUs: clock?.minNetworkRoundTripUs ?? Number.NaN,
    };
  });
}

/** Why a secondary's lane ends before now: its buffer has not arrived, or its connection is lost. */
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

/** Suspended databases by replicaId: they get no log, which must not look like missing events. */
function suspendedOn(state: LiveState): Map<string, string> {
  const secondaries = replicaStates(state)?.secondaries ?? [];
  return new Map(
    secondaries
      .filter(({ suspended }) => suspended.length > 0)
      .map(({ replicaId, name, suspended }) => [
        replicaId,
        texts.suspendedOn(suspended.map(({ database }) => database).join(", "), name),
      ]),
  );
}

function remarkOf(replica: LiveReplica, now: number): string | null {
  const { name, behindSeconds, unheardSince } = replica;
  if (replica.state === "waiting") {
    const hasEnded = replica.problem?.code === "live-session-stopped";
    return `${name}: ${hasEnded ? texts.sessionEnded : texts.connectionLost}`;
  }
  if (replica.state !== "reading" || behindSeconds === null || behindSeconds < LATE_S) return null;
  if (unheardSince !== null) return texts.noEventsReceived(name, Math.round((now - unheardSince) / 1e6));
  const seconds = `${behindSeconds.toFixed(1)}\u2009s`;
  if (replica.ownSession && behindSeconds < PROMPT_S) return texts.sendsItsBufferEvery(name);
  const why = whyOld(replica);
  if (why === "rowsWait") return texts.eventsDelayedBySql(name, seconds);
  if (why === "noEvent") return texts.noEventFor(name, seconds);
  return texts.eventsArriveLate(name, seconds);
}

/** The lane of each replica that shows the reason for a gap; all its other lanes have the same gap. */
const FIGURES_WITH_REASON: readonly Lane["figure"][] = ["commit", "secondaryFlush"];

const GAP_REASONS = {
  connection: texts.connectionLost,
  disconnectedByServer: "disconnected",
  sessionStopped: texts.sessionStopped,
  droppedByServer: texts.eventsDropped,
  droppedByUs: texts.droppedByAgLens,
} as const satisfies Record<LiveGap["reason"], string>;

/**
 * The gaps of each lane, by key; in one lane per replica with the reason. `remarksOf` explains a gap that still lasts.
 */
export function gapsOf(lanes: readonly Lane[], state: LiveState): Map<string, GapInLane[]> {
  const saying = new Set(
    lanes.filter(({ figure }) => FIGURES_WITH_REASON.includes(figure)).map(({ key }) => key),
  );
  const inLane = (key: string, { from, to, reason }: LaneGap): GapInLane => {
    const isSaid = saying.has(key) && to < Number.POSITIVE_INFINITY;
    return {
      from,
      to,
      state: stateOf(reason),
      lines: isSaid ? [GAP_REASONS[reason], texts.for(durationText(to - from))] : [],
    };
  };
  return new Map(
    [...laneGaps(state, state.replicas, state.gaps)].map(([key, gaps]) => [
      key,
      gaps.map((gap) => inLane(key, gap)),
    ]),
  );
}

const stateOf = (reason: LiveGap["reason"]): UnknownTime =>
  reason === "droppedByServer" || reason === "droppedByUs" ? "lost" : "notRecorded";

/** Time without bars in the strip of a run, which is known as far as the primary's events are. */
export function unknownOfRun(state: LiveState): UnknownPart[] {
  const { gaps, overview, database, now, decodedTo } = state;
  // Figures of one database begin when it is chosen.
  const begin = database === null || overview === null ? 0 : overview.firstBin * overview.width;
  const parts: UnknownPart[] = [
    { from: decodedTo[primaryAt(state, now)] ?? now, to: now, state: "notArrived" },
    { from: 0, to: begin, state: "notRecorded" },
    ...gaps.map(({ from, to, reason }) => ({ from, to: to ?? now, state: stateOf(reason) })),
  ];
  const isLost = ({ state }: UnknownPart): number => Number(state === "lost");
  return parts.filter(({ from, to }) => to > from).toSorted((a, b) => isLost(a) - isLost(b));
}
