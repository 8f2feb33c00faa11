/** Rows in the form that was asked for. It is made where they are: the service only hands on its bytes. */
import { zstdCompressSync } from "node:zlib";
import { csvFile, csvHead, csvText } from "@aglens/contract";
import { encodeParquetTable } from "@aglens/contract/parquet";
import type { SqlFormat, SqlResult, SqlResultColumn } from "@aglens/contract";
import { NO_UTC, utcText, type ExportTable, type TableColumn } from "@aglens/ag-model/tables";
import type { SqlColumn, SqlFile, SqlRows } from "./question.ts";

export function fileOf(rows: SqlRows, format: SqlFormat): SqlFile {
  const { columns: _, ...head } = rows;
  return { ...head, bytes: BYTES[format](rows) };
}

const BYTES: Readonly<Record<SqlFormat, (rows: SqlRows) => Uint8Array>> = {
  json: (rows) => new TextEncoder().encode(JSON.stringify(resultOf(rows))),
  csv: csvOf,
  parquet: (rows) => encodeParquetTable(tableOf(rows), {}, zstdCompressSync),
};

/** The rows as they go over the wire. */
function resultOf(rows: SqlRows): SqlResult {
  return { ...rows, read: [...rows.read], columns: rows.columns.map(resultColumn) };
}

function resultColumn({ name, type, unit, kind, values }: SqlColumn): SqlResultColumn {
  // JSON has no NaN: it is written as null.
  return { name, type, unit, kind, values: [...values] };
}

/** RFC 4180 as the app's other tables (docs/reference/tables.md), but for numbers: a query's may be shares, and are written as they are. */
function csvOf({ columns, rows }: SqlRows): Uint8Array {
  const lines = [columns.map(({ name, unit }) => csvHead({ name, unit: unit ?? "" })).join(",")];
  for (let row = 0; row < rows; row++) lines.push(columns.map((column) => csvField(column, row)).join(","));
  return csvFile(lines);
}

function csvField({ kind, values }: SqlColumn, row: number): string {
  const value = values[row] ?? null;
  if (value === null || Number.isNaN(value)) return "";
  if (kind === "time") return csvText(utcText(BigInt(value)));
  return typeof value === "string" ? csvText(value) : String(value);
}

function tableOf({ columns, rows }: SqlRows): ExportTable {
  const names = uniqueNames(columns.map(({ name }) => name));
  return {
    name: "result",
    length: rows,
    columns: columns.map((column, i) => exportColumn({ ...column, name: names[i] ?? column.name })),
  };
}

/**
 * Readers of Parquet identify columns by their names, some without regard to capitals; a query may have the same name
 * twice.
 */
function uniqueNames(names: readonly string[]): string[] {
  const theirs = new Set(names.map((name) => name.toLowerCase()));
  const given = new Set<string>();
  return names.map((name) => {
    let own = name;
    for (let count = 1; given.has(own.toLowerCase()); count++) {
      const numbered = `${name}_${count}`;
      if (!theirs.has(numbered.toLowerCase())) own = numbered;
    }
    given.add(own.toLowerCase());
    return own;
  });
}

function exportColumn(column: SqlColumn): TableColumn {
  const head = { name: column.name, unit: column.unit ?? "", about: "" };
  switch (column.kind) {
    case "number":
      return { ...head, kind: "float64", values: column.values };
    case "time":
      return {
        ...head,
        kind: "utc",
        values: BigInt64Array.from(column.values, (us) => (Number.isNaN(us) ? NO_UTC : BigInt(us))),
      };
    case "boolean":
      // A table's yes and no is always there; where it may be missing, it is a word.
      return column.values.includes(null)
        ? {
            ...head,
            kind: "text",
            values: column.values.map((value) => (value === null ? null : String(value))),
          }
        : { ...head, kind: "boolean", values: Uint8Array.from(column.values, Number) };
    case "text":
      return { ...head, kind: "text", values: column.values };
  }
}
