/** The catalog in one SQLite file, which one process writes at a time. */
import { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import { StartError } from "../kernel/start-error.ts";
import type { Catalog } from "./catalog.ts";
import { SQLITE } from "./dialect.ts";
import { isDiskFull } from "./space.ts";
import { SqlCatalog } from "./sql-catalog.ts";
import { sqliteDialect } from "./sqlite-driver.ts";
import { bringUpToDate, putDamagedAside } from "./sqlite-format.ts";
import type { Database } from "./tables.ts";

/** Name of the file in a data directory. */
export const SQLITE_FILE = "catalogue.sqlite";

/** A commit that was acknowledged survives a power cut. */
const DURABLE = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;";

/** Time limit for a statement that waits for another program with the file, such as a backup. The thread waits too. */
const BUSY_MS = 5_000;

/** Tables in a file that is open. */
export interface SqliteFile {
  readonly database: Database;
  readonly catalogue: Catalog;
}

/**
 * Opens the file, on the one connection that this process has to it: a transaction of one connection would block the thread that has to
 * end it on the other.
 * @param path file, or ":memory:"
 * @param makeRoom as `CatalogParts` has it
 * @throws StartError when the file is damaged, or of a later version
 */
export function openSqlite(path: string, makeRoom: () => boolean = () => false): SqliteFile {
  const file = new DatabaseSync(path, { timeout: BUSY_MS });
  const damaged = prepared(file, path, makeRoom);
  const database = databaseIn(file);
  const catalogue = new SqlCatalog({
    database,
    dialect: SQLITE,
    tell: null,
    makeRoom,
    damaged,
    close: async () => file.close(),
  });
  return { database, catalogue };
}

/** As `openSqlite`, where only the catalog is needed. */
export function openSqliteCatalog(path: string, makeRoom?: () => boolean): Catalog {
  return openSqlite(path, makeRoom).catalogue;
}

/** The tables of a file that is open already, and stays open. */
export function databaseIn(file: DatabaseSync): Database {
  return new Kysely({ dialect: sqliteDialect(file) });
}

/** Makes or brings up the tables; closes the file where that fails. @returns ids of records that were put aside */
function prepared(file: DatabaseSync, path: string, makeRoom: () => boolean): string[] {
  // Each step can be done again.
  const prepare = (): string[] => {
    file.exec(DURABLE);
    bringUpToDate(file, path);
    return putDamagedAside(file);
  };
  try {
    try {
      return prepare();
    } catch (error) {
      if (!isDiskFull(error) || !makeRoom()) throw error;
      return prepare();
    }
  } catch (error) {
    file.close();
    throw damageOf(error, path) ?? error;
  }
}

const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;
/** The primary result code is in the low byte. */
const PRIMARY_CODE = 0xff;

function damageOf(error: unknown, path: string): StartError | null {
  const { errcode = 0, message } = error as { readonly errcode?: number; readonly message: string };
  if (![SQLITE_CORRUPT, SQLITE_NOTADB].includes(errcode & PRIMARY_CODE)) return null;
  return new StartError(
    "catalogue-damaged",
    `The catalogue ${path} is damaged: ${message}. Put back the one of a backup, or move the file away: the next start offers the captures again from their own files.`,
  );
}
