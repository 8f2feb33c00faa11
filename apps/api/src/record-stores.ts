/** Where records are kept: the catalogue, and who signed in. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import type { AccessStore } from "./access/access-store.ts";
import type { Passing } from "./access/passing.ts";
import { openSqliteAccessStore } from "./access/sqlite-access-store.ts";
import type { Config } from "./config.ts";
import { StartError } from "./start-error.ts";
import type { Catalogue } from "./store/catalogue.ts";
import { CATALOGUE_NOTE } from "./store/catalogue-note.ts";
import type { FilePlace } from "./store/file-place.ts";
import { NO_OTHERS } from "./store/other-servers.ts";
import type { OtherServers } from "./store/other-servers.ts";
import { openSqliteCatalogue, SQLITE_FILE } from "./store/sqlite-catalogue.ts";
import type { LeaseTimes, WorkTable } from "./store/work-table.ts";

export interface RecordStores {
  readonly catalogue: Catalogue;
  readonly others: OtherServers;
  /** The work that several servers share; null where one server has the catalogue. */
  readonly openWork: ((times: LeaseTimes) => WorkTable) | null;
  /** To be closed by who opened it. */
  readonly openAccessStore: () => AccessStore;
  /** Null where one server has all for itself: in its memory. */
  readonly passing: Passing | null;
  /** Closes the catalogue. */
  close(): Promise<void>;
}

/** A server on a catalogue that others have too. */
export interface ServerAmongOthers {
  readonly name: string;
  /** What has the files of all of them. */
  readonly files: FilePlace;
  /** Whether it keeps tables at rest: all do, or none. */
  readonly keepsTables: boolean;
}

/**
 * Opens them where the settings say: in PostgreSQL, or in a file of the data directory.
 * @param makeRoom called when that file's disk is full
 * @param server this one among several that have the catalogue, each with a data directory of its own
 * @throws StartError
 */
export async function openRecordStores(
  { dataDirectory, catalogue: url, cataloguePasswordFile }: Config,
  log: Logger,
  makeRoom: () => boolean,
  server: ServerAmongOthers | null = null,
): Promise<RecordStores> {
  if (url !== null) {
    // Who keeps the file need not load it.
    const { openPostgresStores } = await import("./postgres-stores.ts");
    const place = { url, passwordFile: cataloguePasswordFile };
    return openPostgresStores(place, dataDirectory, server, log);
  }
  if (existsSync(join(dataDirectory, CATALOGUE_NOTE))) {
    throw new StartError(
      "bad-setting",
      `The catalogue of ${dataDirectory} is in PostgreSQL. Set AGLENS_CATALOGUE to it.`,
    );
  }
  const path = join(dataDirectory, SQLITE_FILE);
  const catalogue = openSqliteCatalogue(path, makeRoom);
  return {
    catalogue,
    others: NO_OTHERS,
    openWork: null,
    openAccessStore: () => openSqliteAccessStore(path),
    passing: null,
    close: () => catalogue.close(),
  };
}
