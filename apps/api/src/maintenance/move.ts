/** Brings the catalogue of a data directory from its file to PostgreSQL; the directory's other files stay where they are. */
import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import type { Logger } from "pino";
import { takeDataDirectory } from "../store/data-directory.ts";
import { StartError } from "../kernel/start-error.ts";
import type { CaptureRecord } from "../store/catalogue.ts";
import { placeOf } from "../store/bucket/bucket-place.ts";
import { openBucket } from "../store/bucket/bucket.ts";
import type { FilePlace } from "../store/file-place.ts";
import {
  bucketOf,
  claim,
  giveToBucket,
  noteCopies,
  notedId,
  noteId,
  ownerOf,
} from "../store/postgres/catalogue-place.ts";
import { openPostgres } from "../store/postgres/database.ts";
import type { Database, PostgresPlace } from "../store/postgres/database.ts";
import { postgresCatalogue } from "../store/postgres/postgres-catalogue.ts";
import { openSqliteCatalogue, SQLITE_FILE } from "../store/sqlite-catalogue.ts";
import { storableText } from "../store/stored-record.ts";
import { moveFiles } from "./move-files.ts";
import type { MovedFiles } from "./move-files.ts";
import { openCatalogueFile, sqliteCaptures } from "./open-stored-captures.ts";
import type { StoredCaptures } from "./stored-captures.ts";

/** The catalogue's file is called so once its content is in PostgreSQL. */
export const MOVED_FILE = `${SQLITE_FILE}.moved`;

export interface MoveResult {
  readonly captures: number;
  readonly links: number;
}

/**
 * Copies everything in one transaction and only then puts the file out of the way: a move that is cut off can be begun again, and a
 * directory never has two catalogues.
 * @throws StartError also when AG Lens runs on the directory, or the database has captures
 */
export async function moveCatalogue(directory: string, place: PostgresPlace): Promise<MoveResult> {
  const held = await takeDataDirectory(directory);
  const database = await openPostgres(place, () => {}).catch(async (error: unknown) => {
    await held.release();
    throw error;
  });
  try {
    return await fileMoved(directory, database);
  } finally {
    await database.destroy();
    await held.release();
  }
}

export interface BucketMoveResult extends MoveResult, MovedFiles {}

/**
 * Copies all files into a bucket, then does what `moveCatalogue` does unless it was done, and then makes database and bucket each
 * other's. The directory's files are copies from then on.
 * @param to `s3://BUCKET/PREFIX`
 * @throws StartError also when the bucket has the captures of another catalogue
 */
export async function moveToBucket(
  directory: string,
  place: PostgresPlace,
  to: string,
  log: Pick<Logger, "warn">,
): Promise<BucketMoveResult> {
  const held = await takeDataDirectory(directory);
  const bucket = openBucket(to, log);
  const database = await openPostgres(place, () => {}).catch(async (error: unknown) => {
    bucket.close();
    await held.release();
    throw error;
  });
  try {
    const id = await noteId(directory, await notedId(directory));
    await expectForMove(placeOf(bucket), id);
    const files = await withRecords(directory, database, (records) => moveFiles(directory, records, bucket));
    const result = await catalogueMoved(directory, database);
    await giveToBucket(database);
    if ((await bucketOf(database)) !== id) throw notOfDirectory(directory);
    await noteCopies(directory, id);
    return { ...result, ...files };
  } finally {
    await database.destroy();
    bucket.close();
    await held.release();
  }
}

/** Notes the id in a bucket without captures; one that has it is that of a move that was cut off. */
async function expectForMove(bucket: FilePlace, id: string): Promise<void> {
  const noted = await bucket.notedId();
  if (noted === id) return;
  if (noted === null && !(await bucket.hasCaptures())) return bucket.noteId(id);
  throw new StartError(
    "bad-setting",
    "The bucket that AGLENS_BLOBS names has the captures of another catalogue. Give an empty one, or another prefix.",
  );
}

/** Where the catalogue is by now. */
async function withRecords<Result>(
  directory: string,
  database: Database,
  work: (records: AsyncIterable<CaptureRecord>) => Promise<Result>,
): Promise<Result> {
  const catalogue: Pick<StoredCaptures, "ids" | "record" | "close"> = hasFile(directory)
    ? sqliteCaptures(openCatalogueFile(directory))
    : {
        ids: () => postgresCatalogue(database).ids(),
        record: (id) => postgresCatalogue(database).capture(id),
        close: () => Promise.resolve(),
      };
  async function* records(): AsyncGenerator<CaptureRecord> {
    for (const id of await catalogue.ids()) {
      const record = await catalogue.record(id);
      if (record !== null) yield record;
    }
  }
  try {
    return await work(records());
  } finally {
    await catalogue.close();
  }
}

