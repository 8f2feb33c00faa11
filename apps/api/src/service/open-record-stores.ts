/** Place of the records: the catalog, and sessions of people. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import { SqlAccessStore } from "../access/sql-access-store.ts";
import type { Config } from "../settings/config.ts";
import { WatchStore } from "../watch/watch-store.ts";
import { StartError } from "../kernel/start-error.ts";
import { CATALOG_NOTE } from "../store/catalog-note.ts";
import { memoryWork } from "../store/memory-work.ts";
import { NO_OTHERS } from "../store/other-servers.ts";
import { openSqlite, SQLITE_FILE } from "../store/sqlite-catalog.ts";
import type { RecordStores, SharedServer } from "./record-stores.ts";

/**
 * Opens them as the settings require: in PostgreSQL, or in a file of the data directory.
 * @param makeRoom called when that file's disk is full
 * @param server this one among several that have the catalog, each with a data directory of its own
 * @throws StartError
 */
export async function openRecordStores(
  { dataDirectory, catalogue: url, cataloguePasswordFile }: Config,
  log: Logger,
  makeRoom: () => boolean,
  server: SharedServer | null = null,
): Promise<RecordStores> {
  if (url !== null) {
    // A server with the catalog in a file need not load this module.
    const { openPostgresStores } = await import("./postgres-stores.ts");
    const place = { url, passwordFile: cataloguePasswordFile };
    return openPostgresStores(place, dataDirectory, server, log);
  }
  if (existsSync(join(dataDirectory, CATALOG_NOTE))) {
    throw new StartError(
      "bad-setting",
      `The catalogue of ${dataDirectory} is in PostgreSQL. Set AGLENS_CATALOGUE to it.`,
    );
  }
  const { database, catalogue } = openSqlite(join(dataDirectory, SQLITE_FILE), makeRoom);
  return {
    catalogue,
    others: NO_OTHERS,
    openWork: () => memoryWork(catalogue),
    accessStore: new SqlAccessStore(database),
    watchStore: new WatchStore(database),
    passing: null,
    close: () => catalogue.close(),
  };
}
