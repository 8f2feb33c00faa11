import { NO_UTC, type ExportTable } from "@aglens/ag-model/tables";
import { expect, it } from "vitest";
import { encodeCsvTable } from "./export-csv.ts";

const text = (table: ExportTable): string => new TextDecoder().decode(encodeCsvTable(table));

it("writes units into the header, two decimals, and nothing where there is no value", () => {
  const table: ExportTable = {
    name: "blocks",
    length: 2,
    columns: [
      { name: "utc", unit: "", about: "", kind: "utc", values: BigInt64Array.of(1508272623148001n, NO_UTC) },
      { name: "start", unit: "µs", about: "", kind: "float64", values: Float64Array.of(1.23456, Number.NaN) },
      {
        name: "size_bytes",
        unit: "bytes",
        about: "",
        kind: "float64",
        values: Float64Array.of(512, Number.NaN),
      },
      { name: "id", unit: "", about: "", kind: "uint64", values: BigUint64Array.of(2n ** 64n - 1n, 0n) },
      { name: "first", unit: "", about: "", kind: "boolean", values: Uint8Array.of(1, 0) },
      { name: "gate", unit: "", about: "", kind: "dictionary", codes: Int32Array.of(0, -1), texts: ["SQL2"] },
      { name: "notes", unit: "", about: "", kind: "texts", values: [["a", "b"], []] },
    ],
  };
  expect(text(table)).toBe(
    '"utc","start_us","size_bytes","id","first","gate","notes"\r\n' +
      '"2017-10-17T20:37:03.1480010Z",1.23,512,18446744073709551615,true,"SQL2","a; b"\r\n' +
      ',,,0,false,,""\r\n',
  );
});

it("quotes names and never lets one become a formula", () => {
  const values = ['say "x", please', "=1+1", "+1", "-1", "@a", "a=b"];
  const table: ExportTable = {
    name: "t",
    length: values.length,
    columns: [{ name: "name", unit: "", about: "", kind: "text", values }],
  };
  expect(text(table).split("\r\n").slice(1, -1)).toEqual([
    '"say ""x"", please"',
    `"'=1+1"`,
    `"'+1"`,
    `"'-1"`,
    `"'@a"`,
    '"a=b"',
  ]);
});

it("begins with the mark by which Excel knows UTF-8", () => {
  const table: ExportTable = {
    name: "t",
    length: 1,
    columns: [{ name: "rate", unit: "blocks/s", about: "", kind: "text", values: ["Zürich"] }],
  };
  expect(encodeCsvTable(table).slice(0, 3)).toEqual(Uint8Array.of(0xef, 0xbb, 0xbf));
  expect(text(table)).toBe('"rate_blocks_s"\r\n"Zürich"\r\n');
});
