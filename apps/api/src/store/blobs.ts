import { constants, createReadStream, renameSync } from "node:fs";
import {
  copyFile,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { join, resolve } from "node:path";
import { problem, type ProblemError } from "@aglens/engine/problems";
import { newId } from "../kernel/identity.ts";
import { writeAll } from "../kernel/write-all.ts";
import type { Checksum } from "./checksum.ts";
import type { ArrivalCell } from "./shared-arrival.ts";
import type { Space } from "./space.ts";
import { syncDirectory } from "../kernel/write-aside.ts";

/** Thrown when a source has more bytes than it may have; nothing is kept. */
export class TooBigError extends Error {
  readonly limit: number;
  constructor(limit: number) {
    super(`More than ${limit} bytes.`);
    this.limit = limit;
  }
}

/** A file being written; it has its name only after `commit`. */
interface FileWriter {
  write(bytes: Uint8Array): Promise<void>;
  /** Bytes written so far. */
  readonly size: number;
  commit(): Promise<void>;
  discard(): Promise<void>;
}

/** Blobs of a capture by their keys, with their checksums where known. */
export type WantedBlobs = Readonly<Record<string, Checksum | undefined>>;

/** A blob in its storage, of which some bytes are read. */
export interface BlobInRanges {
  /** Bytes of all of it. */
  readonly size: number;
  /**
   * Bytes from an offset on, in memory of their own; fewer where the blob is shorter.
   * @throws ProblemError, `files-missing` when the blob does not exist any more
   */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** Blobs that stay at their `Blobs.path` until they are released. */
export interface FetchedBlobs {
  /** Blobs that were requested in ranges and are not there, by key. */
  readonly inRanges: Readonly<Record<string, BlobInRanges>>;
  release(): void;
}

/** A blob on its way to its `Blobs.path`. */
export interface IncomingBlob {
  /** Temporary path of its bytes, until it is complete. */
  readonly path: string;
  /** Number of its bytes that have arrived, for a `SharedArrival`. */
  readonly cell: ArrivalCell;
}

/** Blobs that are read while they arrive, and stay until they are released. */
export interface FollowedBlobs {
  /** Blobs that are not at their `Blobs.path` yet, by key. */
  readonly coming: Readonly<Record<string, IncomingBlob>>;
  /**
   * Keys of blobs that turned out to be damaged or missing after their arrival. Rejects with ProblemError where they
   * cannot be fetched.
   */
  readonly whole: Promise<readonly string[]>;
  /** Whether bytes of some blobs have not arrived yet. */
  isComing(): boolean;
  /** Bytes that have not arrived are not needed any more: the blob counts as missing. */
  stop(): void;
  /** Stops too. */
  release(): void;
}

/** Error for a blob that is read in ranges. */
export const blobGone = (): ProblemError =>
  problem(
    "files-missing",
    "Can't read the events again: an event file of this capture is missing from storage. Upload the files as a new capture, and find the cause of the removal.",
  );

/**
 * Large bytes of captures, addressed by capture and key; keys are created by the API, never by a user. A blob is
 * complete or absent, for every reader and after a power cut; its bytes never change, only the blob of a key. The
 * result of a finished call is there for the next one. Each call can be repeated after a process ended during it.
 */
export interface Blobs {
  /**
   * Writes all of `source`.
   * @param checksum of the bytes, for blobs that may be computed again with other bytes: two that were made at once are
   * both available, each by its checksum
   * @throws TooBigError past `limit` bytes; ProblemError `disk-full` before the disk is full
   */
  receive(
    captureId: string,
    key: string,
    source: AsyncIterable<Uint8Array>,
    limit: number,
    checksum?: Checksum,
  ): Promise<number>;
  /**
   * The same into a path from `aside`: the bytes are on the disk, and no capture has them yet. @throws TooBigError past
   * `limit` bytes
   */
  receiveAside(path: string, source: AsyncIterable<Uint8Array>, limit: number): Promise<number>;
  /**
   * Takes over a file of the data directory by moving it, unless that was done.
   * @param checksum as `receive` has it
   * @returns its bytes, null when the file does not exist
   */
  adopt(captureId: string, key: string, file: string, checksum?: Checksum): Promise<number | null>;
  /** Moves a blob to another capture, unless that was done. @returns its bytes, null when neither has it */
  move(from: string, key: string, to: string): Promise<number | null>;
  /** Copies a blob to another capture, in place of a blob with that key. @throws when the blob does not exist */
  copy(from: string, key: string, to: string, newKey: string): Promise<void>;
  /**
   * Adds a second name, from `aside`, to a file of the data directory. Its bytes must not be changed under that name,
   * only replaced. @returns its bytes
   */
  share(file: string, target: string): Promise<number>;
  /** A path of its own on the disk of the blobs, for a thread that writes a file for `adopt`. */
  aside(): string;
  /** @throws ProblemError `disk-full` when the disk has too little free space */
  expectRoom(): Promise<void>;
  /** Path of the blob while it is fetched, for workers that read it. */
  path(captureId: string, key: string): string;
  /**
   * Brings blobs to their `path`. A missing or damaged blob is no error here: its reader finds it and reports it.
   * @param inRanges blobs of which some bytes are read: they are not brought
   */
  fetch(captureId: string, wanted: WantedBlobs, inRanges?: WantedBlobs): Promise<FetchedBlobs>;
  /**
   * Begins to bring blobs to the place of `path`, and continues after the storage was unavailable for a short time;
   * never rejects.
   */
  follow(captureId: string, wanted: WantedBlobs): Promise<FollowedBlobs>;
  /** Repeats work, a bounded number of times, while the storage is unavailable. @param signal ends the waiting */
  patiently<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
  size(captureId: string, key: string): Promise<number | null>;
  remove(captureId: string, key: string): Promise<void>;
  removeCapture(captureId: string): Promise<void>;
  /** The same, and the capture has no blobs any more when this returns. @returns settles when their space is free */
  removeCaptureSoon(captureId: string): Promise<void>;
  /** Writes a blob again where it differs; does nothing for a capture without blobs. */
  writeInThread(captureId: string, key: string, text: string): Promise<void>;
  /** Keys of a capture's blobs; empty without blobs. */
  keys(captureId: string): Promise<string[]>;
  /**
   * Removes blobs that were stored by their checksum under these keys, have another one, and are complete.
   * @param writtenBefore ms since 1970: later ones may soon be recorded
   */
  removeOthers(captureId: string, named: WantedBlobs, writtenBefore: number): Promise<void>;
  /** Time when each of a capture's blobs was written, ms since 1970, by key. */
  written(captureId: string): Promise<Readonly<Record<string, number>>>;
  /** Ids that have blobs. */
  captures(): Promise<string[]>;
}

/** Folder of the blobs of all captures, a folder for each. */
export const CAPTURES_FOLDER = "captures";

/** Folder of files that are being written; a start empties it. */
export const ASIDE_FOLDER = "incoming";

const SAFE = /^[A-Za-z0-9_.-]{1,80}$/u;

/** So many bytes are written between two looks at the disk. */
const LOOK_BYTES = 16 * 1024 * 1024;

/** Does some work with blobs at their `Blobs.path`. @param inRanges as in `Blobs.fetch`; the work gets them */
export async function withBlobs<Result>(
  blobs: Pick<Blobs, "fetch">,
  captureId: string,
  wanted: WantedBlobs,
  work: (inRanges: FetchedBlobs["inRanges"]) => Promise<Result>,
  inRanges: WantedBlobs = {},
): Promise<Result> {
  const fetched = await blobs.fetch(captureId, wanted, inRanges);
  try {
    return await work(fetched.inRanges);
  } finally {
    fetched.release();
  }
}

/** Files are always where they are. */
const HERE: FetchedBlobs = { inRanges: {}, release: () => {} };
const NONE_COMING: FollowedBlobs = {
  coming: {},
  whole: Promise.resolve([]),
  isComing: () => false,
  stop: () => {},
  release: () => {},
};

/**
 * Blobs as files: written elsewhere, flushed to disk, then renamed, so that a blob is complete or absent.
 * @param kept folder of the blobs, on the disk of the data directory
 */
export async function openBlobs(
  directory: string,
  space: Pick<Space, "expectRoom">,
  kept = resolve(directory, CAPTURES_FOLDER),
): Promise<Blobs> {
  const aside = resolve(directory, ASIDE_FOLDER);
  // Files there were interrupted by the end of an earlier process.
  await rm(aside, { recursive: true, force: true });
  await mkdir(kept, { recursive: true });
  await mkdir(aside, { recursive: true });

  const path = (captureId: string, key: string): string => join(kept, safeName(captureId), safeName(key));

  const create = async (captureId: string, key: string): Promise<FileWriter> => {
    await space.expectRoom();
    const target = path(captureId, key);
    const temporary = join(aside, newId());
    return fileWriter(await open(temporary, "wx"), temporary, target, join(kept, safeName(captureId)), space);
  };

  const size = (captureId: string, key: string): Promise<number | null> =>
    stat(path(captureId, key)).then(
      (found) => found.size,
      () => null,
    );
  const keys = (captureId: string): Promise<string[]> =>
    readdir(join(kept, safeName(captureId))).catch((error: NodeJS.ErrnoException) => {
      unlessMissing(error);
      return [];
    });
  const adopt = async (captureId: string, key: string, file: string): Promise<number | null> => {
    const folder = join(kept, safeName(captureId));
    await mkdir(folder, { recursive: true });
    await syncDirectory(kept);
    await rename(file, path(captureId, key)).catch(unlessMissing);
    await syncDirectory(folder);
    return size(captureId, key);
  };
  const receive: Blobs["receive"] = async (captureId, key, source, limit) =>
    receiveInto(await create(captureId, key), source, limit);
  return {
    path,
    fetch: () => Promise.resolve(HERE),
    follow: () => Promise.resolve(NONE_COMING),
    patiently: (work) => work(),
    receive,
    adopt,
    move: (from, key, to) => adopt(to, key, path(from, key)),
    copy: async (from, key, to, newKey) => {
      await receive(to, newKey, bytesOf(path(from, key)), Number.POSITIVE_INFINITY);
    },
    aside: () => join(aside, newId()),
    expectRoom: () => space.expectRoom(),
    receiveAside: async (target, source, limit) => {
      await space.expectRoom();
      return receiveInto(fileWriter(await open(target, "wx"), target, target, aside, space), source, limit);
    },
    share: async (file, target) => {
      // A second name for the same bytes, where the file system has such.
      await link(file, target).catch(() => copyFile(file, target, constants.COPYFILE_FICLONE));
      return (await stat(target)).size;
    },
    size,
    remove: (captureId, key) => rm(path(captureId, key), { force: true }),
    removeCapture: async (captureId) => {
      // Moved first, so that leftovers of a process that ends by force are swept, and not found as lost files.
      const leaving = join(aside, newId());
      await rename(join(kept, safeName(captureId)), leaving).catch(unlessMissing);
      await rm(leaving, { recursive: true, force: true });
    },
    removeCaptureSoon: (captureId) => {
      const leaving = join(aside, newId());
      try {
        renameSync(join(kept, safeName(captureId)), leaving);
      } catch (error) {
        unlessMissing(error as NodeJS.ErrnoException);
      }
      return rm(leaving, { recursive: true, force: true });
    },
    writeInThread: async (captureId, key, text) => {
      const target = path(captureId, key);
      if ((await readFile(target, "utf8").catch(() => null)) === text) return;
      const temporary = `${target}.new`;
      await writeFile(temporary, text, { flush: true }).catch(unlessMissing);
      await rename(temporary, target).catch(unlessMissing);
    },
    keys,
    // A file has one content.
    removeOthers: () => Promise.resolve(),
    written: async (captureId) => {
      const found: Record<string, number> = {};
      for (const key of await keys(captureId)) {
        // This time also changes when the file is moved there.
        const status = await stat(path(captureId, key)).catch(() => null);
        if (status !== null) found[key] = status.ctimeMs;
      }
      return found;
    },
    captures: () => readdir(kept),
  };
}

/** Writes all of `source`, or nothing. @throws TooBigError past `limit` bytes */
async function receiveInto(
  writer: FileWriter,
  source: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<number> {
  try {
    for await (const bytes of source) {
      if (writer.size + bytes.byteLength > limit) throw new TooBigError(limit);
      await writer.write(bytes);
    }
    await writer.commit();
    return writer.size;
  } catch (error) {
    await writer.discard();
    throw error;
  }
}

/** The file is opened when it is read, so a missing file is an error only then. */
async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path);
}

/** Throws any error but that a file is not there. */
export function unlessMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}

function fileWriter(
  handle: FileHandle,
  temporary: string,
  target: string,
  folder: string,
  space: Pick<Space, "expectRoom">,
): FileWriter {
  let size = 0;
  let lookAt = 0;
  let open = true;
  const close = async (): Promise<void> => {
    if (open) await handle.close();
    open = false;
  };
  return {
    get size() {
      return size;
    },
    write: async (bytes) => {
      size += bytes.byteLength;
      if (size >= lookAt) {
        await space.expectRoom(bytes.byteLength);
        lookAt = size + LOOK_BYTES;
      }
      await writeAll(handle, bytes, size - bytes.byteLength);
    },
    commit: async () => {
      await handle.sync();
      await close();
      await mkdir(folder, { recursive: true });
      await rename(temporary, target);
      await syncDirectory(folder);
    },
    discard: async () => {
      await close();
      await rm(temporary, { force: true });
    },
  };
}

/** @throws where the API would not make a capture's id or a key of it */
export function safeName(name: string): string {
  if (!SAFE.test(name) || name === "." || name === "..") throw new Error("Not a blob name.");
  return name;
}
