/**
 * When a model that is being built needs each part of its servers' events no longer: that is given back, of servers whose events are used up
 * (`ServerInput.giveBack`). For 8 M events every column of 8 bytes is 64 MB.
 */
import type { Joined } from "./join.ts";
import { buffersIn } from "./memory.ts";

/** Blocks have their instants. */
export function giveBackJoined({ servers }: Joined): void {
  for (const { giveBack, columns, start, instants, database, databaseOfBlock } of servers)
    giveBack?.(held([columns.start, start, instants, database, databaseOfBlock]));
}

/** Events have their place in the tables. */
export function giveBackEvents({ servers, eventRows, ownRows }: Joined): void {
  for (const [s, server] of servers.entries()) server.giveBack?.(held([server, eventRows[s], ownRows[s]]));
}

const held = (columns: unknown): ArrayBuffer[] =>
  [...buffersIn(columns)].filter(({ byteLength }) => byteLength > 0);
