/** Checksums of stored files: what was written is what is read, or it is reported. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";

/** Of a file's bytes. */
export interface Checksum {
  readonly bytes: number;
  /** SHA-256, hex. */
  readonly sha256: string;
}

/** Large enough to be quick, small enough that hashing one piece holds up nobody: about 1 ms. */
const PIECE_BYTES = 1024 * 1024;

/**
 * @param most bytes that are read; a file that grows while it is read would have no end
 * @throws what the file system throws, `ENOENT` for a file that is not there
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

/** What is hashed at once while the next piece is read: some 2 ms. */
const HASHED_AT_ONCE_BYTES = 4 * 1024 * 1024;

/** A file that was read. */
export interface HashedFile {
  /** All of it, from the beginning of its buffer on. */
  readonly content: Uint8Array;
  /** Of what was hashed. */
  readonly checksum: Checksum;
}

/**
 * Reads a file whole, in the time that the slower of reading and hashing takes.
 * @param trailer bytes at its end that are read but not hashed: a digest of what is before
 * @throws what the file system throws, `ENOENT` for a file that is not there
 */
export async function readHashed(path: string, trailer = 0): Promise<HashedFile> {
  const file = await open(path);
  try {
    const hash = createHash("sha256");
    const content = Buffer.allocUnsafeSlow((await file.stat()).size);
    const hashed = Math.max(0, content.length - trailer);
    const read = (start: number) =>
      file.read(content, start, Math.min(HASHED_AT_ONCE_BYTES, content.length - start), start);
    let bytes = 0;
    for (let { bytesRead } = await read(0); bytesRead > 0;) {
      const [start, end] = [bytes, bytes + bytesRead];
      const next = read(end);
      hash.update(content.subarray(start, Math.min(end, hashed)));
      bytes = end;
      ({ bytesRead } = await next);
    }
    return {
      content: content.subarray(0, bytes),
      checksum: { bytes: Math.min(bytes, hashed), sha256: hash.digest("hex") },
    };
  } finally {
    await file.close();
  }
}

export function checksumOf(content: Uint8Array): Checksum {
  return { bytes: content.byteLength, sha256: createHash("sha256").update(content).digest("hex") };
}

/** What is wrong with a file that should have this checksum, for a sentence that begins with its name; null when it is sound. */
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
