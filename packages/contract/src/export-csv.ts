/** Tables for export (docs/reference/tables.md) as CSV, which spreadsheets open. */
import { columnReader, utcText, type ExportTable, type TableColumn } from "@aglens/ag-model/tables";

/** Two decimals of a µs are more than any event's clock has. */
const STEPS_PER_UNIT = 100;

/** Without this mark Excel reads UTF-8 in the code page of its computer. */
export const UTF8_MARK = "\uFEFF";

/** Lines as a file: RFC 4180, UTF-8 with its mark. */
export function csvFile(lines: readonly string[]): Uint8Array {
  return new TextEncoder().encode(`${UTF8_MARK}${lines.join("\r\n")}\r\n`);
}

/** One table as CSV, with units in the header; an empty field is an unknown value. */
export function encodeCsvTable(table: ExportTable): Uint8Array {
  const fieldOf = table.columns.map((column) => csvReader(table, column));
  const lines = [table.columns.map(csvHead).join(",")];
  for (let row = 0; row < table.length; row++) lines.push(fieldOf.map((field) => field(row)).join(","));
  return csvFile(lines);
}

/** The name, which ends with its unit in ASCII: `start_us`, `size_bytes`. */
export function csvHead({ name, unit }: Pick<TableColumn, "name" | "unit">): string {
  const end = unit === "" ? "" : `_${unit.replace("µ", "u").replaceAll(/[^a-z\d]+/giu, "_")}`;
  return csvText(name.endsWith(end) ? name : `${name}${end}`);
}

function csvReader(table: ExportTable, { name, kind }: TableColumn): (row: number) => string {
  const read = columnReader(table, name);
  if (kind !== "utc") return (row) => csvValue(read(row));
  return (row) => {
    const instant = read(row);
    return instant === null ? "" : csvText(utcText(instant as bigint));
  };
}

function csvValue(value: ReturnType<ReturnType<typeof columnReader>>): string {
  if (value === null) return "";
  if (typeof value === "number") return String(Math.round(value * STEPS_PER_UNIT) / STEPS_PER_UNIT);
  if (typeof value === "string") return csvText(value);
  return typeof value === "object" ? csvText(value.join("; ")) : String(value);
}

/** Quoted as in RFC 4180; a name must not become a formula in the program that opens the table. */
export function csvText(text: string): string {
  const plain = /^[=+\-@\t\r]/u.test(text) ? `'${text}` : text;
  return `"${plain.replaceAll('"', '""')}"`;
}
