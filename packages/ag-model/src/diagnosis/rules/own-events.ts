/**
 * Finds when a server has events of log blocks, whatever their database and its role in it: the instants of blocks come
 * from them.
 */
import { blocksInRange } from "../../columns/index.ts";
import { primaryOfBlock, slotOfReplica } from "../../replication/shapes/slots.ts";
import {
  HOP_ANCHORS,
  isOnSecondaryClock,
  LOCAL_ANCHORS,
  Obtained,
  obtainedIn,
  type CaptureModel,
  type HopTable,
} from "../../replication/shapes/tables.ts";
import type { Window } from "../verdict.ts";

/** The longest time within a window in which a server has no event of a log block, µs. @param replica index into the model's replicas */
export function longestSilence(model: CaptureModel, replica: number, { from, to }: Window): Window {
  const instants: number[] = [];
  for (const row of blocksInRange(model, from, to))
    eachOwnInstant(model, replica, row, (us) => {
      if (us > from && us < to) instants.push(us);
    });
  let longest = { from, to: from };
  let since = from;
  for (const until of [...Float64Array.from(instants).sort(), to]) {
    if (until - since > longest.to - longest.from) longest = { from: since, to: until };
    since = until;
  }
  return longest;
}

type Visit = (us: number) => void;

/**
 * Visits the instants of a block at which one server's events of it fired, µs. A commit's start is not one of them: the
 * event at its end reports it, which may be long after.
 */
function eachOwnInstant(model: CaptureModel, replica: number, row: number, visit: Visit): void {
  const { blocks, hops } = model;
  const primary = primaryOfBlock(model, row);
  if (primary !== replica) {
    visitHop(hops[slotOfReplica(primary, replica)], row, true, visit);
    return;
  }
  for (const [index, anchor] of LOCAL_ANCHORS.entries())
    if (anchor !== "commitStart" && isOfEvent(blocks.obtained[row], index)) visit(blocks[anchor][row]);
  for (const hop of hops) visitHop(hop, row, false, visit);
}

/** @param isSecondary its own anchors of the hop, else those of the primary */
function visitHop(hop: HopTable, row: number, isSecondary: boolean, visit: Visit): void {
  const bits = hop.obtained[row];
  if (bits === 0) return;
  for (const [index, anchor] of HOP_ANCHORS.entries())
    if (isOnSecondaryClock(anchor) === isSecondary && isOfEvent(bits, index)) visit(hop[anchor][row]);
}

/** A derived instant has an event that may belong to another block. */
function isOfEvent(bits: number, index: number): boolean {
  const how = obtainedIn(bits, index);
  return how === Obtained.measured || how === Obtained.derived;
}
