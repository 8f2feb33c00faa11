/** Blobs of a bucket on their way to this machine's disk. */
import { createHash, type Hash } from "node:crypto";
import { rm } from "node:fs/promises";
import { blobGone } from "../blobs.ts";
import type { Blobs } from "../blobs.ts";
import type { Checksum } from "../checksum.ts";
import { isUnreachable, patiently } from "../patience.ts";
import type { SharedArrival } from "../shared-arrival.ts";
import type { BlobCache } from "./blob-cache.ts";

/** A blob, with its checksum where known. */
export interface BlobToBring {
  readonly captureId: string;
  readonly key: string;
  readonly expected: Checksum | undefined;
}

/** Reader of a blob while it arrives. */
export interface Follower {
  readonly arrival: SharedArrival;
  /** Temporary path of its bytes, from `Blobs.aside`. */
  readonly path: string;
  readonly signal: AbortSignal;
}

/** The bytes of a blob from an offset on; null when it does not exist. */
export type OpenBlob = (blob: BlobToBring, offset: number) => Promise<AsyncIterable<Uint8Array> | null>;

interface DownloadParts {
  readonly open: OpenBlob;
  /** Blobs as files of this machine. */
  readonly files: Pick<Blobs, "path" | "aside" | "receiveAside" | "adopt">;
  readonly cache: BlobCache;
  /** Waits of `patiently`. */
  readonly waitsMs?: readonly number[] | undefined;
}

interface Download {
  readonly key: string;
  readonly stop: AbortController;
  readonly done: Promise<unknown>;
}

/** Consecutive breaks without a byte in between. */
const MOST_BREAKS = 5;

/**
 * Result of a download: the expected content, other content, or nothing because the blob does not exist or the download
 * was stopped.
 */
type Outcome = "sound" | "other" | "nothing";

export class Downloads {
  readonly #parts: DownloadParts;
  /** Running downloads, by the path that they write to. */
  readonly #coming = new Map<string, Promise<unknown>>();
  /** Running downloads, by capture. */
  readonly #underWay = new Map<string, Set<Download>>();

  constructor(parts: DownloadParts) {
    this.#parts = parts;
  }

  /** Brings a blob, unless it is here. One that is damaged or missing in the bucket is for its reader to find. */
  bring(blob: BlobToBring): Promise<void> {
    return this.#inTurn(blob, async () => {
      if (await this.#isHere(blob)) return;
      // Tries again if it was damaged on its way.
      if ((await this.#download(blob)) === "other") await this.#download(blob);
    });
  }

  /**
   * Brings a blob while it is read, and waits where the bucket is unavailable for a short while.
   * @returns false where it is damaged or missing: the bytes read so far are invalid
   */
  follow(blob: BlobToBring, follower: Follower): Promise<boolean> {
    const { arrival, signal } = follower;
    // Ends the reader at once: another download of the blob may take long.
    signal.addEventListener("abort", () => arrival.breakOff(), { once: true });
    return this.#inTurn(blob, async () => {
      const isSound = (await this.#isHere(blob)) || (await this.#download(blob, follower)) === "sound";
      if (isSound) arrival.end();
      return isSound;
    }).finally(() => arrival.breakOff());
  }

  /** Stops the downloads of a capture, or of one blob. Resolves when none of them writes any more. */
  async stop(captureId: string, key?: string): Promise<void> {
    const stopped = [...(this.#underWay.get(captureId) ?? [])].filter(
      (each) => key === undefined || each.key === key,
    );
    for (const each of stopped) each.stop.abort();
    await Promise.allSettled(stopped.map(({ done }) => done));
  }

  #isHere({ captureId, key, expected }: BlobToBring): Promise<boolean> {
    return this.#parts.cache.has(captureId, key, expected);
  }

  /** Runs work one after the other for one path. */
  #inTurn<Result>({ captureId, key }: BlobToBring, work: () => Promise<Result>): Promise<Result> {
    const path = this.#parts.files.path(captureId, key);
    const before = this.#coming.get(path) ?? Promise.resolve();
    const now = before.catch(() => {}).then(work);
    this.#coming.set(path, now);
    return now.finally(() => {
      if (this.#coming.get(path) === now) this.#coming.delete(path);
    });
  }

