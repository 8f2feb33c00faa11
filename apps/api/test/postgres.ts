/** A PostgreSQL server for one test, from Debian's packages or another place of its programs. */
import { execFile, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { expectProgram } from "./programs.ts";

const run = promisify(execFile);
const START_TRIES = 1_200;
/** A user who signs in with a password; all others are trusted. */
const WITH_PASSWORD = "with_password";

/** Folder of `initdb` and `postgres`, the newest version; null when they are not installed. */
export const POSTGRES_PROGRAMS: string | null =
  globSync("/usr/lib/postgresql/*/bin/initdb")
    .toSorted()
    .at(-1)
    ?.replace(/\/initdb$/u, "") ?? null;

export interface TestPostgres {
  /** Makes an empty schema. @returns its address, as AGLENS_CATALOGUE has one */
  newPlace(): Promise<string>;
  /** As `newPlace`, for a user with a password. */
  newPlaceWithPassword(password: string): Promise<string>;
  /** Ends the server at once, as a power cut would, and begins it again. */
  restart(): Promise<void>;
  end(): Promise<void>;
}

/** Starts a server in a folder for temporary files, on a socket there alone. @param found as `POSTGRES_PROGRAMS` */
export async function startPostgres(found: string | null): Promise<TestPostgres> {
  const programs = expectProgram(found, "Debian's package postgresql has PostgreSQL.");
  const folder = await mkdtemp(join(tmpdir(), "aglens-pg-"));
  const data = join(folder, "data");
  const as = await ordinaryUser(folder);
  await run(
    join(programs, "initdb"),
    ["-D", data, "-U", "aglens", "-A", "trust", "-E", "UTF8", "--no-sync"],
    as,
  );
  await writeFile(
    join(data, "pg_hba.conf"),
    `local all ${WITH_PASSWORD} scram-sha-256\nlocal all all trust\n`,
  );
  let server = await started(programs, data, folder, as);
  let count = 0;
  const address = (user: string): string => `postgres://${encodeURIComponent(folder)}/postgres?user=${user}`;
  const ask = (text: string): Promise<void> => asked(address("aglens"), text);
  const newPlaceOf = async (user: string): Promise<string> => {
    const schema = `test_${(count += 1)}`;
    await ask(`CREATE SCHEMA ${schema} AUTHORIZATION ${user}`);
    return `${address(user)}&options=${encodeURIComponent(`-csearch_path=${schema}`)}`;
  };
  await whenReady(() => ask("SELECT 1"));
  await ask(`CREATE ROLE ${WITH_PASSWORD} LOGIN`);
  return {
    newPlace: () => newPlaceOf("aglens"),
    newPlaceWithPassword: async (password) => {
      await ask(`ALTER ROLE ${WITH_PASSWORD} PASSWORD ${pg.escapeLiteral(password)}`);
      return newPlaceOf(WITH_PASSWORD);
    },
    restart: async () => {
      await ended(server);
      server = await started(programs, data, folder, as);
      await whenReady(() => ask("SELECT 1"));
    },
    end: async () => {
      await ended(server);
      await rm(folder, { recursive: true });
    },
  };
}

async function asked(address: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: address });
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

/** PostgreSQL refuses root: a user that every system has runs it then. */
async function ordinaryUser(folder: string): Promise<{ readonly uid?: number; readonly gid?: number }> {
  if (userInfo().uid !== 0) return {};
  const ids = await Promise.all(
    ["-u", "-g"].map(async (which) => Number((await run("id", [which, "nobody"])).stdout)),
  );
  const [uid = 65_534, gid = 65_534] = ids;
  await chown(folder, uid, gid);
  return { uid, gid };
}

async function started(programs: string, data: string, folder: string, as: object): Promise<ChildProcess> {
  const settings = [
    "listen_addresses=",
    `unix_socket_directories=${folder}`,
    "fsync=off",
    "max_connections=60",
  ];
  const server = spawn(
    join(programs, "postgres"),
    ["-D", data, ...settings.flatMap((setting) => ["-c", setting])],
    { ...as, stdio: "ignore" },
  );
  await once(server, "spawn");
  return server;
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  // Immediate shutdown: connections break, and uncommitted data is lost.
  server.kill("SIGQUIT");
  await once(server, "exit");
}

async function whenReady(ask: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (tries === START_TRIES) throw error;
      await pause(50);
    }
  }
}
