/**
 * Finds the availability databases of a capture, and the database_id of each on each server (docs/contribute/model/attribution.md
 * 2.3).
 */
import { FOREIGN_DATABASE, NO_DATABASE } from "../prepare/own-databases.ts";
import type { Server } from "../prepare/server.ts";

export interface LearnedDatabases {
  /** group_database_id by database index. */
  readonly ids: readonly string[];
  /** database_id per database index and server; -1 when unknown. */
  readonly localIds: readonly (readonly number[])[];
}

/** Lists the databases of all servers. Fills each server's `database` columns. */
export function learnDatabases(servers: readonly Server[]): LearnedDatabases {
  const ids = [...new Set(servers.flatMap(({ databases }) => databases.guids))];
  for (const server of servers) {
    const { guids, ofShape } = server.databases;
    // The first two places are for `FOREIGN_DATABASE` and `NO_DATABASE`, whose numbers are negative.
    const indexOf = Int16Array.of(FOREIGN_DATABASE, NO_DATABASE, ...guids.map((guid) => ids.indexOf(guid)));
    const indexOfShape = ofShape.map((own) => indexOf[own - FOREIGN_DATABASE]);
    fillByShape(server.database, server.shapeOf, indexOfShape);
    for (let own = 0; own < server.blocks.length; own++)
      server.databaseOfBlock[own] = indexOf[server.blocks.database[own] - FOREIGN_DATABASE];
  }
  return {
    ids,
    localIds: ids.map((id) =>
      servers.map(({ databases: { guids, localIds } }) => localIds[guids.indexOf(id)] ?? -1),
    ),
  };
}

function fillByShape(column: Int16Array, shapeOf: Server["shapeOf"], values: Int16Array): void {
  for (let i = 0; i < column.length; i++) column[i] = values[shapeOf[i]];
}
