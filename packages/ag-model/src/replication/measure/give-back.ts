/**
 * Releases the memory of each part of the servers' events when a model that is being built no longer needs it, for
 * servers whose events may be discarded (`ServerInput.giveBack`). Every column of 8 bytes for 8 M events is 64 MB.
 */
import type { Joined } from "../join/join.ts";
import { buffersIn } from "../prepare/memory.ts";

/** Blocks have their instants. */
export function giveBackJoined({ servers }: Joined): void {
  for (const { giveBack, columns, start, instants, database, databaseOfBlock } of servers)
    giveBack?.(held([columns.start, start, instants, database, databaseOfBlock]));
}

/**
 * Clocks and markers are known; only the places of single events are still to be found, from columns that all events
 * have.
 */
export function giveBackSingle({ servers }: Joined): void {
  for (const { giveBack, prepared, ids, blocks } of servers)
    giveBack?.(held([{ ...prepared.single, late: null }, ids, blocks]));
}

/** The events of a server have their place in the tables. */
export function giveBackEvents({ servers, eventRows, ownRows }: Joined, server: number): void {
  servers[server].giveBack?.(held([servers[server], eventRows[server], ownRows[server]]));
}

const held = (columns: unknown): ArrayBuffer[] =>
  [...buffersIn(columns)].filter(({ byteLength }) => byteLength > 0);
