/** Blobs of a bucket as files of this machine: those that were asked for last, up to a number of bytes. */
import { renameSync } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { Logger } from "pino";
import { unlessMissing } from "../blobs.ts";
import type { Blobs } from "../blobs.ts";
import { damageOfFile, damageOfSize } from "../checksum.ts";
import type { Checksum } from "../checksum.ts";

/** More is deleted than the new blob needs, so that the next ones need no deletion. */
const KEPT_SHARE = 0.9;

/** Blobs as files. */
type Files = Pick<Blobs, "captures" | "keys" | "path" | "aside">;

/** Ms since 1970, as files have their times, and finer than a millisecond. */
const now = (): number => performance.timeOrigin + performance.now();

interface KeptFile {
  readonly captureId: string;
  readonly path: string;
  readonly bytes: number;
  readonly usedAt: number;
}

/** Tracks valid files, files in use, and the times of their last use. A capture in use keeps all of its files. */
export class BlobCache {
  readonly #files: Files;
  readonly #mostBytes: number;
  readonly #log: Pick<Logger, "warn">;
  /** SHA-256 by path, of files that were found to have it since this process began. */
  readonly #sound = new Map<string, string>();
  /** Time of the last use: of each file, by path, and of each capture with other files of threads, by id. */
  readonly #used = new Map<string, number>();
  readonly #inUse = new Map<string, number>();
  /** Bytes that all have, at most, until they are counted again; null before they were. */
  #bytes: number | null = null;
  #making: Promise<void> | null = null;

  /** @param files of this machine @param mostBytes of all of them */
  constructor(files: Files, mostBytes: number, log: Pick<Logger, "warn">) {
    this.#files = files;
    this.#mostBytes = mostBytes;
    this.#log = log;
  }

  /** Keeps a capture's files until the returned function is called. @param keys that are used */
  use(captureId: string, keys: readonly string[]): () => void {
    const used = [captureId, ...keys.map((key) => this.#files.path(captureId, key))];
    const note = (): void => used.forEach((each) => this.#used.set(each, now()));
    this.#inUse.set(captureId, (this.#inUse.get(captureId) ?? 0) + 1);
    note();
    return () => {
      const others = (this.#inUse.get(captureId) ?? 1) - 1;
      if (others > 0) this.#inUse.set(captureId, others);
      else this.#inUse.delete(captureId);
      note();
    };
  }

  /** Whether a blob is here and valid; a blob without a known checksum only has to be here. */
  async has(captureId: string, key: string, expected: Checksum | undefined): Promise<boolean> {
    const path = this.#files.path(captureId, key);
    if (expected === undefined) return (await stat(path).catch(() => null)) !== null;
    if ((await damageOfSize(path, expected.bytes)) !== null) return false;
    const sound = this.#sound.get(path);
    if (sound !== undefined) return sound === expected.sha256;
    if ((await damageOfFile(path, expected)) !== null) return false;
    this.#sound.set(path, expected.sha256);
    return true;
  }

  /** Records that a blob arrived here, with its content where that is known. */
  came(captureId: string, key: string, bytes: number, sha256: string | undefined): void {
    const path = this.#files.path(captureId, key);
    if (sha256 === undefined) this.#sound.delete(path);
    else this.#sound.set(path, sha256);
    this.#used.set(path, now());
    if (this.#bytes !== null) this.#bytes += bytes;
    if (this.#bytes === null || this.#bytes > this.#mostBytes) this.#makeRoomSoon();
  }

  /** Forgets a capture's files, because they were deleted or replaced. */
  forget(captureId: string): void {
    const folder = dirname(this.#files.path(captureId, "any"));
    for (const known of [this.#sound, this.#used])
      for (const path of known.keys()) if (dirname(path) === folder) known.delete(path);
    this.#used.delete(captureId);
  }

  /** Deletes the files with the oldest use until so many bytes are free. @returns bytes that were freed */
  async giveUp(bytes: number): Promise<number> {
    const files = await this.#free();
    let gone = 0;
    for (const file of files) {
      if (gone >= bytes) break;
      if (this.#inUse.has(file.captureId)) continue;
      this.#sound.delete(file.path);
      this.#used.delete(file.path);
      if (await this.#letGo(file.path)) gone += file.bytes;
    }
    if (this.#bytes !== null) this.#bytes -= gone;
    return gone;
  }

  /** @returns false where the file was missing: its capture was deleted meanwhile */
  async #letGo(path: string): Promise<boolean> {
    const leaving = this.#files.aside();
    try {
      // Moves the file out at once: a reader that begins to use the capture now finds it missing.
      renameSync(path, leaving);
    } catch (error) {
      unlessMissing(error as NodeJS.ErrnoException);
      return false;
    }
    await rm(leaving, { force: true });
    return true;
  }

  /** Resolves when no files are being deleted any more. */
  async settle(): Promise<void> {
    await this.#making;
  }

  #makeRoomSoon(): void {
    this.#making ??= this.#makeRoom()
      .catch((error: unknown) => this.#log.warn({ err: error }, "files of the bucket could not be let go"))
      .finally(() => {
        this.#making = null;
      });
  }

  async #makeRoom(): Promise<void> {
    const all = await this.#all();
    this.#bytes = all.reduce((sum, { bytes }) => sum + bytes, 0);
    if (this.#bytes > this.#mostBytes) await this.giveUp(this.#bytes - this.#mostBytes * KEPT_SHARE);
  }

  /** Files of captures that are not in use, the one with the oldest use first. */
  async #free(): Promise<KeptFile[]> {
    const all = await this.#all((captureId) => !this.#inUse.has(captureId));
    return all.toSorted((a, b) => a.usedAt - b.usedAt);
  }

  async #all(isWanted: (captureId: string) => boolean = () => true): Promise<KeptFile[]> {
    const found: KeptFile[] = [];
    for (const captureId of await this.#files.captures()) {
      if (!isWanted(captureId)) continue;
      for (const key of await this.#files.keys(captureId)) {
        const path = this.#files.path(captureId, key);
        const file = await stat(path).catch(() => null);
        if (file === null) continue;
        const usedAt = this.#used.get(path) ?? this.#used.get(captureId) ?? file.mtimeMs;
        found.push({ captureId, path, bytes: file.size, usedAt });
      }
    }
    return found;
  }
}
