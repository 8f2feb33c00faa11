/** Selects the events of a server that belong to a phase. */
import type { Phases } from "./phases.ts";
import type { Server } from "../prepare/server.ts";

/**
 * Columns that decide whether an event belongs to a phase: columns instead of a function, because loops over events
 * read them.
 */
export interface PhaseEvents {
  /** There is no other phase. */
  readonly isOnly: boolean;
  /** It is the last phase of its databases. */
  readonly isLast: boolean;
  readonly phase: number;
  readonly phaseOf: Uint16Array;
  /** Block row of each event. */
  readonly rows: Int32Array;
  readonly database: Int16Array;
}

export function phaseEvents(
  { phases, phaseOf }: Phases,
  phase: number,
  { database }: Server,
  rows: Int32Array,
): PhaseEvents {
  const isLast = phases[phase].databases.every(
    (d) => !phases.some(({ databases }, later) => later > phase && databases.includes(d)),
  );
  return { isOnly: phases.length === 1, isLast, phase, phaseOf, rows, database };
}

/**
 * Whether an acknowledgment event can belong to a phase: it is of the phase's blocks, names no database, or, in the
 * last phase of a database, ends after its last block.
 */
export function isOfPhase(
  { isOnly, isLast, phase, phaseOf, rows, database }: PhaseEvents,
  event: number,
): boolean {
  if (isOnly) return true;
  const row = rows[event];
  return row < 0 ? isLast : database[event] < 0 || phaseOf[row] === phase;
}
