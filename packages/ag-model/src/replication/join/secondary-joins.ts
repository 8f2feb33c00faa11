/** Instants of blocks on a secondary, on that secondary's own counter (docs/model.md 3.5). */
import { EventKind } from "../../events/index.ts";
import { acknowledgementsOf } from "./ack-join.ts";
import type { AckColumns } from "../prepare/acknowledgements.ts";
import type { BlockRows } from "./blocks.ts";
import {
  addTo,
  columnsOfAnchors,
  putInstant,
  type AnchorColumn,
  type HopAnchors,
} from "../shapes/anchor-columns.ts";
import { OUTER_TO_INNER_US, type TypicalSteps } from "./engine.ts";
import { flushesOf, putFlush } from "./flushes.ts";
import type { PhaseEvents } from "./phase-events.ts";
import { eventsIn, instantsOf } from "../prepare/own-instants.ts";
import type { Server } from "../prepare/server.ts";
import { Obtained } from "../shapes/tables.ts";

/** Acknowledgements on their way out of a secondary, by the blocks they cover. */
export interface SecondaryAcks {
  /** 1 where the secondary's file holds the block. */
  readonly seen: Uint8Array;
  readonly built: AckColumns;
  readonly left: AckColumns;
  readonly sent: AckColumns;
}

/**
 * Fills the secondary's side of a hop; times stay on its own counter. Acknowledgements that cover more
 * than their own block are `putCoveringAcks`'s.
 * @param rowOf block row of each own block; -1 for none
 * @param phase of the acknowledgement events that may cover these blocks
 */
export function joinSecondary(
  server: Server,
  rowOf: Int32Array,
  rows: BlockRows,
  hop: HopAnchors,
  steps: TypicalSteps,
  phase: PhaseEvents,
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
  return joinAcknowledgements(server, rows, hop, seen, steps, phase);
}

function joinAcknowledgements(
  server: Server,
  rows: BlockRows,
  hop: HopAnchors,
  seen: Uint8Array,
  steps: TypicalSteps,
  phase: PhaseEvents,
): SecondaryAcks {
  const { columns, rowsOf, start, instants } = server;
  const acks = (events: Int32Array | Uint32Array): AckColumns =>
    acknowledgementsOf(server, rows, { events: [events], phase }, seen);
  const acksIn = (name: "ackBuilt" | "ackInner" | "ackLeft"): AckColumns =>
    acks(eventsIn(instantsOf(instants, [name]), name));
  const built = acksIn("ackBuilt");
  const inner = acksIn("ackInner");
  const left = acksIn("ackLeft");
  const sent = acks(rowsOf.of(EventKind.ackSendComplete));
  const { at } = hop;
  const to = columnsOfAnchors(hop);
  for (let row = 0; row < rows.length; row++) {
    const from = at.received[row];
    putAck(to.ackBuilt, row, built, start, from, Obtained.measured);
    putAck(to.ackDeparted, row, left, start, from, Obtained.measured);
    putAck(to.ackDeparted, row, inner, start, from, Obtained.fallback);
    putAck(to.ackSent, row, sent, start, from, Obtained.measured);
    // A lost event of the block's own acknowledgement is nearer to its siblings than to the next acknowledgement.
    putInstant(to.ackDeparted, row, at.ackSent[row] - steps.ackToSent, Obtained.fallback);
    putInstant(to.ackDeparted, row, at.ackBuilt[row] + steps.builtToAck, Obtained.fallback);
    putInstant(to.ackSent, row, at.ackDeparted[row] + steps.ackToSent, Obtained.fallback);
    putInstant(to.secondaryFlushEnd, row, at.ackBuilt[row] - steps.flushToAck, Obtained.fallback);
    const flushed = at.ackDeparted[row] - steps.builtToAck - steps.flushToAck;
    putInstant(to.secondaryFlushEnd, row, flushed, Obtained.fallback);
    if (!Number.isNaN(at.ackDeparted[row]))
      putInstant(to.ackBuilt, row, at.secondaryFlushEnd[row], Obtained.fallback);
    const e = sent.event[row];
    // total_processing_time of hadr_lsn_send_complete reaches back to the receive exactly (docs/model.md 3.5).
    if (e >= 0 && sent.exact[row] === 1)
      putInstant(to.received, row, start[e] - columns.processing[e], Obtained.derived);
  }
  return { seen, built, left, sent };
}

/** Puts the instant of the event that names just the block's end. */
function putAck(
  to: AnchorColumn,
  row: number,
  acks: AckColumns,
  start: Float64Array,
  from: number,
  how: Obtained,
): void {
  const event = acks.exact[row] === 1 ? acks.event[row] : -1;
  if (event < 0 || start[event] < from) return;
  putInstant(to, row, start[event], how);
}
