/** The catalogue as another process may read it, while AG Lens runs and while it does not. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Config } from "../settings/settings.ts";
import { StartError } from "../kernel/start-error.ts";
import type { CaptureRecord } from "../store/catalogue.ts";
import { CATALOGUE_NOTE } from "../store/catalogue-note.ts";
import { SQLITE_FILE } from "../store/sqlite-catalogue.ts";
import { captureIn } from "../store/stored-record.ts";
import type { StoredCaptures } from "./stored-captures.ts";

const BUSY_MS = 5_000;

/** Where the settings say that the catalogue is. */
export type CatalogueSettings = Pick<Config, "catalogue" | "cataloguePasswordFile">;

/** Whether the directory's catalogue is in PostgreSQL. */
export const isInPostgres = (directory: string): boolean => existsSync(join(directory, CATALOGUE_NOTE));

/** @throws StartError when there is no catalogue, or none that can be read */
export async function openStoredCaptures(
  directory: string,
  { catalogue: url, cataloguePasswordFile }: CatalogueSettings,
): Promise<StoredCaptures> {
  if (!isInPostgres(directory)) return sqliteCaptures(openCatalogueFile(directory));
  if (url === null) {
    throw new StartError(
      "bad-setting",
      `The catalogue of ${directory} is in PostgreSQL. Set AGLENS_CATALOGUE to it.`,
    );
  }
  const { postgresCaptures } = await import("./postgres-captures.ts");
  return postgresCaptures({ url, passwordFile: cataloguePasswordFile }, directory);
}

/** The catalogue's file, to be read. @throws StartError `directory-unusable` when there is none, `catalogue-damaged` when it cannot be read */
export function openCatalogueFile(directory: string): DatabaseSync {
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

/** @param database as `openCatalogueFile` gave it */
export function sqliteCaptures(database: DatabaseSync): StoredCaptures {
  const ids = database.prepare("SELECT id FROM captures ORDER BY created, id");
  const one = database.prepare("SELECT record FROM captures WHERE id = ?");
  const looseLinks = database.prepare(
    "SELECT count(*) AS count FROM links WHERE captureId NOT IN (SELECT id FROM captures)",
  );
  return {
    ids: () => Promise.resolve(ids.all().map((row) => String(row["id"]))),
    record: (id) => Promise.resolve(recordIn(one.get(id)?.["record"])),
    damage: () => Promise.resolve(integrityOf(database)),
    looseLinks: () => Promise.resolve(Number(looseLinks.get()?.["count"])),
    close: () => Promise.resolve(database.close()),
  };
}

function integrityOf(database: DatabaseSync): string[] {
  const lines = database.prepare("PRAGMA integrity_check").all();
  return lines.map((row) => String(row["integrity_check"])).filter((line) => line !== "ok");
}

function recordIn(text: unknown): CaptureRecord | null {
  try {
    return typeof text === "string" ? captureIn(text) : null;
  } catch {
    return null;
  }
}
