/** Acknowledgments that arrive on the primary (docs/contribute/model/joins.md 3.3). */
import { acknowledgmentsOf } from "./ack-join.ts";
import type { AckColumns } from "../prepare/acknowledgments.ts";
import { columnsOfAnchors, putInstant, type HopAnchors } from "../shapes/anchor-columns.ts";
import type { BlockRows } from "./blocks.ts";
import { OUTER_TO_INNER_US } from "./engine.ts";
import type { PhaseEvents } from "./phase-events.ts";
import { eventsIn, partnerInstantsOf } from "../prepare/own-instants.ts";
import { fireAt, type Server } from "../prepare/server.ts";
import { Obtained } from "../shapes/tables.ts";

/**
 * Adds the arrivals of one secondary's acknowledgments that name exactly the block's end; `putCoveringAcks` adds the
 * others.
 * @param partners texts of the partner column for the secondary
 * @param phase of the blocks that get one
 * @returns the acknowledgments that cover each block
 */
export function joinArrivals(
  server: Server,
  rows: BlockRows,
  hop: HopAnchors,
  partners: readonly number[],
  phase: PhaseEvents,
): AckColumns {
  const { start, instants } = server;
  const { departed } = hop.at;
  const isSent = new Uint8Array(rows.length);
  for (let row = 0; row < rows.length; row++)
    if (phase.phaseOf[row] === phase.phase && !Number.isNaN(departed[row])) isSent[row] = 1;
  const acksIn = (name: "ackOuter" | "ackInner"): AckColumns => {
    const events = partners.map((text) => eventsIn(partnerInstantsOf(instants, text, [name]), name));
    return acknowledgmentsOf(server, rows, { events, phase }, isSent);
  };
  const outer = acksIn("ackOuter");
  const inner = acksIn("ackInner");
  const to = columnsOfAnchors(hop);
  for (let row = 0; row < rows.length; row++) {
    const whole = outer.exact[row] === 1 ? outer.event[row] : -1;
    if (whole >= 0 && start[whole] >= departed[row]) {
      putInstant(to.ackReceived, row, start[whole], Obtained.measured);
      putInstant(to.ackProcessed, row, fireAt(server, whole), Obtained.measured);
    }
    const part = inner.exact[row] === 1 ? inner.event[row] : -1;
    if (part >= 0 && start[part] >= departed[row]) {
      putInstant(to.ackReceived, row, start[part] - OUTER_TO_INNER_US, Obtained.fallback);
      putInstant(to.ackProcessed, row, fireAt(server, part), Obtained.fallback);
    }
  }
  return outer;
}
