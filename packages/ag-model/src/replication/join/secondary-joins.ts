/** Instants of blocks on a secondary, on that secondary's own counter (docs/contribute/model/joins.md 3.5). */
import { EventKind } from "../../events/index.ts";
import { acknowledgmentsOf } from "./ack-join.ts";
import type { AckColumns } from "../prepare/acknowledgments.ts";
import type { BlockRows } from "./blocks.ts";
import { addTo, columnsOfAnchors, putInstant, type HopAnchors } from "../shapes/anchor-columns.ts";
import { OUTER_TO_INNER_US, type TypicalSteps } from "./engine.ts";
import { flushesOf, putFlush } from "./flushes.ts";
import type { PhaseEvents } from "./phase-events.ts";
import { eventsIn, instantsOf } from "../prepare/own-instants.ts";
import type { Server } from "../prepare/server.ts";
import { Obtained } from "../shapes/tables.ts";

/** Acknowledgments on their way out of a secondary, by the blocks they cover. */
export interface SecondaryAcks {
  /** 1 for a block in the secondary's file. */
  readonly seen: Uint8Array;
  readonly built: AckColumns;
  readonly left: AckColumns;
  readonly sent: AckColumns;
}

interface AcksOut extends SecondaryAcks {
  readonly inner: AckColumns;
}

/** The blocks that a secondary may have. */
interface BlocksOfSecondary {
  /** Block row of each own block of the server; -1 for none. */
  readonly rowOf: Int32Array;
  readonly rows: BlockRows;
  /** Phase of the acknowledgment events that may cover these blocks. */
  readonly phase: PhaseEvents;
}

/**
 * Fills the secondary's side of a hop; times stay on its own counter. `putCoveringAcks` adds acknowledgments that cover
 * more than their own block.
 */
export function joinSecondary(
  server: Server,
  { rowOf, rows, phase }: BlocksOfSecondary,
  hop: HopAnchors,
  steps: TypicalSteps,
): SecondaryAcks {
  const { instants } = server;
  const to = columnsOfAnchors(hop);
  const seen = new Uint8Array(rows.length);
  for (const shown of instantsOf(instants, ["seen", "received", "decompression"]))
    for (let k = 0; k < shown.length; k++) {
      const row = rowOf[shown.from + k];
      if (row < 0) continue;
      if (shown.seen[k] === 1) seen[row] = 1;
      putInstant(to.received, row, shown.received[k], Obtained.measured);
      addTo(hop.decompression, row, shown.decompression[k]);
    }
  for (const { from, length, receivedInner } of instantsOf(instants, ["receivedInner"]))
    for (let k = 0; k < length; k++) {
      const row = rowOf[from + k];
      if (row >= 0) putInstant(to.received, row, receivedInner[k] - OUTER_TO_INNER_US, Obtained.fallback);
    }
  putFlush(hop, flushesOf(server, rowOf, rows), "secondaryFlushStart", "secondaryFlushEnd", ["received"]);
  const acks = acknowledgmentsOut(server, rows, phase, seen);
  putAcknowledgments(server, hop, acks, steps);
  return acks;
}

function acknowledgmentsOut(server: Server, rows: BlockRows, phase: PhaseEvents, seen: Uint8Array): AcksOut {
  const { rowsOf, instants } = server;
  const acks = (events: Int32Array | Uint32Array): AckColumns =>
    acknowledgmentsOf(server, rows, { events: [events], phase }, seen);
  const acksIn = (name: "ackBuilt" | "ackInner" | "ackLeft"): AckColumns =>
    acks(eventsIn(instantsOf(instants, [name]), name));
  return {
    seen,
    built: acksIn("ackBuilt"),
    inner: acksIn("ackInner"),
    left: acksIn("ackLeft"),
    sent: acks(rowsOf.of(EventKind.ackSendComplete)),
  };
}

function putAcknowledgments(
  { columns, start }: Server,
  hop: HopAnchors,
  { seen, built, inner, left, sent }: AcksOut,
  steps: TypicalSteps,
): void {
  const { at } = hop;
  const to = columnsOfAnchors(hop);
  for (let row = 0; row < seen.length; row++) {
    putInstant(to.ackBuilt, row, instantOf(built, start, row, at.received), Obtained.measured);
    putInstant(to.ackDeparted, row, instantOf(left, start, row, at.received), Obtained.measured);
    putInstant(to.ackDeparted, row, instantOf(inner, start, row, at.received), Obtained.fallback);
    putInstant(to.ackSent, row, instantOf(sent, start, row, at.received), Obtained.measured);
    // A lost event of the block's own acknowledgment is nearer to its siblings than to the next acknowledgment.
    putInstant(to.ackDeparted, row, at.ackSent[row] - steps.ackToSent, Obtained.fallback);
    putInstant(to.ackDeparted, row, at.ackBuilt[row] + steps.builtToAck, Obtained.fallback);
    putInstant(to.ackSent, row, at.ackDeparted[row] + steps.ackToSent, Obtained.fallback);
    putInstant(to.secondaryFlushEnd, row, at.ackBuilt[row] - steps.flushToAck, Obtained.fallback);
    const flushed = at.ackDeparted[row] - steps.builtToAck - steps.flushToAck;
    putInstant(to.secondaryFlushEnd, row, flushed, Obtained.fallback);
    if (!Number.isNaN(at.ackDeparted[row]))
      putInstant(to.ackBuilt, row, at.secondaryFlushEnd[row], Obtained.fallback);
    const e = sent.event[row];
    // total_processing_time of hadr_lsn_send_complete reaches back to the receive exactly (docs/contribute/model/joins.md 3.5).
    if (e >= 0 && sent.exact[row] === 1)
      putInstant(to.received, row, start[e] - columns.processing[e], Obtained.derived);
  }
}

/**
 * The instant of the event that names exactly the block's end, µs; NaN for none, and for one before the block was
 * received.
 */
function instantOf(acks: AckColumns, start: Float64Array, row: number, received: Float64Array): number {
  const event = acks.exact[row] === 1 ? acks.event[row] : -1;
  return event < 0 || start[event] < received[row] ? Number.NaN : start[event];
}
