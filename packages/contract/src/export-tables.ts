/** Tables for export (docs/reference/tables.md) as Arrow IPC files, which pandas, DuckDB and Power BI open. */
import {
  Bool,
  Dictionary,
  Field,
  Float32,
  Float64,
  Int32,
  List,
  makeData,
  makeVector,
  RecordBatch,
  Schema,
  Struct,
  Table,
  tableToIPC,
  TimestampMicrosecond,
  Uint64,
  Utf8,
  vectorFromArray,
  type Data,
  type DataType,
} from "apache-arrow";
import { NO_UTC, type ExportTable, type TableColumn } from "@aglens/ag-model/tables";

/**
 * One table as an Arrow IPC file. A field's metadata has its `unit` and `about`.
 * @param metadata of the capture, which is stored in the schema
 */
export function encodeExportTable(
  { length, columns }: ExportTable,
  metadata: Readonly<Record<string, string>>,
): Uint8Array {
  const fields: Field[] = [];
  const children: Data[] = [];
  for (const [id, column] of columns.entries()) {
    const data = dataOf(column, length, id);
    fields.push(new Field(column.name, data.type, true, wordsOf(column)));
    children.push(data);
  }
  const schema = new Schema(fields, new Map(Object.entries(metadata)));
  const rows = makeData({ type: new Struct(fields), length, children });
  return tableToIPC(new Table(schema, new RecordBatch(schema, rows)), "file");
}

function wordsOf({ unit, about }: TableColumn): Map<string, string> {
  return new Map(Object.entries({ unit, about }).filter(([, words]) => words !== ""));
}

/** @param id number of the column, by which readers find its dictionary */
function dataOf(column: TableColumn, length: number, id: number): Data {
  switch (column.kind) {
    case "float64":
      return withNulls(new Float64(), column.values, length, (row) => Number.isNaN(column.values[row]));
    case "float32":
      return withNulls(new Float32(), column.values, length, (row) => Number.isNaN(column.values[row]));
    case "int32":
      return makeVector(column.values).data[0] ?? makeData({ type: new Int32(), length: 0 });
    case "uint64":
      return makeData({ type: new Uint64(), length, data: column.values });
    case "utc": {
      const { nullBitmap, nullCount } = nulls(length, (row) => column.values[row] === NO_UTC);
      const type = new TimestampMicrosecond("UTC");
      return makeData({ type, length, data: column.values, nullBitmap, nullCount });
    }
    case "boolean":
      return only(
        vectorFromArray(
          Array.from(column.values, (value) => value === 1),
          new Bool(),
        ).data,
      );
    case "dictionary": {
      const dictionary = vectorFromArray([...column.texts], new Utf8());
      const type = new Dictionary(new Utf8(), new Int32(), id);
      const { nullBitmap, nullCount } = nulls(length, (row) => (column.codes[row] ?? -1) < 0);
      const data = column.codes.map((code) => Math.max(0, code));
      return makeData({ type, length, data, dictionary, nullBitmap, nullCount });
    }
    case "text":
      return only(vectorFromArray([...column.values], new Utf8()).data);
    case "texts": {
      const type = new List(new Field("item", new Utf8(), false));
      return only(
        vectorFromArray(
          column.values.map((texts) => [...texts]),
          type,
        ).data,
      );
    }
  }
}

function withNulls(
  type: Float32 | Float64,
  data: Float64Array | Float32Array,
  length: number,
  isNull: (row: number) => boolean,
): Data {
  return makeData({ type: type as Float64, length, data: data as Float64Array, ...nulls(length, isNull) });
}

/** A bit per row, set where there is a value. */
function nulls(
  length: number,
  isNull: (row: number) => boolean,
): { readonly nullBitmap: Uint8Array; readonly nullCount: number } {
  const nullBitmap = new Uint8Array(Math.ceil(length / 8));
  let nullCount = 0;
  for (let row = 0; row < length; row++) {
    if (isNull(row)) nullCount++;
    else nullBitmap[row >> 3] = (nullBitmap[row >> 3] ?? 0) | (1 << (row & 7));
  }
  return { nullBitmap, nullCount };
}

function only<Type extends DataType>(data: readonly Data<Type>[]): Data<Type> {
  const [first] = data;
  if (first === undefined) throw new RangeError("A column has no data.");
  return first;
}
