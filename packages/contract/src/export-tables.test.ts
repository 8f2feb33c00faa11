import type { ExportTable, TableColumn } from "@aglens/ag-model/tables";
import { tableFromIPC } from "apache-arrow";
import { expect, it } from "vitest";
import { encodeExportTable } from "./export-tables.ts";

/** A column of each kind with no row, and with two of which the second one has no value where the kind can leave it out. */
const columnsOf = (rows: 0 | 2): TableColumn[] => {
  const some = <T>(...values: T[]): T[] => values.slice(0, rows);
  return [
    { name: "float64", unit: "µs", kind: "float64", values: Float64Array.from(some(1.5, Number.NaN)) },
    { name: "float32", unit: "µs", kind: "float32", values: Float32Array.from(some(2.5, Number.NaN)) },
    { name: "int32", unit: "", kind: "int32", values: Int32Array.from(some(-1, 7)) },
    { name: "uint64", unit: "", kind: "uint64", values: BigUint64Array.from(some(0n, 2n ** 64n - 1n)) },
    { name: "boolean", unit: "", kind: "boolean", values: Uint8Array.from(some(1, 0)) },
    {
      name: "dictionary",
      unit: "",
      kind: "dictionary",
      codes: Int32Array.from(some(1, -1)),
      texts: ["a", "b"],
    },
    { name: "no dictionary", unit: "", kind: "dictionary", codes: Int32Array.from(some(-1, -1)), texts: [] },
    { name: "text", unit: "", kind: "text", values: some("x", "") },
    { name: "texts", unit: "", kind: "texts", values: some(["y", "z"], []) },
  ];
};

const encoded = (rows: 0 | 2) => {
  const table: ExportTable = { name: "all", length: rows, columns: columnsOf(rows) };
  return tableFromIPC(encodeExportTable(table, { capture: "c" }));
};

it("writes a table without a row with the schema of one with rows", () => {
  const [empty, full] = [encoded(0), encoded(2)];
  expect(empty.numRows).toBe(0);
  expect(empty.toArray()).toEqual([]);
  expect(empty.schema.metadata.get("capture")).toBe("c");
  const fieldsOf = ({ schema }: typeof empty) =>
    schema.fields.map(({ name, type, metadata }) => [name, String(type), metadata.get("unit")]);
  expect(fieldsOf(empty)).toEqual(fieldsOf(full));
  expect(fieldsOf(empty)).toHaveLength(9);
});

it("writes values of every kind, and null where there is none", () => {
  const rows = encoded(2)
    .toArray()
    .map((row) => ({ ...row!.toJSON(), texts: [...row!.toJSON()["texts"]] }));
  expect(rows).toEqual([
    {
      float64: 1.5,
      float32: 2.5,
      int32: -1,
      uint64: 0n,
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
      boolean: false,
      dictionary: null,
      "no dictionary": null,
      text: "",
      texts: [],
    },
  ]);
});
