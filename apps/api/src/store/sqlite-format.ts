/** The catalog's tables, version by version: `PRAGMA user_version` counts the steps that a file has taken. */
import type { DatabaseSync } from "node:sqlite";
import { StartError } from "../kernel/start-error.ts";

/** A column that is computed from the record; null for a record that is not JSON, until it is put aside. */
const computed = (column: string, value: string): string =>
  `ALTER TABLE captures ADD COLUMN ${column} GENERATED ALWAYS AS (CASE WHEN json_valid(record) THEN ${value} END) VIRTUAL;`;

/**
 * Each step brings a catalog to the next version. A released step is never changed; new ones are added at the end.
 * Columns that are computed from a record cannot disagree with it.
 */
const STEPS: readonly string[] = [
  // Files from before the steps were counted have these tables already.
  `CREATE TABLE IF NOT EXISTS captures (
     id TEXT PRIMARY KEY, created TEXT NOT NULL, expires TEXT, record TEXT NOT NULL
   ) STRICT;
   CREATE TABLE IF NOT EXISTS links (
     id TEXT PRIMARY KEY, captureId TEXT NOT NULL, expires TEXT, record TEXT NOT NULL
   ) STRICT;
   CREATE INDEX IF NOT EXISTS linksOfCapture ON links (captureId);`,
  `CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
   CREATE TABLE plans (id TEXT PRIMARY KEY, plan TEXT NOT NULL) STRICT;
   CREATE TABLE damagedRecords (id TEXT NOT NULL, record TEXT NOT NULL) STRICT;
   INSERT INTO damagedRecords SELECT id, record FROM captures WHERE NOT json_valid(record);
   DELETE FROM captures WHERE NOT json_valid(record);
   ALTER TABLE captures ADD COLUMN deleted TEXT GENERATED ALWAYS AS
     (CASE WHEN json_valid(record) THEN record ->> 'deleted' END) VIRTUAL;`,
  // The same columns as PostgreSQL's tables, by the same names, and the order of lists. Tables of sessions and audit
  // were created at the first sign-in.
  `ALTER TABLE links RENAME COLUMN captureId TO capture_id;
   ALTER TABLE links ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
   ALTER TABLE captures ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
   ${computed("state TEXT", "record ->> 'state'")}
   ${computed("files INTEGER", "json_array_length(record, '$.files')")}
   ${computed("owner_id TEXT", "record -> 'owner' ->> 'id'")}
   ${computed("shared INTEGER", "coalesce(record ->> 'shared', 0)")}
   CREATE INDEX captures_newest ON captures (created DESC, id);
   CREATE TABLE IF NOT EXISTS sessions (hash TEXT PRIMARY KEY, expires TEXT NOT NULL, record TEXT NOT NULL) STRICT;
   CREATE TABLE IF NOT EXISTS audit (
     number INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, personId TEXT NOT NULL, person TEXT NOT NULL,
     action TEXT NOT NULL, what TEXT NOT NULL
   ) STRICT;
   ALTER TABLE audit RENAME COLUMN personId TO person_id;`,
  `CREATE TABLE watch_rows (
     watch TEXT NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL, record TEXT NOT NULL,
     PRIMARY KEY (kind, watch, key)
   ) STRICT, WITHOUT ROWID;`,
];

/**
 * Migrates the file to this version's tables: all missing steps, or none.
 * @throws StartError `directory-newer` for a file that a later version wrote, which is not changed
 */
export function bringUpToDate(file: DatabaseSync, path: string): void {
  const version = versionOf(file);
  if (version > STEPS.length) {
    throw new StartError(
      "directory-newer",
      `${path} was written by a later AG Lens (version ${version} of its tables; this one has ${STEPS.length}). Start that one, or set AGLENS_DATA to another directory.`,
    );
  }
  if (version === STEPS.length) return;
  runTogether(file, `${STEPS.slice(version).join("\n")} PRAGMA user_version = ${STEPS.length};`);
}

/** Puts records aside that are not JSON: one of them would refuse every list. @returns ids of those */
export function putDamagedAside(file: DatabaseSync): string[] {
  const damaged = file.prepare("SELECT id FROM captures WHERE NOT json_valid(record)").all();
  if (damaged.length === 0) return [];
  runTogether(
    file,
    `INSERT INTO damagedRecords SELECT id, record FROM captures WHERE NOT json_valid(record);
     DELETE FROM captures WHERE NOT json_valid(record);`,
  );
  return damaged.map((row) => String(row["id"]));
}

/** All statements or none. An open transaction would lose every later write at the end of the process. */
function runTogether(file: DatabaseSync, statements: string): void {
  file.exec("BEGIN IMMEDIATE");
  try {
    file.exec(`${statements} COMMIT;`);
  } catch (error) {
    // SQLite has rolled back on its own when the disk was full.
    if (file.isTransaction) file.exec("ROLLBACK");
    throw error;
  }
}

function versionOf(file: DatabaseSync): number {
  return Number(file.prepare("PRAGMA user_version").get()?.["user_version"]);
}
