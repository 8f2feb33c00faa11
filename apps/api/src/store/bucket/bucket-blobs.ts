/**
 * Blobs in a bucket, for several servers. The bucket is the record; blobs that were read or written recently are also
 * on this machine's disk, where threads read them. An object's name is `captures/CAPTURE/KEY`, or
 * `captures/CAPTURE/KEY!SHA256` where its checksum was known when it was stored: two servers that compute the same data
 * differently do not overwrite each other's, and a record finds the object that it names.
 */
import { rm, stat } from "node:fs/promises";
import { buffer as bytesOf, text as textOf } from "node:stream/consumers";
import { semaphore } from "../../kernel/semaphore.ts";
import { blobGone, safeName } from "../blobs.ts";
import type { BlobInRanges, Blobs, IncomingBlob, WantedBlobs } from "../blobs.ts";
import type { Checksum } from "../checksum.ts";
import type { Bucket, ByteRange, ObjectLine } from "./bucket.ts";
import type { BlobCache } from "./blob-cache.ts";
import { patiently } from "../patience.ts";
import { SharedArrival } from "../shared-arrival.ts";
import { Downloads } from "./downloads.ts";
import { ReadPieces } from "./read-pieces.ts";

const FOLDER = "captures/";
/** In no key. */
const MARK = "!";
/** Objects that are fetched at once for one request. */
const FETCHED_AT_ONCE = 4;

interface BucketBlobsParts {
  readonly bucket: Bucket;
  /** Blobs as files of this machine, which are the cache. */
  readonly files: Blobs;
  readonly cache: BlobCache;
  /** For a bucket that is away for a short while, as `patiently` has them. */
  readonly waitsMs?: readonly number[] | undefined;
}

export interface BucketBlobs extends Blobs {
  /** Removes this machine's copies of a capture's blobs: another server removed the blobs. */
  removeCopies(captureId: string): Promise<void>;
}

/** Name of the folder of a capture's objects. */
export const folderOf = (captureId: string): string => `${FOLDER}${safeName(captureId)}/`;

/** Name of the object with a blob's bytes. */
export const nameOf = (captureId: string, key: string, sha256?: string): string =>
  `${folderOf(captureId)}${safeName(key)}${sha256 === undefined ? "" : MARK + sha256}`;

/** The key in an object's name. */
export const keyOf = (name: string): string => name.slice(name.lastIndexOf("/") + 1).split(MARK, 1)[0] ?? "";

/** Part after the key in an object's name. */
const markOf = (name: string): string | undefined => name.split(MARK, 2)[1];

