/** The connection to PostgreSQL. */
import { readFile } from "node:fs/promises";
import { Kysely, PostgresDialect, sql } from "kysely";
import { Migrator } from "kysely/migration";
import pg from "pg";
import { StartError } from "../../kernel/start-error.ts";
import { CatalogUnreachableError } from "../catalog.ts";
import type { Database } from "../tables.ts";
import { MIGRATIONS } from "./migrations.ts";
import { reachablePool } from "./reachable.ts";

export interface PostgresPlace {
  /** postgres://USER@HOST:PORT/DATABASE, with the options of libpq, without the password. */
  readonly url: string;
  readonly passwordFile: string | null;
}

/** Connections of one server; more would only wait for the database's processors. */
const MOST_CONNECTIONS = 10;
const CONNECT_MS = 10_000;
/** No call takes long; a longer one waits in vain. */
const STATEMENT_MS = 60_000;

const VERSIONS = "aglens_versions";

/**
 * Connects and migrates the tables to this version; one of several servers that start at once does it.
 * @param onLost called for connections that broke, maybe twice for one; the next call makes new ones
 * @throws StartError
 */
export async function openPostgres(place: PostgresPlace, onLost: (error: Error) => void): Promise<Database> {
  const pool = new pg.Pool({ ...(await connectionTo(place)), max: MOST_CONNECTIONS });
  pool.on("error", onLost);
  // Between two statements of a transaction no other code listens to the connection, and an error without a listener
  // ends the process.
  pool.on("connect", (client) => client.on("error", onLost));
  const database: Database = new Kysely({ dialect: new PostgresDialect({ pool: reachablePool(pool) }) });
  try {
    await refuseNewer(database);
    await bringUpToDate(database);
    return database;
  } catch (error) {
    await database.destroy();
    throw startErrorOf(error instanceof CatalogUnreachableError ? error.cause : error, place.url);
  }
}

/** Settings for a connection. @throws StartError */
export async function connectionTo({ url, passwordFile }: PostgresPlace): Promise<pg.ClientConfig> {
  return {
    connectionString: passwordFile === null ? url : withPassword(url, await passwordIn(passwordFile)),
    application_name: "aglens",
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    keepAlive: true,
  };
}

/**
 * The password is part of the address, because the address has priority over pg's other settings, also where it has no
 * password.
 */
function withPassword(address: string, password: string): string {
  const url = new URL(address);
  url.searchParams.set("password", password);
  return url.href;
}

async function passwordIn(path: string): Promise<string> {
  try {
    return (await readFile(path, "utf8")).trimEnd();
  } catch (error) {
    throw new StartError(
      "bad-setting",
      `AGLENS_CATALOGUE_PASSWORD_FILE cannot be read: ${(error as Error).message}.`,
    );
  }
}

async function bringUpToDate(database: Database): Promise<void> {
  // Other schemas of the database may have tables of the same names.
  const { rows } = await sql<{ schema: string | null }>`SELECT current_schema() AS schema`.execute(database);
  const schema = rows[0]?.schema;
  if (schema == null) {
    throw new StartError(
      "bad-setting",
      "The search path of AGLENS_CATALOGUE's user has no schema that exists: its tables have no place.",
    );
  }
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: () => Promise.resolve({ ...MIGRATIONS }) },
    migrationTableName: VERSIONS,
    migrationTableSchema: schema,
    migrationLockTableName: `${VERSIONS}_lock`,
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

/** This version must not write data that a later version stores in another format. */
async function refuseNewer(database: Database): Promise<void> {
  const there = await sql<{ found: string | null }>`SELECT to_regclass(${VERSIONS}) AS found`.execute(
    database,
  );
  if (there.rows[0]?.found == null) return;
  const { rows } = await sql<{ name: string }>`SELECT name FROM ${sql.table(VERSIONS)}`.execute(database);
  const later = rows.find(({ name }) => !(name in MIGRATIONS));
  if (later === undefined) return;
  throw new StartError(
    "directory-newer",
    `The catalogue in PostgreSQL was written by a later AG Lens (version ${later.name} of its tables). Start that one, or set AGLENS_CATALOGUE to another database.`,
  );
}

/** Conditions that no restart mends: login, database or permission, https://www.postgresql.org/docs/current/errcodes-appendix.html */
const SETTING_WRONG = /^(?:28|3D|3F|42501)/u;

const PASSWORD_WRONG = "28P01";
/** Message of the driver, which has no code, when the database requires a password. */
const PASSWORD_MISSING = /client password must be/u;

function startErrorOf(error: unknown, url: string): unknown {
  if (error instanceof StartError || !(error instanceof Error)) return error;
  const { code } = error as { readonly code?: unknown };
  const isMissing = PASSWORD_MISSING.test(error.message);
  if (isMissing || code === PASSWORD_WRONG) {
    const what = isMissing ? "it asks for a password" : messageOf(error);
    return new StartError(
      "bad-setting",
      `The catalogue at ${placeOf(url)} cannot be used: ${what}. AGLENS_CATALOGUE_PASSWORD_FILE names the file with the password.`,
    );
  }
  const isWrong = typeof code === "string" && SETTING_WRONG.test(code);
  return new StartError(
    isWrong ? "bad-setting" : "catalogue-unreachable",
    `The catalogue at ${placeOf(url)} cannot be used: ${messageOf(error)}.`,
  );
}

/** The message of the first address, if several were tried. */
function messageOf(error: Error): string {
  const [first] = error instanceof AggregateError ? (error.errors as readonly Error[]) : [];
  return (first?.message ?? error.message).replace(/\.$/u, "");
}

/** Host and path, without the other parts of the address. */
function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${decodeURIComponent(host)}${pathname}`;
}
