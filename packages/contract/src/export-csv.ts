/** Tables to take away (docs/tables.md) as CSV, which spreadsheets open. */
import { columnReader, utcText, type ExportTable, type TableColumn } from "@aglens/ag-model/tables";

/** Two decimals of a µs are more than any event's clock has. */
const STEPS_PER_UNIT = 100;

/** One table as CSV: RFC 4180, UTF-8, units in the header; an empty field is a value that is not known. */
export function encodeCsvTable(table: ExportTable): Uint8Array {
  const fieldOf = table.columns.map((column) => csvReader(table, column));
  const lines = [table.columns.map(csvHead).join(",")];
  for (let row = 0; row < table.length; row++) lines.push(fieldOf.map((field) => field(row)).join(","));
  return new TextEncoder().encode(`${lines.join("\r\n")}\r\n`);
}

/** The name with its unit, where the name does not end with it: `time_to_commit_us`. */
export function csvHead({ name, unit }: Pick<TableColumn, "name" | "unit">): string {
  const hasUnit = unit === "" || name.endsWith("_us") || name.endsWith(`_${unit}`);
  return csvText(hasUnit ? name : `${name} [${unit}]`);
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

/** Quoted as RFC 4180 has it; a name must not become a formula of whoever opens the table. */
export function csvText(text: string): string {
  const plain = /^[=+\-@\t\r]/u.test(text) ? `'${text}` : text;
  return `"${plain.replaceAll('"', '""')}"`;
}
