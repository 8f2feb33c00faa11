/** The catalogue's tables, version by version: `PRAGMA user_version` counts the steps that a file has taken. */
import type { DatabaseSync } from "node:sqlite";
import { StartError } from "../kernel/start-error.ts";
import { inTransaction } from "./sqlite-transaction.ts";

/**
 * Each step brings a catalogue one version further. A step that was released is never changed; new ones come last. Columns that
 * are computed from a record cannot disagree with it.
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
];

/**
 * Brings the file to this version's tables: all steps that it lacks, or none of them.
 * @throws StartError `directory-newer` for a file that a later version wrote; it is left as it is
 */
export function bringUpToDate(database: DatabaseSync, path: string): void {
  const version = versionOf(database);
  if (version > STEPS.length) {
    throw new StartError(
      "directory-newer",
      `${path} was written by a later AG Lens (version ${version} of its tables; this one has ${STEPS.length}). Start that one, or set AGLENS_DATA to another directory.`,
    );
  }
  if (version === STEPS.length) return;
  inTransaction(database, () =>
    database.exec(`${STEPS.slice(version).join("\n")} PRAGMA user_version = ${STEPS.length};`),
  );
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
}
