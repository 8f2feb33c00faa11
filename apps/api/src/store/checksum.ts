/** Checksums of stored files: a difference between written and read bytes is reported. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { readAll } from "../kernel/read-all.ts";

/** Checksums of a file's bytes. */
export interface Checksum {
  readonly bytes: number;
  /** SHA-256, hex. */
  readonly sha256: string;
  /**
   * CRC-32, which finds damage in a quarter of the time: for tables, which are read entirely whenever they are opened
   * (decision 249).
   */
  readonly crc32?: number;
}

/** Large enough for speed, small enough that hashing one piece does not delay others: about 1 ms. */
const PIECE_BYTES = 1024 * 1024;

/**
 * @param most bytes that are read; a file that grows while it is read would have no end
 * @throws errors of the file system, `ENOENT` for a missing file
 */
export async function checksumOfFile(path: string, most = Number.POSITIVE_INFINITY): Promise<Checksum> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const piece of createReadStream(path, {
    highWaterMark: PIECE_BYTES,
    end: most,
  }) as AsyncIterable<Uint8Array>) {
    hash.update(piece);
    bytes += piece.byteLength;
  }
  return { bytes, sha256: hash.digest("hex") };
}

/** Bytes that are summed at once while the next piece is read, or before others get their turn: some 2 ms. */
const SUMMED_AT_ONCE_BYTES = 4 * 1024 * 1024;

/** Pieces that are read at a time: as many as two cores copy, and one that waits to be summed. */
const READ_AHEAD = 3;

/**
 * Reads an entire file, in the time that the slower of reading and summing takes.
 * @param sum called with one piece after the other
 * @param trailer bytes at its end that are read but not summed: a sum of the bytes before
 * @returns all of it, from the beginning of its buffer on
 * @throws errors of the file system, `ENOENT` for a missing file
 */
async function readSummed(
  path: string,
  sum: (piece: Uint8Array) => void,
  trailer: number,
): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const content = Buffer.allocUnsafeSlow((await file.stat()).size);
    const summed = Math.max(0, content.length - trailer);
    const read = (start: number): Promise<number> => {
      const reading = readAll(file, content.subarray(start, start + SUMMED_AT_ONCE_BYTES), start);
      // The reader gets the error later, when it awaits the piece.
      reading.catch(() => {});
      return reading;
    };
    const starts = Array.from(
      { length: Math.ceil(content.length / SUMMED_AT_ONCE_BYTES) },
      (_, piece) => piece * SUMMED_AT_ONCE_BYTES,
    );
    const reads = starts.splice(0, READ_AHEAD).map(read);
    let bytes = 0;
    for (let next = reads.shift(); next !== undefined; next = reads.shift()) {
      const [start, end] = [bytes, bytes + (await next)];
      reads.push(...starts.splice(0, 1).map(read));
      sum(content.subarray(start, Math.min(end, summed)));
      bytes = end;
    }
    return content.subarray(0, bytes);
  } finally {
    await file.close();
  }
}

/** A file and the CRC-32 of all but its last `trailer` bytes. @throws as `readSummed` */
export async function readWithCrc32(
  path: string,
  trailer = 0,
): Promise<{ readonly content: Uint8Array; readonly sum: number }> {
  let sum = 0;
  const content = await readSummed(path, (piece) => (sum = crc32(piece, sum)), trailer);
  return { content, sum };
}

/**
 * A file, or null where it has changed: by its CRC-32 where that is known, else by its SHA-256.
 * @param expected undefined where no checksum is known @throws as `readSummed`
 */
export async function readChecked(path: string, expected: Checksum | undefined): Promise<Uint8Array | null> {
  if (expected === undefined) return (await readWithCrc32(path)).content;
  if (expected.crc32 !== undefined) {
    const { content, sum } = await readWithCrc32(path);
    return sum === expected.crc32 && content.length === expected.bytes ? content : null;
  }
  const hash = createHash("sha256");
  const content = await readSummed(path, (piece) => hash.update(piece), 0);
  return hash.digest("hex") === expected.sha256 ? content : null;
}

export function checksumOf(content: Uint8Array): Checksum {
  return { bytes: content.byteLength, sha256: createHash("sha256").update(content).digest("hex") };
}

/** Checksum of a table, which may have hundreds of megabytes: others get their turn meanwhile. */
export async function checksumOfTable(content: Uint8Array): Promise<Checksum> {
  const hash = createHash("sha256");
  let crc = 0;
  for (let at = 0; at < content.length; at += SUMMED_AT_ONCE_BYTES) {
    const piece = content.subarray(at, at + SUMMED_AT_ONCE_BYTES);
    hash.update(piece);
    crc = crc32(piece, crc);
    await nextTurn();
  }
  return { bytes: content.byteLength, sha256: hash.digest("hex"), crc32: crc };
}

/** Damage of a file that should have this checksum, for a sentence that begins with its name; null when it is valid. */
export async function damageOfFile(path: string, expected: Checksum): Promise<string | null> {
  const damage = await damageOfSize(path, expected.bytes);
  if (damage !== null) return damage;
  try {
    const found = await checksumOfFile(path, expected.bytes);
    if (found.bytes !== expected.bytes) return differentSize(found.bytes, expected.bytes);
    return found.sha256 === expected.sha256 ? null : "has other content than was stored (SHA-256)";
  } catch (error) {
    return unreadable(error);
  }
}

/** As `damageOfFile`, where the checksum is not known: the file is not read. */
export async function damageOfSize(path: string, expected: number): Promise<string | null> {
  try {
    const found = await stat(path);
    // A pipe would be waited for without an end.
    if (!found.isFile()) return "is not a file";
    return found.size === expected ? null : differentSize(found.size, expected);
  } catch (error) {
    return unreadable(error);
  }
}

function unreadable(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === "ENOENT" ? "is missing" : `cannot be read (${message})`;
}

/** In the words of `damageOfFile`. */
export function differentSize(found: number, expected: number): string {
  return `has ${found.toLocaleString("en")} bytes instead of ${expected.toLocaleString("en")}`;
}
