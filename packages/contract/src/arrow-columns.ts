import { Binary, makeData, makeVector, Table, tableFromIPC, tableToIPC, Vector } from "apache-arrow";

/** The column types of the model's tables. */
export type Column =
  | Float64Array
  | Float32Array
  | BigUint64Array
  | Int32Array
  | Uint32Array
  | Uint16Array
  | Uint8Array;

/** A column of which each value is some bytes. */
export interface BytesColumn {
  /** All values, one after the other. */
  readonly bytes: Uint8Array;
  /** Where each begins; one entry more, the end. */
  readonly start: Int32Array;
}

/** Bytes that are not the table they should be. */
export class TableError extends Error {
  readonly code = "tableUnreadable";
}

/** Columns of equal length and text metadata as one Arrow IPC stream. */
export function encodeColumns(
  columns: Readonly<Record<string, Column | BytesColumn>>,
  metadata: Readonly<Record<string, string>> = {},
): Uint8Array {
  const vectors: Record<string, Vector> = {};
  for (const [name, column] of Object.entries(columns)) vectors[name] = vectorOf(column);
  const table = new Table(vectors);
  for (const [key, value] of Object.entries(metadata)) table.schema.metadata.set(key, value);
  return tableToIPC(table, "stream");
}

function vectorOf(column: Column | BytesColumn): Vector {
  if (ArrayBuffer.isView(column)) return makeVector(column) as Vector;
  const { bytes, start } = column;
  const type = new Binary();
  return new Vector([
    makeData({ type, length: start.length - 1, nullCount: 0, valueOffsets: start, data: bytes }),
  ]);
}

/** A decoded Arrow table: typed arrays by name, which may be views into the bytes. */
export interface DecodedColumns {
  readonly length: number;
  readonly names: readonly string[];
  /** Throws TableError when there is no such column. */
  column(name: string): Column;
  /** Throws TableError when there is no such column of bytes. */
  bytes(name: string): BytesColumn;
  /** Throws TableError when there is no such entry. */
  text(key: string): string;
}

/** Reads an Arrow IPC stream. Throws TableError for bytes that aren't one. */
export function decodeColumns(bytes: Uint8Array): DecodedColumns {
  const table = readTable(bytes);
  const { metadata } = table.schema;
  const childOf = (name: string): Vector => {
    const vector = table.getChild(name);
    if (vector) return vector;
    throw new TableError(`The stored table has no column "${name}". Analyze the capture again.`);
  };
  return {
    length: table.numRows,
    names: table.schema.fields.map((field) => field.name),
    column: (name) => childOf(name).toArray() as Column,
    bytes(name) {
      // A stored table is one batch; a table without rows has no batch.
      const [data] = childOf(name).data;
      if (data === undefined || data.length === 0)
        return { bytes: new Uint8Array(), start: new Int32Array(1) };
      return { bytes: data.values as Uint8Array, start: data.valueOffsets };
    },
    text(key) {
      const value = metadata.get(key);
      if (value === undefined)
        throw new TableError(`The stored table does not say "${key}". Analyze the capture again.`);
      return value;
    },
  };
}

function readTable(bytes: Uint8Array): Table {
  try {
    // Columns become views into the bytes, which needs them to start on a multiple of 8.
    return tableFromIPC(bytes.byteOffset % 8 === 0 ? bytes : bytes.slice());
  } catch (cause) {
    throw new TableError("These bytes are not an Arrow IPC stream. Analyze the capture again.", { cause });
  }
}
