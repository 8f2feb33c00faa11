/**
 * Speed: decision 223: 0.35 instead of 8 s at 4 M log blocks. Without it the simple way is to prepare at each opening.
 *
 * The prepared columns of a long capture as a file: after a restart its first opening doesn't wait until they are made again.
 */
import { statfs } from "node:fs/promises";
import type { PreparedColumn } from "@aglens/ag-model/query";
import { readDerivedBlob, writeDerivedBlob } from "./derived-blob.ts";
import { PREPARED_FILE } from "./derived-things.ts";

/** It is written only if it takes at most this share of the free space on the disk. */
const MOST_OF_ROOM = 0.1;

const LENGTH_BYTES = 8;
/** Each column begins at a multiple of the bytes of its values. */
const ALIGNMENT = Float64Array.BYTES_PER_ELEMENT;

const COLUMN_TYPES = { Uint8Array, Uint32Array, Float64Array };
type Column = InstanceType<(typeof COLUMN_TYPES)[keyof typeof COLUMN_TYPES]>;

/** Position of a plain column in the file; the JSON has one in place of each column. */
interface Place {
  readonly type: keyof typeof COLUMN_TYPES;
  /** Bytes from the file's beginning. */
  readonly at: number;
  readonly length: number;
}

/**
 * Plain columns as memory has them, so that they are read without a copy, all else as JSON, and its length.
 * @param validity of "prepared columns"
 */
export async function writePrepared(
  folder: string,
  validity: string,
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
  const json = JSON.stringify(columns, (_, value: unknown) =>
    ArrayBuffer.isView(value) ? placed(value as Column) : value,
  );
  const { bavail, bsize } = await statfs(folder);
  if (end > MOST_OF_ROOM * bavail * bsize) return;
  await writeDerivedBlob(folder, PREPARED_FILE, validity, [...plain.flatMap(aligned), ...withLength(json)]);
}

const alignedBytes = ({ byteLength }: Column): number => Math.ceil(byteLength / ALIGNMENT) * ALIGNMENT;

/** A column's bytes, and zeros up to where the next column may begin. */
function aligned(column: Column): Uint8Array[] {
  const { buffer, byteOffset, byteLength } = column;
  return [new Uint8Array(buffer, byteOffset, byteLength), new Uint8Array(alignedBytes(column) - byteLength)];
}

function withLength(json: string): Uint8Array[] {
  const bytes = Buffer.from(json);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeBigUInt64LE(BigInt(bytes.length));
  return [bytes, length];
}

/** The columns in the order in which they were written; null where there is no valid file. @param validity of "prepared columns" */
export async function readPrepared(
  folder: string,
  validity: string,
): Promise<readonly PreparedColumn[] | null> {
  const bytes = await readDerivedBlob(folder, PREPARED_FILE, validity);
  return bytes && columnsIn(bytes);
}

function columnsIn(bytes: Buffer): PreparedColumn[] {
  const end = bytes.length - LENGTH_BYTES;
  const json = bytes.toString("utf8", end - Number(bytes.readBigUInt64LE(end)), end);
  return JSON.parse(json, (_, value: unknown) =>
    isPlace(value)
      ? new COLUMN_TYPES[value.type](bytes.buffer as ArrayBuffer, value.at, value.length)
      : value,
  ) as PreparedColumn[];
}

const isPlace = (value: unknown): value is Place =>
  typeof value === "object" && value !== null && "type" in value;