  async #download(blob: BlobToBring, follower?: Follower): Promise<Outcome> {
    const stop = new AbortController();
    const signal = follower === undefined ? stop.signal : AbortSignal.any([stop.signal, follower.signal]);
    const done = this.#fetch(blob, signal, follower);
    const own = this.#underWay.get(blob.captureId) ?? new Set<Download>();
    this.#underWay.set(blob.captureId, own);
    const download = { key: blob.key, stop, done };
    own.add(download);
    try {
      return await done;
    } catch (error) {
      if (signal.aborted) return "nothing";
      throw error;
    } finally {
      own.delete(download);
      if (own.size === 0) this.#underWay.delete(blob.captureId);
    }
  }

  async #fetch(blob: BlobToBring, signal: AbortSignal, follower?: Follower): Promise<Outcome> {
    const { files, cache } = this.#parts;
    const { captureId, key, expected } = blob;
    signal.throwIfAborted();
    const source = await unlessAborted(signal, this.#sourceOf(blob, signal, follower));
    if (source === null) return "nothing";
    const aside = follower?.path ?? files.aside();
    const hash = createHash("sha256");
    try {
      const coming = watched(stoppable(source, signal), hash, follower?.arrival);
      const bytes = await files.receiveAside(aside, coming, Number.POSITIVE_INFINITY);
      const sha256 = hash.digest("hex");
      signal.throwIfAborted();
      await files.adopt(captureId, key, aside);
      cache.came(captureId, key, bytes, sha256);
      return expected === undefined || expected.sha256 === sha256 ? "sound" : "other";
    } finally {
      await rm(aside, { force: true });
    }
  }

  async #sourceOf(
    blob: BlobToBring,
    signal: AbortSignal,
    follower?: Follower,
  ): Promise<AsyncIterable<Uint8Array> | null> {
    const { open, waitsMs } = this.#parts;
    if (follower === undefined) return open(blob, 0);
    const openPatiently: typeof open = (...what) => patiently(() => open(...what), signal, waitsMs);
    const source = await openPatiently(blob, 0);
    return source && lasting(source, (offset) => openPatiently(blob, offset));
  }
}

/**
 * The bytes of a source; after a break, the rest from another source.
 * @throws ProblemError, `files-missing` when it does not exist any more
 */
async function* lasting(
  source: AsyncIterable<Uint8Array>,
  openAt: (offset: number) => Promise<AsyncIterable<Uint8Array> | null>,
): AsyncGenerator<Uint8Array> {
  let at = 0;
  let breaks = 0;
  for (let from = source; ;) {
    try {
      for await (const bytes of from) {
        yield bytes;
        at += bytes.byteLength;
        breaks = 0;
      }
      return;
    } catch (error) {
      breaks += 1;
      if (!isUnreachable(error) || breaks > MOST_BREAKS) throw error;
      const behind = await openAt(at);
      if (behind === null) throw blobGone();
      from = behind;
    }
  }
}

/** Result of a promise; stops waiting when the signal fires. */
async function unlessAborted<Result>(signal: AbortSignal, given: Promise<Result>): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  // A new promise for each wait: a long-lived promise would keep all promises that it is raced with, and their bytes.
  signal.addEventListener("abort", abort);
  try {
    return await Promise.race([given, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** The bytes of a source until the signal fires; it does not wait for a source that sends nothing. */
async function* stoppable(
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const pieces = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      signal.throwIfAborted();
      const piece = await unlessAborted(signal, pieces.next());
      if (piece.done === true) return;
      yield piece.value;
    }
  } finally {
    void pieces.return?.().catch(() => {});
  }
}

/** Followers learn about bytes after the consumer has written them. */
async function* watched(
  source: AsyncIterable<Uint8Array>,
  hash: Hash,
  arrival: SharedArrival | undefined,
): AsyncGenerator<Uint8Array> {
  let at = 0;
  for await (const bytes of source) {
    hash.update(bytes);
    yield bytes;
    at += bytes.byteLength;
    arrival?.reach(at);
  }
}
