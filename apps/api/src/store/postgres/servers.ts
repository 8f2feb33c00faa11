/** The servers on one catalog: the running ones, and work that one of them does for all. Times are the database's. */
import { sql } from "kysely";
import { newId } from "../../kernel/identity.ts";
import { StartError } from "../../kernel/start-error.ts";
import type { SeenServer } from "../other-servers.ts";
import type { Database } from "../tables.ts";

/** Facts about this server for the others. */
export interface OwnServer {
  /** No two that run have the same. */
  readonly name: string;
  /**
   * Id of its data directory, which one process has at a time: a process with the same id is the same server, started
   * again.
   */
  readonly home: string;
  /** Version of the program. */
  readonly version: string;
}

export interface Servers {
  /** Sorted by name, with servers that ended by force within the last week. */
  readonly list: () => Promise<SeenServer[]>;
  /**
   * Does some work unless another server is doing it; a server that is not seen any more does not count. The work must
   * also be safe if two servers do it: a server that stalled may continue with it.
   * @returns whether it was done
   */
  readonly alone: (duty: string, work: () => Promise<void>) => Promise<boolean>;
  /** Takes this one off the list. */
  readonly close: () => Promise<void>;
}

const SEEN_EVERY_MS = 5_000;
/** A server without a sign of life for so long has ended, or cannot reach the database. */
const ENDED = sql.raw("interval '30 seconds'");
const FORGOTTEN = sql.raw("interval '7 days'");

/**
 * Adds this server to the list and renews its entry.
 * @param onFailed called with the reason when that fails
 * @throws StartError where another server has its name
 */
export async function openServers(
  database: Database,
  own: OwnServer,
  onFailed: (error: Error) => void,
): Promise<Servers> {
  const process = newId();
  await sql`DELETE FROM servers WHERE seen < now() - ${FORGOTTEN}`.execute(database);
  if (!(await isTaken(database, own, process))) {
    throw new StartError(
      "bad-setting",
      `Another server that uses the same catalogue is called ${own.name}. Set AGLENS_SERVER_NAME to a name of its own.`,
    );
  }
  let beat: Promise<void> = Promise.resolve();
  const beats = setInterval(() => {
    beat = isTaken(database, own, process)
      .then((isOwn) => {
        if (!isOwn) onFailed(new Error(`another server has taken the name ${own.name}`));
      })
      .catch(onFailed);
  }, SEEN_EVERY_MS).unref();
  /** Work that this process is doing: its row of the table may be left over from work whose end it could not store. */
  const under = new Set<string>();
  return {
    list: () => list(database, process),
    close: async () => {
      clearInterval(beats);
      await beat;
      await sql`DELETE FROM servers WHERE process = ${process}`.execute(database);
    },
    alone: async (duty, work) => {
      if (under.has(duty)) return false;
      under.add(duty);
      try {
        if (!(await beginDuty(database, process, duty))) return false;
        try {
          await work();
        } finally {
          await endDuty(database, process, duty);
        }
        return true;
      } finally {
        under.delete(duty);
      }
    },
  };
}

/** Takes the name, or renews its entry. @returns false where another running server has it */
async function isTaken(
  database: Database,
  { name, home, version }: OwnServer,
  process: string,
): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO servers AS present (name, home, process, version) VALUES (${name}, ${home}, ${process}, ${version})
    ON CONFLICT (name) DO UPDATE SET home = excluded.home, process = excluded.process, version = excluded.version, seen = now(),
      started = CASE WHEN present.process = excluded.process THEN present.started ELSE now() END
    WHERE present.home = excluded.home OR present.seen < now() - ${ENDED}
    RETURNING name`.execute(database);
  return rows.length > 0;
}

interface ServerRow {
  readonly name: string;
  readonly version: string;
  readonly started: Date;
  readonly unseen_ms: number;
  readonly is_running: boolean;
  readonly process: string;
}

async function list(database: Database, own: string): Promise<SeenServer[]> {
  const { rows } = await sql<ServerRow>`
    SELECT name, version, started, process, seen >= now() - ${ENDED} AS is_running,
      (extract(epoch FROM now() - seen) * 1000)::float8 AS unseen_ms
    FROM servers ORDER BY name`.execute(database);
  return rows.map(({ name, version, started, unseen_ms: unseenMs, is_running: isRunning, process }) => ({
    name,
    version,
    started: started.toISOString(),
    unseenMs,
    isRunning,
    isThis: process === own,
  }));
}

/** @returns false where another server is at it */
async function beginDuty(database: Database, process: string, duty: string): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO duties AS present (name, process) VALUES (${duty}, ${process})
    ON CONFLICT (name) DO UPDATE SET process = excluded.process
    WHERE present.process = excluded.process OR NOT EXISTS (SELECT FROM servers WHERE servers.process = present.process AND seen >= now() - ${ENDED})
    RETURNING name`.execute(database);
  return rows.length > 0;
}

async function endDuty(database: Database, process: string, duty: string): Promise<void> {
  await sql`DELETE FROM duties WHERE name = ${duty} AND process = ${process}`.execute(database);
}
