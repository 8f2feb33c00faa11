/** A commit's wait by the place in which it passed, along the path that released it. */
import { Gate, type CaptureModel } from "../replication/shapes/tables.ts";
import type { RemoteStageId } from "../replication/shapes/stages.ts";
import { perModel } from "./per-model.ts";
import { pausedPaths } from "./pauses.ts";

/** Places of a commit's wait; their times add up to it. */
export const WAIT_PLACES = [
  /** Until the log write or the send begins. */
  "commitQueue",
  "localFlush",
  "network",
  "secondaryFlush",
  /** Stages of handling on both servers, and the wake-up. */
  "handling",
  /** In stages that a server prolonged which was unresponsive for most of their time. */
  "unresponsive",
  /** The release, or instants between two places, are not known. */
  "unknown",
] as const;
export type WaitPlace = (typeof WAIT_PLACES)[number];

const [QUEUE, LOCAL, NETWORK, SECONDARY, HANDLING, UNRESPONSIVE, UNKNOWN] = WAIT_PLACES.keys();

/** The end of a part of a path, by block row. */
interface PathEnd {
  readonly at: Float64Array;
  /** Index into `WAIT_PLACES` of the time before it. */
  readonly place: number;
  /** Stage of that time, which a pause may prolong. */
  readonly stage?: RemoteStageId;
}

/**
 * Adds the parts of a commit's wait to the first of `WAIT_PLACES` at `first` in `sums`, µs. A time between two known
 * instants that belongs to several places is not known.
 */
export type AddParts = (row: number, sums: Float64Array, first: number) => void;

/** For all commits of a model. */
export const waitParts = perModel((model: CaptureModel): AddParts => {
  const { blocks, commits, hops } = model;
  const local: PathEnd[] = [
    { at: blocks.localFlushStart, place: QUEUE },
    { at: blocks.localFlushEnd, place: LOCAL },
  ];
  const toSecondary = hops.map((hop): PathEnd[] => [
    { at: blocks.localFlushStart.map((flush, row) => earlier(flush, hop.sendStart[row])), place: QUEUE },
    { at: hop.sendEnd, place: HANDLING, stage: "send" },
    { at: hop.received, place: NETWORK, stage: "wireOut" },
    { at: hop.secondaryFlushStart, place: HANDLING, stage: "secondaryAppend" },
    { at: hop.secondaryFlushEnd, place: SECONDARY, stage: "secondaryFlush" },
    { at: hop.ackDeparted, place: HANDLING, stage: "ackBuild" },
    { at: hop.ackSent, place: HANDLING, stage: "ackSend" },
    { at: hop.ackReceived, place: NETWORK, stage: "wireBack" },
    { at: hop.ackProcessed, place: HANDLING, stage: "ackReceive" },
  ]);
  const paused = hops.map((_, slot) => pausedPaths(model, slot));
  return (row, sums, first) => {
    const [block, gate, end] = [commits.block[row], commits.gate[row], commits.end[row]];
    let at = commits.start[row];
    if (block < 0 || gate === Gate.unknown) {
      sums[first + UNKNOWN] += end - at;
      return;
    }
    const slot = Gate.secondaryOf(gate);
    const stages = slot < 0 ? undefined : paused[slot].get(block)?.stages;
    // The place of the time since `at`; -1 before its first part.
    let place = -1;
    for (const part of slot < 0 ? local : toSecondary[slot]) {
      const own = part.stage !== undefined && stages?.[part.stage] !== undefined ? UNRESPONSIVE : part.place;
      place = place < 0 || place === own ? own : UNKNOWN;
      const known = part.at[block];
      if (Number.isNaN(known)) continue;
      const until = Math.min(Math.max(known, at), end);
      sums[first + place] += until - at;
      at = until;
      place = -1;
    }
    place = place < 0 || place === HANDLING ? HANDLING : UNKNOWN;
    sums[first + place] += end - at;
  };
});

/** The earlier one of two instants, or the one that is known. */
const earlier = (a: number, b: number): number => (a <= b || Number.isNaN(b) ? a : b);
