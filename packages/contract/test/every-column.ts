import { NO_UTC, type ExportTable, type TableColumn } from "@aglens/ag-model/tables";

/** A column of each kind with no row, and with two of which the second one has no value where the kind can leave it out. */
export function everyColumn(rows: 0 | 2): ExportTable {
  const some = <T>(...values: T[]): T[] => values.slice(0, rows);
  const column = { unit: "", about: "" };
  const columns: TableColumn[] = [
    {
      name: "float64",
      unit: "µs",
      about: "how long",
      kind: "float64",
      values: Float64Array.from(some(1.5, Number.NaN)),
    },
    {
      name: "float32",
      unit: "µs",
      about: "",
      kind: "float32",
      values: Float32Array.from(some(2.5, Number.NaN)),
    },
    { ...column, name: "int32", kind: "int32", values: Int32Array.from(some(-1, 7)) },
    { ...column, name: "uint64", kind: "uint64", values: BigUint64Array.from(some(0n, 2n ** 64n - 1n)) },
    // 2017-10-17T20:37:03.148001Z is 1,508,272,623.148001 s after 1970.
    { ...column, name: "utc", kind: "utc", values: BigInt64Array.from(some(1508272623148001n, NO_UTC)) },
    { ...column, name: "boolean", kind: "boolean", values: Uint8Array.from(some(1, 0)) },
    {
      ...column,
      name: "dictionary",
      kind: "dictionary",
      codes: Int32Array.from(some(1, -1)),
      texts: ["a", "b"],
    },
    { ...column, name: "no dictionary", kind: "dictionary", codes: Int32Array.from(some(-1, -1)), texts: [] },
    { ...column, name: "text", kind: "text", values: some("x", "") },
    { ...column, name: "texts", kind: "texts", values: some(["y", "z"], []) },
  ];
  return { name: "all", length: rows, columns };
}

/**
 * The two rows as a reader returns them. @param utc the instant of the first, 2017-10-17T20:37:03.148001Z, in that
 * reader's form
 */
export const everyValue = (utc: number | bigint) => [
  {
    float64: 1.5,
    float32: 2.5,
    int32: -1,
    uint64: 0n,
    utc,
    boolean: true,
    dictionary: "b",
    "no dictionary": null,
    text: "x",
    texts: ["y", "z"],
  },
  {
    float64: null,
    float32: null,
    int32: 7,
    uint64: 2n ** 64n - 1n,
    utc: null,
    boolean: false,
    dictionary: null,
    "no dictionary": null,
    text: "",
    texts: [],
  },
];
