/** Brings the catalog of a data directory from its file to PostgreSQL; the directory's other files stay where they are. */
import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { takeDataDirectory } from "../store/data-directory.ts";
import { StartError } from "../kernel/start-error.ts";
import type { CaptureRecord } from "../store/catalog.ts";
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
} from "../store/postgres/catalog-place.ts";
import { openPostgres } from "../store/postgres/database.ts";
import type { PostgresPlace } from "../store/postgres/database.ts";
import { databaseIn, openSqliteCatalog, SQLITE_FILE } from "../store/sqlite-catalog.ts";
import { storableString, storableText } from "../store/stored-record.ts";
import { RECORD } from "../store/tables.ts";
import type { Database } from "../store/tables.ts";
import { moveFiles } from "./move-files.ts";
import type { MovedFiles } from "./move-files.ts";
import { openCatalogFile } from "./open-stored-captures.ts";
import { storedRecords } from "./stored-captures.ts";

/** The catalog's file is called so once its content is in PostgreSQL. */
export const MOVED_FILE = `${SQLITE_FILE}.moved`;

export interface MoveResult {
  readonly captures: number;
  readonly links: number;
}

/**
 * Copies everything in one transaction and only then puts the file out of the way: a move that is cut off can be begun again, and a
 * directory never has two catalogs.
 * @throws StartError also when AG Lens runs on the directory, or the database has captures
 */
export async function moveCatalog(directory: string, place: PostgresPlace): Promise<MoveResult> {
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
 * Copies all files into a bucket, then does `moveCatalog` unless it was done, and then assigns database and bucket to
 * each other. The directory's files are copies from then on.
 * @param to `s3://BUCKET/PREFIX`
 * @throws StartError also when the bucket has the captures of another catalog
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
    const result = await catalogMoved(directory, database);
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

/** Reads the records where the catalog is by now. */
async function withRecords<Result>(
  directory: string,
  database: Database,
  work: (records: AsyncIterable<CaptureRecord>) => Promise<Result>,
): Promise<Result> {
  if (!hasFile(directory)) return work(recordsIn(database));
  const file = openCatalogFile(directory);
  try {
    return await work(recordsIn(databaseIn(file)));
  } finally {
    file.close();
  }
}

async function* recordsIn(database: Database): AsyncGenerator<CaptureRecord> {
  const captures = storedRecords(database);
  for (const id of await captures.ids()) {
    const record = await captures.record(id);
    if (record !== null) yield record;
  }
}

const hasFile = (directory: string): boolean => existsSync(join(directory, SQLITE_FILE));

/** As `moveCatalog`; does nothing for a catalog that is in PostgreSQL already. */
async function catalogMoved(directory: string, database: Database): Promise<MoveResult> {
  if (hasFile(directory)) return fileMoved(directory, database);
  const owners = [await ownerOf(database), await bucketOf(database)];
  if (!owners.includes(await notedId(directory))) throw notOfDirectory(directory);
  return contentOf(database);
}

const notOfDirectory = (directory: string): StartError =>
  new StartError(
    "directory-foreign",
    `The catalogue that AGLENS_CATALOGUE names is not that of ${directory}. Set both to those that belong together.`,
  );

async function fileMoved(directory: string, database: Database): Promise<MoveResult> {
  // An earlier version's file gets this one's tables first, and its log becomes part of it.
  openCatalogFile(directory).close();
  await openSqliteCatalog(join(directory, SQLITE_FILE)).close();
  const result = await moved(directory, database);
  await rename(join(directory, SQLITE_FILE), join(directory, MOVED_FILE));
  return result;
}

async function moved(directory: string, database: Database): Promise<MoveResult> {
  const file = openCatalogFile(directory);
  try {
    const noted = await notedId(directory);
    const owner = await ownerOf(database);
    const isDone = owner !== null && owner === noted;
    if (!isDone) {
      await expectEmpty(database, owner);
      const id = await noteId(directory, noted);
      await database.transaction().execute(async (transaction) => {
        await copyAll(databaseIn(file), transaction);
        await claim(transaction, id, directory);
      });
    }
    return await contentOf(databaseIn(file));
  } finally {
    file.close();
  }
}

async function expectEmpty(database: Database, owner: string | null): Promise<void> {
  if (owner === null && (await contentOf(database)).captures === 0) return;
  throw new StartError(
    "bad-setting",
    "The database that AGLENS_CATALOGUE names has the catalogue of another data directory. Give an empty one.",
  );
}

async function contentOf(database: Database): Promise<MoveResult> {
  const count = async (table: "captures" | "links"): Promise<number> => {
    const query = database.selectFrom(table).select(({ fn }) => fn.countAll().as("count"));
    return Number((await query.executeTakeFirstOrThrow()).count);
  };
  return { captures: await count("captures"), links: await count("links") };
}

async function copyAll(from: Database, to: Database): Promise<void> {
  const captures = from.selectFrom("captures").select(["id", "created", "expires", RECORD]);
  for await (const row of captures.stream()) await to.insertInto("captures").values(storable(row)).execute();
  const links = from.selectFrom("links").select(["id", "capture_id", "expires", RECORD]);
  for await (const row of links.stream()) await to.insertInto("links").values(storable(row)).execute();
  for await (const row of from.selectFrom("plans").selectAll().stream())
    await to.insertInto("plans").values(row).execute();
  for await (const row of from.selectFrom("facts").selectAll().stream())
    await to.insertInto("facts").values(row).execute();
  for await (const row of from.selectFrom("sessions").select(["hash", "expires", RECORD]).stream())
    await to.insertInto("sessions").values(storable(row)).execute();
  const watches = from.selectFrom("watch_rows").select(["watch", "kind", "key", RECORD]);
  for await (const row of watches.stream()) await to.insertInto("watch_rows").values(storable(row)).execute();
  const audit = from.selectFrom("audit").select(["at", "person_id", "person", "action", "what"]);
  for await (const row of audit.orderBy("number").stream())
    await to.insertInto("audit").values(storableTexts(row)).execute();
}

function storableTexts<Row extends Readonly<Record<string, string>>>(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([name, text]) => [name, storableString(text)])) as Row;
}

const storable = <Row extends { readonly record: string }>(row: Row): Row => ({
  ...row,
  record: storableText(JSON.parse(row.record) as object),
});
