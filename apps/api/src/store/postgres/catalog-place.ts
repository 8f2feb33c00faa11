/** Which data directory a catalog in PostgreSQL is of: the files of one must not be swept by the records of another. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { newId } from "../../kernel/identity.ts";
import { StartError } from "../../kernel/start-error.ts";
import { writeAside } from "../../kernel/write-aside.ts";
import { CAPTURES_FOLDER } from "../blobs.ts";
import type { FilePlace } from "../file-place.ts";
import { CATALOG_NOTE } from "../catalog-note.ts";
import { SQLITE_FILE } from "../sqlite-catalog.ts";
import type { Database } from "../tables.ts";

/** Name of the fact with the id of the catalog's directory. */
const DIRECTORY = "data directory";
/** In a data directory whose files are copies of those in a bucket. */
const COPIES_NOTE = "bucket.json";

/** The same of a bucket, where several servers have the catalog. */
const BUCKET = "bucket";

/**
 * Compares the ids in directory and catalog, and assigns them to each other where neither has captures yet.
 * @throws StartError
 */
export async function expectOwnDirectory(database: Database, directory: string): Promise<void> {
  if ((await ownerOf(database, BUCKET)) !== null) {
    throw new StartError(
      "bad-setting",
      "The files of the catalogue that AGLENS_CATALOGUE names are in a bucket. Set AGLENS_BLOBS to it.",
    );
  }
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

/**
 * Compares the ids in the bucket of several servers and in their catalog, and assigns them to each other where neither
 * has captures yet.
 * @returns the common id
 * @throws StartError
 */
export async function expectOwnBucket(database: Database, bucket: FilePlace): Promise<string> {
  const noted = await bucket.notedId();
  const owner = await ownerOf(database, BUCKET);
  if (owner !== null && owner === noted) return owner;
  if ((await ownerOf(database)) !== null) {
    throw new StartError(
      "bad-setting",
      'The files of the catalogue that AGLENS_CATALOGUE names are in a data directory. Bring them to the bucket with "aglens move", or leave AGLENS_BLOBS out.',
    );
  }
  // A start that was cut off before the bucket had its note left both without captures.
  const isNew = noted === null && !(await hasCaptures(database)) && !(await bucket.hasCaptures());
  if (!isNew) {
    throw new StartError(
      "directory-foreign",
      "The bucket that AGLENS_BLOBS names does not have the files of the catalogue that AGLENS_CATALOGUE names. Set both to those that belong together, or restore the one that is empty from its backup.",
    );
  }
  const id = await claimFor(database, BUCKET, newId());
  await bucket.noteId(id);
  return id;
}

/**
 * Expects that a server's data directory has only copies of the bucket's files, which may be deleted after a long time
 * without use.
 * @param id of the bucket
 * @throws StartError where it has files that may be no copies
 */
export async function expectOwnCopies(directory: string, id: string): Promise<void> {
  const noted = await idIn(directory, COPIES_NOTE);
  if (noted === id) return;
  if (noted !== null || (await hasFile(join(directory, CAPTURES_FOLDER)))) {
    throw new StartError(
      "directory-foreign",
      `${directory} has captures that are not of the bucket that AGLENS_BLOBS names. Bring them there with "aglens move", or set AGLENS_DATA to an empty directory.`,
    );
  }
  await noteCopies(directory, id);
}

/** Makes the catalog of a data directory that of the bucket which has its files now, under the same id. */
export async function giveToBucket(database: Database): Promise<void> {
  await sql`UPDATE facts SET name = ${BUCKET} WHERE name = ${DIRECTORY}`.execute(database);
}

/** @returns the id of the bucket of this catalog; null before it belongs to one */
export const bucketOf = (database: Database): Promise<string | null> => ownerOf(database, BUCKET);

/** Writes down that a directory's files are copies of those in a bucket. @param id of the bucket */
export const noteCopies = (directory: string, id: string): Promise<void> =>
  writeAside(join(directory, COPIES_NOTE), JSON.stringify({ id }));

/**
 * Stores a note in the directory that its catalog is in PostgreSQL. @param noted present note @returns the id in the
 * note
 */
export async function noteId(directory: string, noted: string | null): Promise<string> {
  const id = noted ?? newId();
  if (noted === null) await writeAside(join(directory, CATALOG_NOTE), JSON.stringify({ id }));
  return id;
}

/** @returns null where the directory's catalog is not in PostgreSQL */
export const notedId = (directory: string): Promise<string | null> => idIn(directory, CATALOG_NOTE);

async function idIn(directory: string, name: string): Promise<string | null> {
  const text = await readFile(join(directory, name), "utf8").catch(() => null);
  return text === null ? null : (JSON.parse(text) as { readonly id: string }).id;
}

/** @returns the id of the place of this catalog, a directory or a bucket; null before it belongs to one */
export async function ownerOf(
  database: Database,
  place: typeof DIRECTORY | typeof BUCKET = DIRECTORY,
): Promise<string | null> {
  const { rows } = await sql<{ value: string }>`SELECT value FROM facts WHERE name = ${place}`.execute(
    database,
  );
  return rows[0]?.value ?? null;
}

/** Makes the catalog a place's, unless it is one's already. @returns the id of whose it is then */
async function claimFor(
  database: Database,
  place: typeof DIRECTORY | typeof BUCKET,
  id: string,
): Promise<string> {
  await sql`INSERT INTO facts (name, value) VALUES (${place}, ${id}) ON CONFLICT (name) DO NOTHING`.execute(
    database,
  );
  return (await ownerOf(database, place)) ?? id;
}

async function hasCaptures(database: Database): Promise<boolean> {
  return (await sql`SELECT FROM captures LIMIT 1`.execute(database)).rows.length > 0;
}

/** Makes the catalog the directory's, unless another was quicker. @throws StartError */
export async function claim(database: Database, id: string, directory: string): Promise<void> {
  if ((await claimFor(database, DIRECTORY, id)) === id) return;
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
