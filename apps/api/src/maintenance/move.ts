/** Brings the catalogue of a data directory from its file to PostgreSQL; the directory's other files stay where they are. */
import { rename } from "node:fs/promises";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { takeDataDirectory } from "../data-directory.ts";
import { StartError } from "../start-error.ts";
import { claim, notedId, noteId, ownerOf } from "../store/postgres/catalogue-place.ts";
import { openPostgres } from "../store/postgres/database.ts";
import type { Database, PostgresPlace } from "../store/postgres/database.ts";
import { openSqliteCatalogue, SQLITE_FILE } from "../store/sqlite-catalogue.ts";
import { storableText } from "../store/stored-record.ts";
import { openCatalogueFile } from "./stored-captures.ts";

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
    // An earlier version's file gets this one's tables first, and its log becomes part of it.
    openCatalogueFile(directory).close();
    await openSqliteCatalogue(join(directory, SQLITE_FILE)).close();
    const result = await moved(directory, database);
    await rename(join(directory, SQLITE_FILE), join(directory, MOVED_FILE));
    return result;
  } finally {
    await database.destroy();
    await held.release();
  }
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
