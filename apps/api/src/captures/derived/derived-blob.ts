/**
 * A derived thing as one file in its capture's folder: its bytes, its validity, and the CRC-32 of all before. It is
 * read entirely or not at all. A file that is damaged, cut off or not valid counts as absent until the next one
 * replaces it: it isn't deleted when it is read, because an analysis that is about to end may have just written it.
 */
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { readWithCrc32 } from "../../store/checksum.ts";

/** SHA-256, hex. */
const VALIDITY_BYTES = 64;
const SUM_BYTES = 4;

/**
 * Writes a file in place of the present one. It isn't flushed: after a power cut the rest of it is invalid.
 * @param validity `validityOf` the sources of the parts
 * @param parts its bytes, one after the other, without a copy
 */
export async function writeDerivedBlob(
  folder: string,
  name: string,
  validity: string,
  parts: readonly Uint8Array[],
): Promise<void> {
  const path = join(folder, name);
  const unfinished = `${path}.new`;
  try {
    await writeParts(unfinished, [...parts, Buffer.from(validity, "latin1")]);
    await rename(unfinished, path);
  } finally {
    await rm(unfinished, { force: true });
  }
}

async function writeParts(path: string, parts: readonly Uint8Array[]): Promise<void> {
  const file = await open(path, "w");
  try {
    let sum = 0;
    for (const part of parts) {
      sum = crc32(part, sum);
      await file.appendFile(part);
    }
    const trailer = Buffer.alloc(SUM_BYTES);
    trailer.writeUInt32LE(sum);
    await file.appendFile(trailer);
  } finally {
    await file.close();
  }
}

/** The bytes, from the beginning of their buffer on; null where there is no valid file. */
export async function readDerivedBlob(
  folder: string,
  name: string,
  validity: string,
): Promise<Buffer | null> {
  const read = await readWithCrc32(join(folder, name), SUM_BYTES).catch(() => null);
  if (read === null) return null;
  const { buffer, byteOffset, length } = read.content;
  const end = length - SUM_BYTES - VALIDITY_BYTES;
  if (end < 0) return null;
  const bytes = Buffer.from(buffer, byteOffset, length);
  const isValid =
    bytes.readUInt32LE(length - SUM_BYTES) === read.sum &&
    bytes.toString("latin1", end, end + VALIDITY_BYTES) === validity;
  return isValid ? bytes.subarray(0, end) : null;
}
