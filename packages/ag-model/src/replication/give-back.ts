/** When a model that is being built needs each part of its servers' events no longer. */
import { buffersIn } from "./memory.ts";
import type { Server } from "./server.ts";

/** What is needed no longer once each step is done. For 8 M events every column of 8 bytes is 64 MB. */
const NOT_NEEDED_AFTER = {
  /** Blocks have their instants. */
  join: ({ columns, start, instants, database, databaseOfBlock }: Server) => [
    [columns.start, start, instants],
    [database, databaseOfBlock],
  ],
  measure: (server: Server) => server,
};

/** Gives back what a step was the last to need, of servers whose events are used up (`ServerInput.giveBack`). */
export function giveBackAfter(step: keyof typeof NOT_NEEDED_AFTER, servers: readonly Server[]): void {
  for (const server of servers) server.giveBack?.(held(NOT_NEEDED_AFTER[step](server)));
}

const held = (columns: unknown): ArrayBuffer[] =>
  [...buffersIn(columns)].filter(({ byteLength }) => byteLength > 0);