const hasFile = (directory: string): boolean => existsSync(join(directory, SQLITE_FILE));

/** As `moveCatalogue`; of a catalogue that is in PostgreSQL already nothing is to be done. */
async function catalogueMoved(directory: string, database: Database): Promise<MoveResult> {
  if (hasFile(directory)) return fileMoved(directory, database);
  const owners = [await ownerOf(database), await bucketOf(database)];
  if (!owners.includes(await notedId(directory))) throw notOfDirectory(directory);
  const { rows } = await sql<{ captures: number; links: number }>`
    SELECT (SELECT count(*) FROM captures)::int AS captures, (SELECT count(*) FROM links)::int AS links`.execute(
    database,
  );
  return rows[0] ?? { captures: 0, links: 0 };
}

const notOfDirectory = (directory: string): StartError =>
  new StartError(
    "directory-foreign",
    `The catalogue that AGLENS_CATALOGUE names is not that of ${directory}. Set both to those that belong together.`,
  );

async function fileMoved(directory: string, database: Database): Promise<MoveResult> {
  // An earlier version's file gets this one's tables first, and its log becomes part of it.
  openCatalogueFile(directory).close();
  await openSqliteCatalogue(join(directory, SQLITE_FILE)).close();
  const result = await moved(directory, database);
  await rename(join(directory, SQLITE_FILE), join(directory, MOVED_FILE));
  return result;
}

async function moved(directory: string, database: Database): Promise<MoveResult> {
  const file = openCatalogueFile(directory);
  try {
    const noted = await notedId(directory);
    const owner = await ownerOf(database);
    const isDone = owner !== null && owner === noted;
    if (!isDone) {
      await expectEmpty(database, owner);
      const id = await noteId(directory, noted);
      await database.transaction().execute(async (transaction) => {
        await copyAll(file, transaction);
        await claim(transaction, id, directory);
      });
    }
    return { captures: countOf(file, "captures"), links: countOf(file, "links") };
  } finally {
    file.close();
  }
}

async function expectEmpty(database: Database, owner: string | null): Promise<void> {
  const { rows } = await sql`SELECT FROM captures LIMIT 1`.execute(database);
  if (owner === null && rows.length === 0) return;
  throw new StartError(
    "bad-setting",
    "The database that AGLENS_CATALOGUE names has the catalogue of another data directory. Give an empty one.",
  );
}

async function copyAll(from: DatabaseSync, to: Database): Promise<void> {
  for (const row of rowsOf(from, "SELECT id, created, expires, record FROM captures"))
    await sql`INSERT INTO captures (id, created, expires, record)
      VALUES (${row["id"]}, ${row["created"]}, ${row["expires"]}, ${storable(row)})`.execute(to);
  for (const row of rowsOf(from, "SELECT id, captureId, expires, record FROM links"))
    await sql`INSERT INTO links (id, capture_id, expires, record)
      VALUES (${row["id"]}, ${row["captureId"]}, ${row["expires"]}, ${storable(row)})`.execute(to);
  for (const row of rowsOf(from, "SELECT id, plan FROM plans"))
    await sql`INSERT INTO plans (id, plan) VALUES (${row["id"]}, ${row["plan"]})`.execute(to);
  for (const row of rowsOf(from, "SELECT name, value FROM facts"))
    await sql`INSERT INTO facts (name, value) VALUES (${row["name"]}, ${row["value"]})`.execute(to);
  if (!hasTable(from, "audit")) return;
  for (const row of rowsOf(from, "SELECT hash, expires, record FROM sessions"))
    await sql`INSERT INTO sessions (hash, expires, record)
      VALUES (${row["hash"]}, ${row["expires"]}, ${storable(row)})`.execute(to);
  for (const row of rowsOf(from, "SELECT at, personId, person, action, what FROM audit ORDER BY number"))
    await sql`INSERT INTO audit (at, person_id, person, action, what)
      VALUES (${sql.join(Object.values(row).map((text) => String(text).replaceAll("\0", "\uFFFD")))})`.execute(
      to,
    );
}

const rowsOf = (from: DatabaseSync, query: string) => from.prepare(query).iterate();

const storable = (row: Readonly<Record<string, unknown>>): string =>
  storableText(JSON.parse(String(row["record"])) as object);

/** Sessions and audit log are there where people signed in once. */
const hasTable = (from: DatabaseSync, name: string): boolean =>
  from.prepare("SELECT name FROM sqlite_schema WHERE name = ?").get(name) !== undefined;

const countOf = (file: DatabaseSync, table: "captures" | "links"): number =>
  Number(file.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.["count"]);
