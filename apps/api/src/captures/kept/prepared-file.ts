/**
 * Speed: decision 223: 0.35 instead of 8 s at 4 M log blocks. Without it the simple way is to prepare at each opening.
 *
 * The prepared columns of a long capture as a file beside its tables: whoever opens it after a restart does not wait for them to be
 * made again. A file that is damaged, cut off or of other tables counts as none, and a new one takes its place (decision 223).
 */
import { open, rename, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { MODEL_FILES } from "@aglens/contract";
import type { PreparedColumn } from "@aglens/ag-model/query";
import { readWithCrc32 } from "../../store/checksum.ts";
import type { Checksum } from "../../store/checksum.ts";
import { PREPARED_FILE } from "./model-files.ts";

/** To be raised with each change of what is prepared or of how it is written. */
const FORMAT = 4;

/** It is written only where it takes at most this share of the room that is left on the disk. */
const MOST_OF_ROOM = 0.1;

const LENGTH_BYTES = 8;
const SUM_BYTES = 4;
/** Each column begins at a multiple of the bytes of its values. */
const ALIGNMENT = Float64Array.BYTES_PER_ELEMENT;

/** Of which tables the columns are; null for tables of an earlier version, which have no checksums. */
export function tablesDigest(checksums: Readonly<Record<string, Checksum>>): string | null {
  const known = MODEL_FILES.map((name) => checksums[name]?.sha256);
  return known.includes(undefined) ? null : known.join(" ");
}

/** What a file has, and of which tables it is. */
interface Content {
  readonly format: number;
  readonly tables: string;
  readonly columns: readonly PreparedColumn[];
}

const COLUMN_TYPES = { Uint8Array, Uint32Array, Float64Array };
type Column = InstanceType<(typeof COLUMN_TYPES)[keyof typeof COLUMN_TYPES]>;

/** Where a plain column lies in the file; the content's JSON has one in the place of each. */
interface Place {
  readonly type: keyof typeof COLUMN_TYPES;
  /** Bytes from the file's beginning. */
  readonly at: number;
  readonly length: number;
}

/**
 * Plain columns as memory has them, so that they are read without a copy, the content as JSON, its length, and the CRC-32 of all before.
 * @param tables `tablesDigest`
 */
export async function writePrepared(
  folder: string,
  tables: string,
  columns: readonly PreparedColumn[],
): Promise<void> {
  const plain: Column[] = [];
  let end = 0;
  const placed = (column: Column): Place => {
    plain.push(column);
    const at = end;
    end += alignedBytes(column);
    return { type: column.constructor.name as Place["type"], at, length: column.length };
  };
  const content = JSON.stringify({ format: FORMAT, tables, columns } satisfies Content, (_, value: unknown) =>
    ArrayBuffer.isView(value) ? placed(value as Column) : value,
  );
  const { bavail, bsize } = await statfs(folder);
  if (end > MOST_OF_ROOM * bavail * bsize) return;
  const path = join(folder, PREPARED_FILE);
  const unfinished = `${path}.new`;
  try {
    await writeParts(unfinished, [...plain.flatMap(aligned), ...withLength(content)]);
    await rename(unfinished, path);
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** The parts one after the other, then the CRC-32 of all of them. */
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
    await file.datasync();
  } finally {
    await file.close();
  }
}

const alignedBytes = ({ byteLength }: Column): number => Math.ceil(byteLength / ALIGNMENT) * ALIGNMENT;

/** A column's bytes, and zeros up to where the next column may begin. */
function aligned(column: Column): Uint8Array[] {
  const { buffer, byteOffset, byteLength } = column;
  return [new Uint8Array(buffer, byteOffset, byteLength), new Uint8Array(alignedBytes(column) - byteLength)];
}

function withLength(content: string): Uint8Array[] {
  const bytes = Buffer.from(content);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeBigUInt64LE(BigInt(bytes.length));
  return [bytes, length];
}

/** The columns in the order in which they were written; null where there is no sound file of these tables. */
export async function readPrepared(
  folder: string,
  tables: string,
): Promise<readonly PreparedColumn[] | null> {
  try {
    const { content, sum } = await readWithCrc32(join(folder, PREPARED_FILE), SUM_BYTES);
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.length - SUM_BYTES);
    if (Buffer.from(content.buffer).readUInt32LE(bytes.length) !== sum) return null;
    const found = contentOf(bytes);
    return found.format === FORMAT && found.tables === tables ? found.columns : null;
  } catch {
    // Missing, cut off, or no such content.
    return null;
  }
}

function contentOf(bytes: Buffer): Content {
  const end = bytes.length - LENGTH_BYTES;
  const json = bytes.toString("utf8", end - Number(bytes.readBigUInt64LE(end)), end);
  return JSON.parse(json, (_, value: unknown) =>
    isPlace(value)
      ? new COLUMN_TYPES[value.type](bytes.buffer as ArrayBuffer, value.at, value.length)
      : value,
  ) as Content;
}

const isPlace = (value: unknown): value is Place =>
  typeof value === "object" && value !== null && "type" in value;
