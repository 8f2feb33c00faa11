/** Tables of raw events as Parquet and Arrow files, written part by part. */
import { zstdCompressSync } from "node:zlib";
import {
  Binary,
  Bool,
  Field,
  Float32,
  Float64,
  Int32,
  Int64,
  makeData,
  RecordBatch,
  RecordBatchFileWriter,
  Schema,
  Struct,
  TimestampMicrosecond,
  Uint32,
  Uint64,
  Utf8,
  vectorFromArray,
  type Data,
  type DataType,
} from "apache-arrow";
import { ParquetWriter, type SchemaElement } from "hyparquet-writer/src/index.js";
import { PieceWriter } from "@aglens/contract/parquet";
import type { RawColumn } from "./event-columns.ts";

/** A table while it is written. All parts have the same columns, in this order. */
export interface TableEncoder {
  /** The bytes of a part. */
  encode(values: readonly RawColumn["values"][], length: number): Promise<Uint8Array>;
  /** The bytes of the file's end. */
  end(): Promise<Uint8Array>;
}

/** A file format for tables of raw events. */
export interface TableFormat {
  readonly extension: string;
  readonly open: (
    columns: readonly Omit<RawColumn, "values">[],
    metadata: Readonly<Record<string, string>>,
  ) => TableEncoder;
}

export const EVENTS_AS_PARQUET: TableFormat = {
  extension: "parquet",
  open: (columns, metadata) => new ParquetEncoder(columns, metadata),
};

export const EVENTS_AS_ARROW: TableFormat = {
  extension: "arrow",
  open: (columns, metadata) => new ArrowEncoder(columns, metadata),
};

class ParquetEncoder implements TableEncoder {
  readonly #columns: readonly Omit<RawColumn, "values">[];
  readonly #bytes = new PieceWriter();
  readonly #writer: ParquetWriter;

  constructor(columns: readonly Omit<RawColumn, "values">[], metadata: Readonly<Record<string, string>>) {
    this.#columns = columns;
    const about = columns.flatMap(({ name, about: value }) =>
      value === null ? [] : [{ key: `about.${name}`, value }],
    );
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: [{ name: "table", num_children: columns.length }, ...columns.map(elementOf)],
      codec: "ZSTD",
      compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
      kvMetadata: [...Object.entries(metadata).map(([key, value]) => ({ key, value })), ...about],
      createdBy: "AG Lens",
    });
  }

  encode(values: readonly RawColumn["values"][], length: number): Promise<Uint8Array> {
    const columnData = this.#columns.map(({ name, kind }, index) => ({
      name,
      data: (kind === "uint32" ? values[index]?.map(bigOf) : values[index]) as unknown[],
    }));
    // A part is a row group, and a column of it one page.
    void this.#writer.write({ columnData, rowGroupSize: length, pageSize: 0 });
    return Promise.resolve(this.#bytes.take());
  }

  end(): Promise<Uint8Array> {
    void this.#writer.finish();
    return Promise.resolve(this.#bytes.take());
  }
}

const bigOf = (value: unknown): bigint | null => (typeof value === "number" ? BigInt(value) : null);

function elementOf({ name, kind }: Omit<RawColumn, "values">): SchemaElement {
  const column = { name, repetition_type: "OPTIONAL" } as const;
  switch (kind) {
    case "int32":
      return { ...column, type: "INT32" };
    case "uint32":
    case "int64":
      return { ...column, type: "INT64" };
    case "uint64":
      return { ...column, type: "INT64", converted_type: "UINT_64" };
    case "time":
      return {
        ...column,
        type: "INT64",
        converted_type: "TIMESTAMP_MICROS",
        logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" },
      };
    case "float32":
      return { ...column, type: "FLOAT" };
    case "float64":
      return { ...column, type: "DOUBLE" };
    case "boolean":
      return { ...column, type: "BOOLEAN" };
    case "binary":
      return { ...column, type: "BYTE_ARRAY" };
    case "text":
      return { ...column, type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } };
  }
}

class ArrowEncoder implements TableEncoder {
  readonly #schema: Schema;
  readonly #fields: readonly Field[];
  readonly #writer = new RecordBatchFileWriter();
  readonly #chunks: Uint8Array[] = [];
  readonly #ended: Promise<void>;

  constructor(columns: readonly Omit<RawColumn, "values">[], metadata: Readonly<Record<string, string>>) {
    this.#fields = columns.map(({ name, kind, about }) => {
      const words = new Map(about === null ? [] : [["about", about]]);
      return new Field(name, ARROW_TYPES[kind], true, words);
    });
    this.#schema = new Schema([...this.#fields], new Map(Object.entries(metadata)));
    this.#ended = this.#collect();
  }

  async encode(values: readonly RawColumn["values"][], length: number): Promise<Uint8Array> {
    const children = this.#fields.map(({ type }, index) => dataOf(type, values[index] ?? []));
    const rows = makeData({ type: new Struct([...this.#fields]), length, children });
    this.#writer.write(new RecordBatch(this.#schema, rows));
    // The writer's chunks arrive in promises.
    await new Promise(setImmediate);
    return this.#take();
  }

  async end(): Promise<Uint8Array> {
    this.#writer.finish();
    await this.#ended;
    return this.#take();
  }

  #take(): Uint8Array {
    return Buffer.concat(this.#chunks.splice(0));
  }

  async #collect(): Promise<void> {
    for await (const chunk of this.#writer) this.#chunks.push(chunk);
  }
}

const ARROW_TYPES: Readonly<Record<RawColumn["kind"], DataType>> = {
  int32: new Int32(),
  uint32: new Uint32(),
  int64: new Int64(),
  uint64: new Uint64(),
  time: new TimestampMicrosecond("UTC"),
  float32: new Float32(),
  float64: new Float64(),
  boolean: new Bool(),
  binary: new Binary(),
  text: new Utf8(),
};

function dataOf(type: DataType, values: RawColumn["values"]): Data {
  const memory = new (ARRAYS.get(type) ?? Array)(values.length);
  if (Array.isArray(memory)) return vectorFromArray(values, type).data[0] ?? makeData({ type, length: 0 });
  const nullBitmap = new Uint8Array(Math.ceil(values.length / 8));
  let nullCount = 0;
  for (const [row, value] of values.entries()) {
    if (value === null) nullCount++;
    else {
      memory[row] = value as never;
      nullBitmap[row >> 3] = (nullBitmap[row >> 3] ?? 0) | (1 << (row & 7));
    }
  }
  return makeData({
    type: type as Int64,
    length: values.length,
    data: memory as never,
    nullBitmap,
    nullCount,
  });
}

/** Memory of the types whose values are numbers. */
const ARRAYS = new Map<
  DataType,
  | Int32ArrayConstructor
  | Uint32ArrayConstructor
  | BigInt64ArrayConstructor
  | BigUint64ArrayConstructor
  | Float32ArrayConstructor
  | Float64ArrayConstructor
>([
  [ARROW_TYPES.int32, Int32Array],
  [ARROW_TYPES.uint32, Uint32Array],
  [ARROW_TYPES.int64, BigInt64Array],
  [ARROW_TYPES.uint64, BigUint64Array],
  [ARROW_TYPES.time, BigInt64Array],
  [ARROW_TYPES.float32, Float32Array],
  [ARROW_TYPES.float64, Float64Array],
]);
