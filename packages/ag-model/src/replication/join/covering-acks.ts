/**
 * Finds instants for blocks that no acknowledgment names. Acknowledgments are cumulative (docs/contribute/model/joins.md
 * 3.3), so a later one covers such a block; but where the block's own acknowledgment was sent and only its events were
 * lost, the later one shows nothing about it.
 */
import type { AckColumns } from "../prepare/acknowledgments.ts";
import type { Commits } from "./commits.ts";
import {
  obtainedOf,
  columnsOfAnchors,
  putInstant,
  type AnchorColumn,
  type HopAnchors,
} from "../shapes/anchor-columns.ts";
import type { SecondaryAcks } from "./secondary-joins.ts";
import { fireAt, idOf, type Server } from "../prepare/server.ts";
import { Obtained, type HopAnchor } from "../shapes/tables.ts";

/** Events of one hop on the server that recorded them. */
export interface Covering<Acks> {
  readonly server: Server;
  readonly acks: Acks;
}

/**
 * Fills each `wanted` block without an acknowledgment of its own with the instants of the one that covers it, marked
 * derived. Blocks whose own acknowledgment was lost keep missing instants, so that statistics skip them. Times of
 * `secondary` are on its own counter.
 */
export function putCoveringAcks(
  hop: HopAnchors,
  wanted: (row: number) => boolean,
  primary: Covering<AckColumns> | undefined,
  secondary: Covering<SecondaryAcks> | undefined,
  commits: Commits,
): void {
  const blockByBlock = acknowledgesEachBlock(hop, wanted);
  const to = columnsOfAnchors(hop);
  const departures = secondary ? departuresOf(to, secondary.acks) : [];
  const released = firstCommitEnd(commits, hop.obtained.length);
  for (let row = 0; row < hop.obtained.length; row++) {
    if (!wanted(row) || hasOwn(hop, row)) continue;
    const arrival = primary ? primary.acks.event[row] : -1;
    const processed = arrival < 0 ? Number.NaN : fireAt(primary!.server, arrival);
    // A commit that waits for this replica can't have continued before its acknowledgment.
    const silent = secondary?.acks.seen[row] !== 1;
    if (silent && blockByBlock && released[row] < processed) continue;
    const later = primary && secondary ? laterSide(primary, arrival, secondary, row) : null;
    if (
      primary &&
      arrival >= 0 &&
      later !== "primary" &&
      primary.server.start[arrival] >= hop.at.departed[row]
    ) {
      putInstant(to.ackReceived, row, primary.server.start[arrival], Obtained.derived);
      putInstant(to.ackProcessed, row, processed, Obtained.derived);
    }
    if (secondary && later !== "secondary")
      putDepartures(departures, row, secondary.server.start, hop.at.received[row]);
  }
}

/**
 * The side whose first acknowledgment of a block reaches farther than that of the other side: its own event of the
 * other side's acknowledgment was lost, and the sending of one and the arrival of another are no single trip. Null
 * where both are the same acknowledgment.
 */
function laterSide(
  primary: Covering<AckColumns>,
  arrival: number,
  { server, acks }: Covering<SecondaryAcks>,
  row: number,
): "primary" | "secondary" | null {
  const departure = departureOf(acks, row);
  if (arrival < 0 || departure < 0) return null;
  const there = idOf(primary.server, arrival);
  const here = idOf(server, departure);
  if (there < 0 || here < 0) return null;
  const { high, low } = primary.server.ids;
  const difference = high[there] - server.ids.high[here] || low[there] - server.ids.low[here];
  if (difference === 0) return null;
  return difference > 0 ? "primary" : "secondary";
}

/** An event of the acknowledgment that covers a block on its way out; -1 for none. */
function departureOf({ left, built, sent }: SecondaryAcks, row: number): number {
  if (left.event[row] >= 0) return left.event[row];
  return built.event[row] >= 0 ? built.event[row] : sent.event[row];
}

/** True when an event of the block's own acknowledgment exists, on either side. */
const hasOwn = (hop: HopAnchors, row: number): boolean =>
  !Number.isNaN(hop.at.ackReceived[row]) || !Number.isNaN(hop.at.ackDeparted[row]);

/** Columns of events of the way back, each with the anchor that it fills. */
type Departures = readonly { readonly to: AnchorColumn; readonly event: Int32Array }[];

const departuresOf = (to: Record<HopAnchor, AnchorColumn>, acks: SecondaryAcks): Departures => [
  { to: to.ackBuilt, event: acks.built.event },
  { to: to.ackDeparted, event: acks.left.event },
  { to: to.ackSent, event: acks.sent.event },
];

function putDepartures(departures: Departures, row: number, start: Float64Array, received: number): void {
  for (const { to, event } of departures) {
    const at = event[row] < 0 ? Number.NaN : start[event[row]];
    if (at >= received) putInstant(to, row, at, Obtained.derived);
  }
}

/** Share of own acknowledgments from which a block without one has lost it. */
const OWN_SHARE = 0.75;

/** True when this replica acknowledges each block, as synchronous replicas do. */
function acknowledgesEachBlock(hop: HopAnchors, wanted: (row: number) => boolean): boolean {
  let sent = 0;
  let own = 0;
  for (let row = 0; row < hop.obtained.length; row++) {
    if (!wanted(row) || obtainedOf(hop, "departed", row) === Obtained.missing) continue;
    sent++;
    if (hasOwn(hop, row)) own++;
  }
  return own > OWN_SHARE * sent;
}

/** End of the first commit of each block, Infinity without one. */
function firstCommitEnd(commits: Commits, rows: number): Float64Array {
  const first = new Float64Array(rows).fill(Infinity);
  for (let c = 0; c < commits.length; c++) {
    const row = commits.block[c];
    if (row >= 0 && commits.end[c] < first[row]) first[row] = commits.end[c];
  }
  return first;
}
