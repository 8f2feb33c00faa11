/** The catalog as another process may read it, while AG Lens runs and while it does not. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Config } from "../settings/settings.ts";
import { StartError } from "../kernel/start-error.ts";
import { CATALOG_NOTE } from "../store/catalog-note.ts";
import { databaseIn, SQLITE_FILE } from "../store/sqlite-catalog.ts";
import { storedRecords } from "./stored-captures.ts";
import type { StoredCaptures } from "./stored-captures.ts";

const BUSY_MS = 5_000;

/** Settings for the place of the catalog. */
export type CatalogSettings = Pick<Config, "catalogue" | "cataloguePasswordFile">;

/** Whether the directory's catalog is in PostgreSQL. */
export const isInPostgres = (directory: string): boolean => existsSync(join(directory, CATALOG_NOTE));

/** @throws StartError when the catalog does not exist, or cannot be read */
export async function openStoredCaptures(
  directory: string,
  { catalogue: url, cataloguePasswordFile }: CatalogSettings,
): Promise<StoredCaptures> {
  if (!isInPostgres(directory)) return sqliteCaptures(openCatalogFile(directory));
  if (url === null) {
    throw new StartError(
      "bad-setting",
      `The catalogue of ${directory} is in PostgreSQL. Set AGLENS_CATALOGUE to it.`,
    );
  }
  const { postgresCaptures } = await import("./postgres-captures.ts");
  return postgresCaptures({ url, passwordFile: cataloguePasswordFile }, directory);
}

/**
 * The catalog's file, to be read. @throws StartError `directory-unusable` when it does not exist, `catalogue-damaged`
 * when it cannot be read
 */
export function openCatalogFile(directory: string): DatabaseSync {
  const path = join(directory, SQLITE_FILE);
  if (!existsSync(path)) {
    throw new StartError(
      "directory-unusable",
      `${directory} is no data directory of AG Lens: it has no catalogue.sqlite.`,
    );
  }
  const database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS });
  try {
    database.prepare("SELECT id FROM captures LIMIT 1").get();
    return database;
  } catch (error) {
    database.close();
    throw new StartError(
      "catalogue-damaged",
      `The catalogue ${path} cannot be read: ${(error as Error).message}.`,
    );
  }
}

/** @param file as `openCatalogFile` opened it */
export function sqliteCaptures(file: DatabaseSync): StoredCaptures {
  return {
    ...storedRecords(databaseIn(file)),
    damage: async () => integrityOf(file),
    close: async () => file.close(),
  };
}

function integrityOf(file: DatabaseSync): string[] {
  const lines = file.prepare("PRAGMA integrity_check").all();
  return lines.map((row) => String(row["integrity_check"])).filter((line) => line !== "ok");
}
