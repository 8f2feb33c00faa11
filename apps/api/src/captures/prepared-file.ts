/**
 * The prepared columns of a long capture as a file beside its tables: whoever opens it after a restart does not wait for them to be
 * made again. A file that is damaged, cut off or of other tables counts as none, and a new one takes its place.
 */
import { createHash, type Hash } from "node:crypto";
import { open, rename, rm, statfs, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { MODEL_FILES } from "@aglens/contract";
import type { PreparedColumn } from "@aglens/ag-model/query";
import type { Checksum } from "../store/checksum.ts";
import { PREPARED_FILE } from "./model-files.ts";

/** To be raised with each change of what is prepared or of how it is written. */
const FORMAT = 2;

/** It is written only where it takes at most this share of the room that is left on the disk. */
const MOST_OF_ROOM = 0.1;

const LENGTH_BYTES = 8;
const DIGEST_BYTES = 32;

/** Of which tables the columns are; null for tables of an earlier version, which have no checksums. */
export function tablesDigest(checksums: Readonly<Record<string, Checksum>>): string | null {
  const known = MODEL_FILES.map((name) => checksums[name]?.sha256);
  return known.includes(undefined) ? null : known.join(" ");
}

/** Of what a file is: its first part. */
interface Head {
  readonly format: number;
  readonly tables: string;
  readonly columns: number;
}

/** Parts, each after its length, then the SHA-256 of all before. @param tables `tablesDigest` */
export async function writePrepared(
  folder: string,
  tables: string,
  columns: readonly PreparedColumn[],
): Promise<void> {
  const bytes = columns.reduce((sum, column) => sum + bytesOf(column), 0);
  const { bavail, bsize } = await statfs(folder);
  if (bytes > MOST_OF_ROOM * bavail * bsize) return;
  const path = join(folder, PREPARED_FILE);
  const unfinished = `${path}.new`;
  try {
    const file = await open(unfinished, "w");
    try {
      const hash = createHash("sha256");
      const head: Head = { format: FORMAT, tables, columns: columns.length };
      await writePart(file, hash, serialize(head));
      for (const column of columns) await writePart(file, hash, serialize(column));
      await file.appendFile(hash.digest());
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** The columns in the order in which they were written; null where there is no sound file of these tables. */
export async function readPrepared(folder: string, tables: string): Promise<PreparedColumn[] | null> {
  try {
    const file = await open(join(folder, PREPARED_FILE));
    try {
      return await readParts(file, tables);
    } finally {
      await file.close();
    }
  } catch {
    // Missing, cut off, or no such parts.
    return null;
  }
}

async function readParts(file: FileHandle, tables: string): Promise<PreparedColumn[] | null> {
  const hash = createHash("sha256");
  const most = (await file.stat()).size;
  const head = deserialize(await readPart(file, hash, most)) as Head;
  if (head.format !== FORMAT || head.tables !== tables) return null;
  const parts: Buffer[] = [];
  for (let column = 0; column < head.columns; column++) parts.push(await readPart(file, hash, most));
  const digest = await readBytes(file, DIGEST_BYTES);
  return digest.equals(hash.digest()) ? deserialized(parts) : null;
}

/** One part after the other, between which questions are answered. @param parts are let go one by one, as their columns take their place */
async function deserialized(parts: Buffer[]): Promise<PreparedColumn[]> {
  const columns: PreparedColumn[] = [];
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    columns.push(deserialize(part) as PreparedColumn);
    await new Promise(setImmediate);
  }
  return columns;
}

async function writePart(file: FileHandle, hash: Hash, part: Buffer): Promise<void> {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeBigUInt64LE(BigInt(part.byteLength));
  for (const bytes of [length, part]) {
    hash.update(bytes);
    await file.appendFile(bytes);
  }
}

/** @param most bytes of the file: a damaged length must not ask for memory that is not there */
async function readPart(file: FileHandle, hash: Hash, most: number): Promise<Buffer> {
  const length = await readBytes(file, LENGTH_BYTES);
  const bytes = length.readBigUInt64LE();
  if (bytes > most) throw new RangeError("The part is longer than its file.");
  const part = await readBytes(file, Number(bytes));
  hash.update(length);
  hash.update(part);
  return part;
}

async function readBytes(file: FileHandle, bytes: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(bytes);
  for (let filled = 0; filled < bytes;) {
    const { bytesRead } = await file.read(buffer, filled, bytes - filled);
    if (bytesRead === 0) throw new RangeError("The file ends within a part.");
    filled += bytesRead;
  }
  return buffer;
}

function bytesOf({ ranks, levels }: PreparedColumn): number {
  const columns = [...Object.values(ranks), ...levels.flatMap(({ max, p50 }) => [max, p50])];
  return columns.reduce((sum, column) => sum + column.byteLength, 0);
}
