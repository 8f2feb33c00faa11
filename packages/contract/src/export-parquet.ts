/**
 * Tables for export (docs/reference/tables.md) as Parquet, which DuckDB, Spark, ClickHouse and pandas read by ranges
 * and columns.
 */
import { NO_UTC, type ExportTable, type TableColumn } from "@aglens/ag-model/tables";
import {
  ByteWriter,
  ParquetWriter,
  type ColumnSource,
  type KeyValue,
  type SchemaElement,
} from "hyparquet-writer/src/index.js";

/** Rows of a row group: some 2 MB, the least cost of a range. */
export const ROW_GROUP_ROWS = 65_536;

/** Zstandard, where it is available: Node has it, browsers do not. Files with Snappy are half as large again. */
export type Zstd = (bytes: Uint8Array) => Uint8Array;

/**
 * A table as a Parquet file, piece by piece, so that a long one is never completely in memory: docs/reference/tables.md
 * has its schema. Its key-value metadata has the capture's, and `unit.NAME` and `about.NAME` of each column.
 * @param parts of one table, one after the other, at least one
 * @param metadata of the capture
 */
export function* parquetPieces(
  parts: Iterable<ExportTable>,
  metadata: Readonly<Record<string, string>>,
  zstd?: Zstd,
): Generator<Uint8Array> {
  const bytes = new PieceWriter();
  let writer: ParquetWriter | null = null;
  for (const { columns } of parts) {
    writer ??= new ParquetWriter({
      writer: bytes,
      schema: schemaOf(columns),
      codec: zstd === undefined ? "SNAPPY" : "ZSTD",
      compressors: zstd === undefined ? {} : { ZSTD: zstd },
      kvMetadata: keyValues(columns, metadata),
      createdBy: "AG Lens",
    });
    // A column of a row group is one page: for more pages the writer would measure each value. A writer in memory never
    // makes it wait.
    void writer.write({ columnData: columns.map(sourceOf), rowGroupSize: ROW_GROUP_ROWS, pageSize: 0 });
    yield bytes.take();
  }
  void writer?.finish();
  yield bytes.take();
}

/** One table as a complete Parquet file. */
export function encodeParquetTable(
  table: ExportTable,
  metadata: Readonly<Record<string, string>>,
  zstd?: Zstd,
): Uint8Array {
  const pieces = [...parquetPieces([table], metadata, zstd)];
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.byteLength, 0));
  let end = 0;
  for (const piece of pieces) {
    bytes.set(piece, end);
    end += piece.byteLength;
  }
  return bytes;
}

/** Returns the bytes since the last call; offsets in the file continue. */
export class PieceWriter extends ByteWriter {
  take(): Uint8Array {
    const piece = this.getBytes().slice();
    this.index = 0;
    return piece;
  }
}

function keyValues(columns: readonly TableColumn[], metadata: Readonly<Record<string, string>>): KeyValue[] {
  const words = columns.flatMap(({ name, unit, about }) => [
    { key: `unit.${name}`, value: unit },
    { key: `about.${name}`, value: about },
  ]);
  const ofCapture = Object.entries(metadata).map(([key, value]) => ({ key, value }));
  return [...ofCapture, ...words.filter(({ value }) => value !== "")];
}

const schemaOf = (columns: readonly TableColumn[]): SchemaElement[] => [
  { name: "table", num_children: columns.length },
  ...columns.flatMap(elementsOf),
];

/** A column is optional where a value may be missing, in any capture. */
function elementsOf({ name, kind }: TableColumn): SchemaElement[] {
  const optional = { name, repetition_type: "OPTIONAL" } as const;
  const required = { name, repetition_type: "REQUIRED" } as const;
  switch (kind) {
    case "float64":
      return [{ ...optional, type: "DOUBLE" }];
    case "float32":
      return [{ ...optional, type: "FLOAT" }];
    case "int32":
      return [{ ...required, type: "INT32" }];
    case "uint64":
      // With a logical type too, the writer would encode the width in another Thrift type than DuckDB and Arrow read.
      return [{ ...required, type: "INT64", converted_type: "UINT_64" }];
    case "utc":
      return [
        {
          ...optional,
          type: "INT64",
          converted_type: "TIMESTAMP_MICROS",
          logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" },
        },
      ];
    case "boolean":
      return [{ ...required, type: "BOOLEAN" }];
    case "dictionary":
    case "text":
      return [{ ...optional, ...TEXT }];
    case "texts":
      return [
        { ...required, converted_type: "LIST", logical_type: { type: "LIST" }, num_children: 1 },
        { name: "list", repetition_type: "REPEATED", num_children: 1 },
        { name: "element", repetition_type: "REQUIRED", ...TEXT },
      ];
  }
}

const TEXT = { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } } as const;

/** Values of a column as the writer expects them, in an encoding that every engine reads (decision 149). */
function sourceOf(column: TableColumn): ColumnSource {
  const { name } = column;
  switch (column.kind) {
    case "float64":
      return { name, data: withNulls(column.values), encoding: "PLAIN" };
    // Uncertainty of instants: the same value repeats, and no query searches for it, so it has no statistics.
    case "float32":
      return { name, data: withNulls(column.values), encoding: "PLAIN", statistics: false };
    case "int32":
      return { name, data: column.values, encoding: "DELTA_BINARY_PACKED" };
    case "utc":
      return { name, data: withNullUtc(column.values), encoding: "DELTA_BINARY_PACKED" };
    case "uint64":
      return { name, data: column.values };
    case "boolean":
      return { name, data: Array.from(column.values, (value) => value === 1), statistics: false };
    case "dictionary":
      return {
        name,
        data: Array.from(column.codes, (code) => column.texts[code] ?? null),
        statistics: false,
      };
    case "text":
    case "texts":
      return { name, data: [...column.values] };
  }
}

const withNullUtc = (values: BigInt64Array): ColumnSource["data"] =>
  values.includes(NO_UTC) ? Array.from(values, (each) => (each === NO_UTC ? null : each)) : values;

/** The column itself where no value is missing: a list of numbers needs four times its memory. */
function withNulls(values: Float64Array | Float32Array): ColumnSource["data"] {
  for (const value of values) {
    if (Number.isNaN(value)) return Array.from(values, (each) => (Number.isNaN(each) ? null : each));
  }
  return values;
}
