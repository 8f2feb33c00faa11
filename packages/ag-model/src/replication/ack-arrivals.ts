/** Acknowledgements that arrive on the primary (docs/model.md 3.3). */
import { EventKind } from "../events/index.ts";
import { acknowledgementsOf, type AckColumns } from "./ack-join.ts";
import { putInstant, type HopAnchors } from "./anchor-columns.ts";
import type { BlockRows } from "./blocks.ts";
import { OUTER_TO_INNER_US } from "./engine.ts";
import type { Server } from "./server.ts";
import { Obtained } from "./tables.ts";

/** Which blocks and events a join is about. */
export interface Wanted {
  readonly block: (row: number) => boolean;
  readonly event: (event: number) => boolean;
}

/**
 * Puts the arrivals of one secondary's acknowledgements that name just the block's end; the others are
 * `putCoveringAcks`'s.
 * @param slot of the hop
 * @param slotOfText slot of a text of the partner column; -1 for none
 * @returns the acknowledgements that cover each block
 */
export function joinArrivals(
  server: Server,
  rows: BlockRows,
  hop: HopAnchors,
  slot: number,
  slotOfText: Int16Array,
  wanted: Wanted,
): AckColumns {
  const { columns, start, fire } = server;
  const { departed } = hop.at;
  const isSent = (row: number): boolean => wanted.block(row) && !Number.isNaN(departed[row]);
  const ofMode = (mode: number): AckColumns => {
    const isWanted = (i: number): boolean =>
      slotOfText[columns.partner[i]] === slot && columns.mode[i] === mode && wanted.event(i);
    return acknowledgementsOf(server, rows, EventKind.receiveHarden, isWanted, isSent);
  };
  const outer = ofMode(2);
  const inner = ofMode(1);
  for (let row = 0; row < rows.length; row++) {
    const whole = outer.exact[row] === 1 ? outer.event[row] : -1;
    if (whole >= 0 && start[whole] >= departed[row]) {
      putInstant(hop, "ackReceived", row, start[whole], Obtained.measured);
      putInstant(hop, "ackProcessed", row, fire[whole], Obtained.measured);
    }
    const part = inner.exact[row] === 1 ? inner.event[row] : -1;
    if (part >= 0 && start[part] >= departed[row]) {
      putInstant(hop, "ackReceived", row, start[part] - OUTER_TO_INNER_US, Obtained.fallback);
      putInstant(hop, "ackProcessed", row, fire[part], Obtained.fallback);
    }
  }
  return outer;
}
