/** The directory that holds everything the API keeps, and the lock that gives it to one process at a time. */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StartError } from "./start-error.ts";

const LOCK = "lock";
const HOLDER = "holder.json";
const SQLITE_BUSY = 5;

export interface DataDirectory {
  readonly path: string;
  /** Gives the directory free. The end of the process does that too, also an end by force. */
  release(): Promise<void>;
}

/** The process that has the directory, for the sentence that another one gets. */
interface Holder {
  readonly process: number;
  readonly host: string;
  /** UTC, ISO 8601. */
  readonly since: string;
}

/**
 * Takes the directory for this process, and makes it if it is not there; nothing else in it is read or changed.
 *
 * The lock is an exclusive SQLite transaction on a file of its own: the operating system takes it away from a process that
 * ends, so that no lock is ever left behind.
 * @throws StartError `directory-in-use`, with who has it, `directory-foreign` or `directory-unusable`
 */
export async function takeDataDirectory(path: string): Promise<DataDirectory> {
  await refuseForeign(path);
  await mkdir(path, { recursive: true }).catch((error: Error) => {
    throw unusable(path, error);
  });
  const lock = await lockIn(path);
  const holder: Holder = { process: process.pid, host: hostname(), since: new Date().toISOString() };
  // Only for the sentence that another process gets: a full disk must not keep this one from starting.
  await writeFile(join(path, HOLDER), JSON.stringify(holder)).catch(() => {});
  return {
    path,
    release: async () => {
      await rm(join(path, HOLDER), { force: true });
      lock.close();
    },
  };
}

/** What AG Lens reads, sweeps or moves at its start. */
const OWN_FOLDERS = ["captures", "incoming", "live"];
const OWN_FILES = [LOCK, "catalogue.sqlite"];

/** A folder with such folders that AG Lens never had holds somebody else's files. */
async function refuseForeign(path: string): Promise<void> {
  const entries = await readdir(path).catch((): string[] => []);
  const foreign = OWN_FOLDERS.find((name) => entries.includes(name));
  if (foreign === undefined || OWN_FILES.some((name) => entries.includes(name))) return;
  throw new StartError(
    "directory-foreign",
    `${path} has a folder ${foreign} but was never a data directory of AG Lens. Set AGLENS_DATA to an empty directory.`,
  );
}

async function lockIn(path: string): Promise<DatabaseSync> {
  let lock: DatabaseSync | null = null;
  try {
    lock = new DatabaseSync(join(path, LOCK));
    lock.exec("BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock?.close();
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw unusable(path, error as Error);
    throw new StartError(
      "directory-in-use",
      `The data directory ${path} is in use by ${await holderOf(path)}. End that one, or set AGLENS_DATA to another directory.`,
    );
  }
}

async function holderOf(path: string): Promise<string> {
  try {
    const { process, host, since } = JSON.parse(await readFile(join(path, HOLDER), "utf8")) as Holder;
    return `AG Lens, process ${process} on ${host}, since ${since}`;
  } catch {
    // It took the lock this moment and has not written down yet who it is.
    return "another AG Lens";
  }
}

function unusable(path: string, { message }: Error): StartError {
  return new StartError(
    "directory-unusable",
    `The data directory ${path} cannot be used: ${message}. Set AGLENS_DATA to a directory that this user may write.`,
  );
}