export function bucketBlobs({ bucket, files, cache, waitsMs }: BucketBlobsParts): BucketBlobs {
  const pieces = new ReadPieces();
  /** All objects of a key: those of several analyses. The newest is last. */
  const objectsOf = async (captureId: string, key: string): Promise<ObjectLine[]> => {
    const all = await bucket.list(nameOf(captureId, key));
    return all.filter(({ name }) => keyOf(name) === key).toSorted((a, b) => a.storedAt - b.storedAt);
  };

  const size = async (captureId: string, key: string): Promise<number | null> =>
    (await objectsOf(captureId, key)).at(-1)?.bytes ?? null;

  /** Stores a file of this machine, which becomes the cache's. */
  const store = async (
    captureId: string,
    key: string,
    path: string,
    bytes: number,
    sha256: string | undefined,
  ): Promise<void> => {
    await bucket.putFile(nameOf(captureId, key, sha256), path, bytes);
    await files.adopt(captureId, key, path);
    cache.came(captureId, key, bytes, sha256);
  };

  /**
   * The bytes under a key, or some of them: the object with their checksum, else the one without a checksum, else the
   * newest. Null when no object exists.
   */
  const open = async (
    captureId: string,
    key: string,
    sha256: string | undefined,
    range?: ByteRange,
  ): Promise<AsyncIterable<Uint8Array> | null> => {
    const named = sha256 === undefined ? null : await bucket.get(nameOf(captureId, key, sha256), range);
    const plain = named ?? (await bucket.get(nameOf(captureId, key), range));
    if (plain !== null || sha256 !== undefined) return plain;
    const newest = (await objectsOf(captureId, key)).at(-1);
    return newest === undefined ? null : bucket.get(newest.name, range);
  };

  const downloads = new Downloads({
    open: ({ captureId, key, expected }, offset) =>
      open(captureId, key, expected?.sha256, offset === 0 ? undefined : { offset }),
    files,
    cache,
    waitsMs,
  });

  const bringAll = async (captureId: string, wanted: WantedBlobs): Promise<void> => {
    const inTurn = semaphore(FETCHED_AT_ONCE);
    const ends = await Promise.allSettled(
      Object.entries(wanted).map(([key, expected]) =>
        inTurn(() => downloads.bring({ captureId, key, expected })),
      ),
    );
    const failure = ends.find((end) => end.status === "rejected");
    if (failure !== undefined) throw failure.reason;
  };

  /** A blob that is not on this disk; null when the bucket does not have it. */
  const inRanges = async (
    captureId: string,
    key: string,
    expected: Checksum | undefined,
  ): Promise<BlobInRanges | null> => {
    const bytes = expected?.bytes ?? (await size(captureId, key));
    if (bytes === null) return null;
    return pieces.blob(nameOf(captureId, key, expected?.sha256), bytes, async (range) => {
      const source = await open(captureId, key, expected?.sha256, range);
      if (source === null) throw blobGone();
      return bytesOf(source);
    });
  };

  const thoseInRanges = async (
    captureId: string,
    wanted: WantedBlobs,
  ): Promise<Record<string, BlobInRanges>> => {
    const found: Record<string, BlobInRanges> = {};
    for (const [key, expected] of Object.entries(wanted)) {
      if (await cache.has(captureId, key, expected)) continue;
      const blob = await inRanges(captureId, key, expected);
      if (blob !== null) found[key] = blob;
    }
    return found;
  };

  const fetch: Blobs["fetch"] = async (captureId, wanted, wantedInRanges = {}) => {
    const release = cache.use(captureId, Object.keys({ ...wanted, ...wantedInRanges }));
    try {
      await bringAll(captureId, wanted);
      return { inRanges: await thoseInRanges(captureId, wantedInRanges), release };
    } catch (error) {
      release();
      throw error;
    }
  };

  const follow: Blobs["follow"] = async (captureId, wanted) => {
    const release = cache.use(captureId, Object.keys(wanted));
    const stopping = new AbortController();
    const inTurn = semaphore(FETCHED_AT_ONCE);
    const coming: Record<string, IncomingBlob> = {};
    const ends: Promise<string[]>[] = [];
    const lacking: (() => boolean)[] = [];
    for (const [key, expected] of Object.entries(wanted)) {
      if (await cache.has(captureId, key, expected)) continue;
      const follower = { arrival: new SharedArrival(), path: files.aside(), signal: stopping.signal };
      coming[key] = { path: follower.path, cell: follower.arrival.cell };
      lacking.push(() => follower.arrival.lacks(expected?.bytes ?? Number.POSITIVE_INFINITY));
      const end = inTurn(() => downloads.follow({ captureId, key, expected }, follower));
      ends.push(end.then((isSound) => (isSound ? [] : [key])));
    }
    const whole = Promise.all(ends).then((unsound) => unsound.flat());
    // Callers that wait for `whole` get the error.
    whole.catch(() => {});
    return {
      coming,
      whole,
      isComing: () => lacking.some((lacks) => lacks()),
      stop: () => stopping.abort(),
      release: () => {
        stopping.abort();
        release();
      },
    };
  };

  const copyAll = async (from: string, key: string, to: string, newKey: string): Promise<ObjectLine[]> => {
    const objects = await objectsOf(from, key);
    for (const object of objects) await bucket.copy(object, nameOf(to, newKey, markOf(object.name)));
    return objects;
  };

  const remove = async (captureId: string, key: string): Promise<void> => {
    const objects = await objectsOf(captureId, key);
    await bucket.remove(objects.map(({ name }) => name));
    await downloads.stop(captureId, key);
    await files.remove(captureId, key);
  };

  const removeObjects = async (captureId: string): Promise<void> => {
    const objects = await bucket.list(folderOf(captureId));
    await bucket.remove(objects.map(({ name }) => name));
  };

  const keys = async (captureId: string): Promise<string[]> => {
    const objects = await bucket.list(folderOf(captureId));
    return [...new Set(objects.map(({ name }) => keyOf(name)))];
  };

  const forget = (captureId: string): void => {
    cache.forget(captureId);
    pieces.forget(folderOf(captureId));
  };

  const removeCopies = async (captureId: string): Promise<void> => {
    await downloads.stop(captureId);
    forget(captureId);
    await files.removeCapture(captureId);
  };

  return {
    // Paths, free space and unfinished files are of this machine.
    ...files,
    fetch,
    follow,
    patiently: (work, signal) => patiently(work, signal, waitsMs),
    size,
    keys,
    remove,
    receive: async (captureId, key, source, limit, checksum) => {
      safeName(key);
      const aside = files.aside();
      try {
        const bytes = await files.receiveAside(aside, source, limit);
        await store(captureId, key, aside, bytes, checksum?.sha256);
        return bytes;
      } finally {
        await rm(aside, { force: true });
      }
    },
    adopt: async (captureId, key, file, checksum) => {
      const found = await stat(file).catch(() => null);
      // It was done before.
      if (found === null) return size(captureId, key);
      await store(captureId, key, file, found.size, checksum?.sha256);
      return found.size;
    },
    move: async (from, key, to) => {
      const moved = await copyAll(from, key, to, key);
      if (moved.length === 0) return size(to, key);
      await bucket.remove(moved.map(({ name }) => name));
      await files.move(from, key, to);
      return moved.at(-1)?.bytes ?? null;
    },
    copy: async (from, key, to, newKey) => {
      const copied = await copyAll(from, key, to, newKey);
      if (copied.length === 0) throw new Error("There is no such blob to copy.");
      await files.remove(to, newKey);
    },
    removeCapture: async (captureId) => {
      await removeObjects(captureId);
      await removeCopies(captureId);
    },
    removeCopies,
    removeCaptureSoon: async (captureId) => {
      forget(captureId);
      await Promise.all([files.removeCaptureSoon(captureId), removeObjects(captureId)]);
      // Removes copies that arrived meanwhile.
      await removeCopies(captureId);
    },
    writeInThread: async (captureId, key, text) => {
      const name = nameOf(captureId, key);
      const before = await bucket.get(name);
      if (before !== null && (await textOf(before)) === text) return;
      if ((await keys(captureId)).length === 0) return;
      await bucket.put(name, Buffer.from(text));
      await files.remove(captureId, key);
    },
    removeOthers: async (captureId, named, writtenBefore) => {
      const others = (await bucket.list(folderOf(captureId))).filter(({ name, storedAt }) => {
        const wanted = named[keyOf(name)];
        const mark = markOf(name);
        return wanted && mark !== undefined && mark !== wanted.sha256 && storedAt < writtenBefore;
      });
      await bucket.remove(others.map(({ name }) => name));
    },
    written: async (captureId) => {
      const found: Record<string, number> = {};
      for (const { name, storedAt } of await bucket.list(folderOf(captureId)))
        found[keyOf(name)] = Math.max(storedAt, found[keyOf(name)] ?? 0);
      return found;
    },
    captures: () => bucket.folders(FOLDER),
  };
}
