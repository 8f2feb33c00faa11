/** Which data directory a catalogue in PostgreSQL is of: the files of one must not be swept by the records of another. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { newId } from "../../identity.ts";
import { StartError } from "../../start-error.ts";
import { writeAside } from "../../write-aside.ts";
import { CAPTURES_FOLDER } from "../blobs.ts";
import { CATALOGUE_NOTE } from "../catalogue-note.ts";
import { SQLITE_FILE } from "../sqlite-catalogue.ts";
import type { Database } from "./database.ts";

/** The fact by which a catalogue knows its directory. */
const DIRECTORY = "data directory";

/**
 * Holds the directory against the catalogue, and makes them each other's where neither has captures yet.
 * @throws StartError
 */
export async function expectOwnDirectory(database: Database, directory: string): Promise<void> {
  const noted = await notedId(directory);
  if (noted === null && (await hasFile(directory, SQLITE_FILE))) {
    throw new StartError(
      "bad-setting",
      `The catalogue of ${directory} is in its ${SQLITE_FILE}. Bring it to PostgreSQL with "aglens move", or leave AGLENS_CATALOGUE out.`,
    );
  }
  const owner = await ownerOf(database);
  if (owner !== null && owner === noted) return;
  if (owner !== null) {
    throw new StartError(
      "directory-foreign",
      `The catalogue that AGLENS_CATALOGUE names is of another data directory than ${directory}. Set AGLENS_DATA to that one, or AGLENS_CATALOGUE to another database.`,
    );
  }
  if (await hasFile(join(directory, CAPTURES_FOLDER))) {
    throw new StartError(
      "directory-foreign",
      `The catalogue that AGLENS_CATALOGUE names is empty, and ${directory} has captures. Restore the database from its backup, or set AGLENS_DATA to an empty directory.`,
    );
  }
  await claim(database, await noteId(directory, noted), directory);
}

/** Writes down that the directory's catalogue is in PostgreSQL. @param noted what it has noted already @returns the id by which it knows it */
export async function noteId(directory: string, noted: string | null): Promise<string> {
  const id = noted ?? newId();
  if (noted === null) await writeAside(join(directory, CATALOGUE_NOTE), JSON.stringify({ id }));
  return id;
}

/** @returns null where the directory's catalogue is not in PostgreSQL */
export async function notedId(directory: string): Promise<string | null> {
  const text = await readFile(join(directory, CATALOGUE_NOTE), "utf8").catch(() => null);
  return text === null ? null : (JSON.parse(text) as { readonly id: string }).id;
}

/** @returns the id of the directory that the catalogue is of; null while it is of none */
export async function ownerOf(database: Database): Promise<string | null> {
  const { rows } = await sql<{ value: string }>`SELECT value FROM facts WHERE name = ${DIRECTORY}`.execute(
    database,
  );
  return rows[0]?.value ?? null;
}

/** Makes the catalogue the directory's, unless another was quicker. @throws StartError */
export async function claim(database: Database, id: string, directory: string): Promise<void> {
  await sql`INSERT INTO facts (name, value) VALUES (${DIRECTORY}, ${id}) ON CONFLICT (name) DO NOTHING`.execute(
    database,
  );
  if ((await ownerOf(database)) === id) return;
  throw new StartError(
    "directory-foreign",
    `The catalogue that AGLENS_CATALOGUE names was taken by another data directory than ${directory} this moment.`,
  );
}

/** Whether a directory has a file of that name, or any. */
async function hasFile(directory: string, name?: string): Promise<boolean> {
  const names = await readdir(directory).catch((): string[] => []);
  return name === undefined ? names.length > 0 : names.includes(name);
}
