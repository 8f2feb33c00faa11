/** Tables with some rows only, and the numbers that blocks have in the complete capture. */
import type { ExportTable, TableColumn } from "./table.ts";

/**
 * The rows of a table whose blocks are marked with 1, by the numbers that the table has for them; rows without a block
 * are skipped.
 */
export function withBlocks(table: ExportTable, isIn: Uint8Array): ExportTable {
  const block = table.columns.find(({ name }) => name === "block");
  if (block?.kind !== "int32") throw new RangeError(`The table ${table.name} has no column block.`);
  const kept = Array.from(block.values.keys()).filter((row) => isIn[block.values[row]] === 1);
  const isKept = new Uint8Array(table.length);
  for (const row of kept) isKept[row] = 1;
  return {
    ...table,
    length: kept.length,
    columns: table.columns.map((column) => pickedColumn(column, isKept)),
  };
}

function pickedColumn(column: TableColumn, isKept: Uint8Array): TableColumn {
  const keep = (_: unknown, row: number): boolean => isKept[row] === 1;
  switch (column.kind) {
    case "dictionary":
      return { ...column, codes: column.codes.filter(keep) };
    case "float64":
    case "float32":
      return { ...column, values: column.values.filter(keep) };
    case "int32":
      return { ...column, values: column.values.filter(keep) };
    case "utc":
      return { ...column, values: column.values.filter(keep) };
    case "uint64":
      return { ...column, values: column.values.filter(keep) };
    case "boolean":
      return { ...column, values: column.values.filter(keep) };
    case "text":
      return { ...column, values: column.values.filter(keep) };
    case "texts":
      return { ...column, values: column.values.filter(keep) };
  }
}

/**
 * The table of a part of a capture with the numbers that its blocks have in the complete capture. @param rows null for
 * the complete capture
 */
export function withFullRows(table: ExportTable, rows: Uint32Array | null): ExportTable {
  if (rows === null) return table;
  const columns = table.columns.map((column) =>
    column.kind === "int32" && column.name === "block"
      ? { ...column, values: column.values.map((row) => (row < 0 ? -1 : rows[row])) }
      : column,
  );
  return { ...table, columns };
}
