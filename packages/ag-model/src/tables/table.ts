/** A table for export: named columns with their units, before any file format. */

/** Values of a column; a missing number is NaN, a missing text null. */
export type TableValues =
  | { readonly kind: "float64" | "float32"; readonly values: Float64Array | Float32Array }
  | { readonly kind: "int32"; readonly values: Int32Array }
  | { readonly kind: "uint64"; readonly values: BigUint64Array }
  /** Instants as µs since 1970, UTC; `NO_UTC` for an unknown one. */
  | { readonly kind: "utc"; readonly values: BigInt64Array }
  | { readonly kind: "boolean"; readonly values: Uint8Array }
  /** Texts that repeat: an index into `texts` per row, -1 for none. */
  | { readonly kind: "dictionary"; readonly codes: Int32Array; readonly texts: readonly string[] }
  | { readonly kind: "text"; readonly values: readonly (string | null)[] }
  | { readonly kind: "texts"; readonly values: readonly (readonly string[])[] };

export type TableColumn = TableValues & {
  readonly name: string;
  /** µs, bytes, ppm or a share; empty for a column without a unit. */
  readonly unit: string;
  /** Description for authors of queries, in a few words; empty where the name is clear. */
  readonly about: string;
};

/** A missing instant of a `utc` column. */
export const NO_UTC = -(2n ** 63n);

export interface ExportTable {
  readonly name: string;
  readonly length: number;
  readonly columns: readonly TableColumn[];
}

export const instants = (name: string, values: Float64Array, about = ""): TableColumn => ({
  name,
  unit: "µs",
  about,
  kind: "float64",
  values,
});

export const numbers = (name: string, unit: string, values: Float64Array, about = ""): TableColumn => ({
  name,
  unit,
  about,
  kind: "float64",
  values,
});

export const integers = (name: string, values: Int32Array, about = ""): TableColumn => ({
  name,
  unit: "",
  about,
  kind: "int32",
  values,
});

export const flags = (name: string, values: Uint8Array, about = ""): TableColumn => ({
  name,
  unit: "",
  about,
  kind: "boolean",
  values,
});

export const labels = (
  name: string,
  codes: Int32Array,
  texts: readonly string[],
  about = "",
): TableColumn => ({
  name,
  unit: "",
  about,
  kind: "dictionary",
  codes,
  texts,
});

export const texts = (name: string, values: readonly (string | null)[], about = ""): TableColumn => ({
  name,
  unit: "",
  about,
  kind: "text",
  values,
});

/** The values of one column of a table by row, as a reader of the file gets them: null for a missing value. */
export function columnReader(
  table: ExportTable,
  name: string,
): (row: number) => number | bigint | string | boolean | readonly string[] | null {
  const column = table.columns.find((each) => each.name === name);
  if (column === undefined) throw new RangeError(`The table ${table.name} has no column ${name}.`);
  switch (column.kind) {
    case "dictionary":
      return (row) => (column.codes[row] < 0 ? null : column.texts[column.codes[row]]);
    case "boolean":
      return (row) => column.values[row] === 1;
    case "float64":
    case "float32":
      return (row) => (Number.isNaN(column.values[row]) ? null : column.values[row]);
    case "utc":
      return (row) => (column.values[row] === NO_UTC ? null : column.values[row]);
    default:
      return (row) => column.values[row];
  }
}
