/** The directory that contains all data of the API, and the lock that allows one process at a time. */
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StartError } from "../kernel/start-error.ts";
import { CATALOG_NOTE } from "./catalog-note.ts";
import { writeAside } from "../kernel/write-aside.ts";

/** Layout of the directory; the catalog in it has versions of its own (`store/sqlite-format.ts`). */
const DIRECTORY_FORMAT = 1;

const MARK = "format.json";
const LOCK = "lock";
const HOLDER = "holder.json";
const SQLITE_BUSY = 5;

export interface DataDirectory {
  readonly path: string;
  /** Releases the directory. The end of the process does that too, also an end by force. */
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
 * Locks the directory for this process, and creates it if it is missing; nothing else in it is read or changed. Other
 * accounts of the machine can't read it from then on.
 *
 * The lock is an exclusive SQLite transaction on a file of its own: the operating system releases it when the process
 * ends, so that no lock is ever left.
 * @throws StartError `directory-in-use`, with the process that has it, `directory-foreign`, `directory-newer` or
 * `directory-unusable`
 */
export async function takeDataDirectory(path: string): Promise<DataDirectory> {
  await refuseForeign(path);
  await refuseNewer(path);
  await mkdir(path, { recursive: true, mode: PRIVATE }).catch((error: Error) => {
    throw unusable(path, error);
  });
  const lock = await lockIn(path);
  await closeToOthers(path);
  // Unmarked, it is of the first format: a full disk must not keep this process from starting.
  await writeAside(join(path, MARK), JSON.stringify({ program: "AG Lens", format: DIRECTORY_FORMAT })).catch(
    () => {},
  );
  const holder: Holder = { process: process.pid, host: hostname(), since: new Date().toISOString() };
  // The file is only for the sentence of another process: a full disk must not prevent the start of this one.
  await writeFile(join(path, HOLDER), JSON.stringify(holder)).catch(() => {});
  return {
    path,
    release: async () => {
      await rm(join(path, HOLDER), { force: true });
      lock.close();
    },
  };
}

/** Permissions of the owner alone. */
const PRIVATE = 0o700;
const ANYBODY = 0o007;
/** Bit of directories that all accounts share, such as /tmp. */
const STICKY = 0o1000;

/**
 * Earlier versions made a directory that all accounts of the machine could read. One that only a group may read stays as it is: an
 * operator chose it. One of another owner can't be changed, and new files in it are private by themselves (umask).
 */
async function closeToOthers(path: string): Promise<void> {
  const { mode } = await stat(path);
  if ((mode & ANYBODY) === 0 || (mode & STICKY) !== 0) return;
  await chmod(path, PRIVATE).catch(() => {});
}

/** Folders that AG Lens reads, sweeps or moves at its start. */
const OWN_FOLDERS = ["captures", "dataset", "incoming", "live", "uploads"];
const OWN_FILES = [MARK, LOCK, "catalogue.sqlite", CATALOG_NOTE];

/** A folder that contains such folders without AG Lens's mark contains files of another program. */
async function refuseForeign(path: string): Promise<void> {
  const entries = await readdir(path).catch((): string[] => []);
  const foreign = OWN_FOLDERS.find((name) => entries.includes(name));
  if (foreign === undefined || OWN_FILES.some((name) => entries.includes(name))) return;
  throw new StartError(
    "directory-foreign",
    `${path} has a folder ${foreign} but was never a data directory of AG Lens. Set AGLENS_DATA to an empty directory.`,
  );
}

/** This version must not sweep or move data that a later version stores in another format. */
async function refuseNewer(path: string): Promise<void> {
  const format = await formatOf(path);
  if (format <= DIRECTORY_FORMAT) return;
  throw new StartError(
    "directory-newer",
    `The data directory ${path} was written by a later AG Lens (format ${format}; this one has ${DIRECTORY_FORMAT}). Start that one, or set AGLENS_DATA to another directory.`,
  );
}

/** The first format for a directory without a mark, or with one that was cut off. */
async function formatOf(path: string): Promise<number> {
  try {
    const { format } = JSON.parse(await readFile(join(path, MARK), "utf8")) as { readonly format?: unknown };
    return typeof format === "number" ? format : DIRECTORY_FORMAT;
  } catch {
    return DIRECTORY_FORMAT;
  }
}

/** The error as a reason not to start, where it is the file system's; null for a fault of the program. */
export function unusableDirectory(path: string, error: unknown): StartError | null {
  if (!(error instanceof Error)) return null;
  const { code, errcode } = error as { readonly code?: string; readonly errcode?: number };
  const isFileSystem = code !== undefined && FILE_SYSTEM_ERRORS.has(code);
  return isFileSystem || errcode !== undefined ? unusable(path, error) : null;
}

const FILE_SYSTEM_ERRORS: ReadonlySet<string> = new Set([
  "EACCES",
  "EDQUOT",
  "EEXIST",
  "EIO",
  "EISDIR",
  "ENOENT",
  "ENOSPC",
  "ENOTDIR",
  "EPERM",
  "EROFS",
]);

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
