/** Instants of blocks on a secondary, on that secondary's own counter (docs/model.md 3.5). */
import { EventKind } from "../events/index.ts";
import { acknowledgementsOf } from "./ack-join.ts";
import type { AckColumns } from "./acknowledgements.ts";
import type { BlockRows } from "./blocks.ts";
import { addTo, putInstant, type HopAnchors } from "./anchor-columns.ts";
import { OUTER_TO_INNER_US, type TypicalSteps } from "./engine.ts";
import { flushesOf, putFlush } from "./flushes.ts";
import type { PhaseEvents } from "./phase-events.ts";
import type { Server } from "./server.ts";
import { Obtained, type HopAnchor } from "./tables.ts";

/** Acknowledgements on their way out of a secondary, by the blocks they cover. */
export interface SecondaryAcks {
  /** 1 where the secondary's file holds the block. */
  readonly seen: Uint8Array;
  readonly built: AckColumns;
  readonly left: AckColumns;
  readonly sent: AckColumns;
}

/**
 * Fills the secondary's side of a hop from its events that have a row in `rowOf`; times stay on its own counter. Acknowledgements that cover more
 * than their own block are `putCoveringAcks`'s.
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
  const { columns, rowsOf, start } = server;
  const seen = new Uint8Array(rows.length);
  const receives = rowsOf.of(EventKind.transportReceive);
  for (const i of receives) {
    const row = rowOf[i];
    if (row < 0) continue;
    if (columns.mode[i] === 2) putInstant(hop, "received", row, start[i], Obtained.measured);
    seen[row] = 1;
  }
  for (const i of receives)
    if (columns.mode[i] === 1 && rowOf[i] >= 0)
      putInstant(hop, "received", rowOf[i], start[i] - OUTER_TO_INNER_US, Obtained.fallback);
  for (const i of rowsOf.of(EventKind.decompression))
    if (rowOf[i] >= 0) addTo(hop.decompression, rowOf[i], columns.processing[i]);
  for (const i of rowsOf.of(EventKind.flushStart)) if (rowOf[i] >= 0) seen[rowOf[i]] = 1;
  putFlush(hop, flushesOf(server, rowOf, rows.length), "secondaryFlushStart", "secondaryFlushEnd", [
    "received",
  ]);
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
  const { columns, start } = server;
  const harden = (mode: number): AckColumns =>
    acknowledgementsOf(server, rows, { kind: EventKind.sendHarden, mode, phase }, seen);
  const built = harden(1);
  const inner = harden(2);
  const left = harden(3);
  const sent = acknowledgementsOf(server, rows, { kind: EventKind.ackSendComplete, phase }, seen);
  const { at } = hop;
  for (let row = 0; row < rows.length; row++) {
    const from = at.received[row];
    putAck(hop, "ackBuilt", row, built, start, from, Obtained.measured);
    putAck(hop, "ackDeparted", row, left, start, from, Obtained.measured);
    putAck(hop, "ackDeparted", row, inner, start, from, Obtained.fallback);
    putAck(hop, "ackSent", row, sent, start, from, Obtained.measured);
    // A lost event of the block's own acknowledgement is nearer to its siblings than to the next acknowledgement.
    putInstant(hop, "ackDeparted", row, at.ackSent[row] - steps.ackToSent, Obtained.fallback);
    putInstant(hop, "ackDeparted", row, at.ackBuilt[row] + steps.builtToAck, Obtained.fallback);
    putInstant(hop, "ackSent", row, at.ackDeparted[row] + steps.ackToSent, Obtained.fallback);
    putInstant(hop, "secondaryFlushEnd", row, at.ackBuilt[row] - steps.flushToAck, Obtained.fallback);
    const flushed = at.ackDeparted[row] - steps.builtToAck - steps.flushToAck;
    putInstant(hop, "secondaryFlushEnd", row, flushed, Obtained.fallback);
    if (!Number.isNaN(at.ackDeparted[row]))
      putInstant(hop, "ackBuilt", row, at.secondaryFlushEnd[row], Obtained.fallback);
    const e = sent.event[row];
    // total_processing_time of hadr_lsn_send_complete reaches back to the receive exactly (docs/model.md 3.5).
    if (e >= 0 && sent.exact[row] === 1)
      putInstant(hop, "received", row, start[e] - columns.processing[e], Obtained.derived);
  }
  return { seen, built, left, sent };
}

/** Puts the instant of the event that names just the block's end. */
function putAck(
  hop: HopAnchors,
  name: HopAnchor,
  row: number,
  acks: AckColumns,
  start: Float64Array,
  from: number,
  how: Obtained,
): void {
  const event = acks.exact[row] === 1 ? acks.event[row] : -1;
  if (event < 0 || start[event] < from) return;
  putInstant(hop, name, row, start[event], how);
}
