/**
 * Space on the disk of the data directory: checked before it is used up, with a reserve so that deletion works on a
 * full disk.
 */
import { closeSync, fsyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { problem, ProblemError } from "@aglens/engine/problems";
import { semaphore } from "../kernel/semaphore.ts";

const RESERVE = "reserve";
/** Enough for thousands of small writes of the catalog, and for its write-ahead log. */
const RESERVE_BYTES = 8 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;
const MOST_KEPT_FREE_BYTES = 500_000_000;
const SHARE_KEPT_FREE = 0.05;
const SQLITE_FULL = 13;
/** The primary result code is in the low byte, https://www.sqlite.org/rescode.html#primary_result_codes_versus_extended_result_codes */
const PRIMARY_CODE = 0xff;
/** The file that readers of the write-ahead log share cannot be made: a full disk, https://www.sqlite.org/rescode.html#ioerr_shmsize */
const SQLITE_IOERR_SHMSIZE = 4874;

/** Bytes of a disk. */
export interface DiskBytes {
  readonly free: number;
  readonly total: number;
}

/** The disk of a directory. Asked synchronously: the system answers from memory. @throws errors of `statfs` */
export function diskOf(directory: string): DiskBytes {
  const { bavail, blocks, bsize } = statfsSync(directory);
  return { free: bavail * bsize, total: blocks * bsize };
}

/** Bytes of a disk that are kept free. @param keepFreeBytes as set; null for 5 % of it, at most 500 MB */
export function keptFreeBytes(total: number, keepFreeBytes: number | null): number {
  return keepFreeBytes ?? Math.min(MOST_KEPT_FREE_BYTES, total * SHARE_KEPT_FREE);
}

/** Space that is being freed: deleting gigabytes takes longer than an answer may wait. */
export interface PendingSpace {
  readonly bytes: number;
  /** Settles when the disk has it. */
  readonly done: Promise<unknown>;
}

export interface Space {
  /**
   * Deletes data (`onShort`) until there is enough space.
   * @param bytes about to be written, where that is known
   * @throws ProblemError `disk-full` when too little would stay free
   */
  expectRoom(bytes?: number): Promise<void>;
  /** @param giveUp called while space is short, one call after the other; null when there is nothing more to delete */
  onShort(giveUp: () => Promise<PendingSpace | null>): void;
  /** Frees the reserve file's bytes for a write on a full disk. @returns false when they were freed already */
  giveReserve(): boolean;
  /** Makes the reserve file again, if it is missing and the disk has room for it. */
  restoreReserve(): void;
}

/**
 * @param keepFreeBytes bytes of the disk that uploads, analyses and live runs leave free; null for 5 % of it, at most 500 MB
 * @param disk asked before each writing
 */
export function openSpace(
  directory: string,
  keepFreeBytes: number | null,
  disk: (directory: string) => DiskBytes = diskOf,
): Space {
  const reserve = join(directory, RESERVE);
  const kept = (total: number): number => keptFreeBytes(total, keepFreeBytes);
  let giveUp = (): Promise<PendingSpace | null> => Promise.resolve(null);
  /** Bytes that are being deleted. Until they are, writers can use the space that is kept free. */
  let coming = 0;
  const giveUpMore = async (): Promise<boolean> => {
    const room = await giveUp();
    if (room === null) return false;
    coming += room.bytes;
    void room.done.finally(() => {
      coming -= room.bytes;
    });
    return true;
  };
  // One after the other: space that is freed for one may be enough for the next.
  const inTurn = semaphore(1);
  const makeRoom = (bytes: number): Promise<void> =>
    inTurn(async () => {
      let { free, total } = disk(directory);
      while (free + coming - bytes < kept(total) && (await giveUpMore())) ({ free, total } = disk(directory));
      if (free + coming - bytes >= kept(total)) return;
      throw problem(
        "disk-full",
        `The disk of the API's data directory has ${megabytes(free)} MB free, and ${megabytes(kept(total))} MB of it are kept free (AGLENS_KEEP_FREE_BYTES). Delete captures or make room on that disk, then try again.`,
      );
    });
  return {
    expectRoom: async (bytes = 0) => {
      const { free, total } = disk(directory);
      if (free + coming - bytes < kept(total)) await makeRoom(bytes);
    },
    onShort: (listener) => {
      giveUp = listener;
    },
    giveReserve: () => {
      if (sizeOf(reserve) === 0) return false;
      rmSync(reserve, { force: true });
      return true;
    },
    restoreReserve: () => {
      if (sizeOf(reserve) >= RESERVE_BYTES || disk(directory).free < 2 * RESERVE_BYTES) return;
      writeReserve(reserve);
    },
  };
}

/** Written, not only sized: a file with holes reserves nothing. */
function writeReserve(path: string): void {
  const file = openSync(path, "w");
  try {
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (let bytes = 0; bytes < RESERVE_BYTES;) bytes += writeSync(file, chunk);
    fsyncSync(file);
  } catch (error) {
    // Another program took the space meanwhile; a smaller reserve is enough.
    if (!isDiskFull(error)) throw error;
  } finally {
    closeSync(file);
  }
}

/** Whether a write failed because the disk is full, as the file system, SQLite or `expectRoom` reports it. */
export function isDiskFull(error: unknown): boolean {
  if (error instanceof ProblemError) return error.problem.code === "disk-full";
  if (typeof error !== "object" || error === null) return false;
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
  if (code === "ENOSPC" || code === "EDQUOT") return true;
  if (typeof errcode !== "number") return false;
  return errcode === SQLITE_IOERR_SHMSIZE || (errcode & PRIMARY_CODE) === SQLITE_FULL;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Rounded down, so that no missing space is shown as free. */
function megabytes(bytes: number): string {
  return Math.floor(bytes / 1e6).toLocaleString("en");
}
