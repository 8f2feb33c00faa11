import { tableFromIPC } from "apache-arrow";
import { expect, it } from "vitest";
import { encodeExportTable } from "./export-tables.ts";
import { everyColumn, everyValue } from "../test/every-column.ts";

const encoded = (rows: 0 | 2) => tableFromIPC(encodeExportTable(everyColumn(rows), { capture: "c" }));

it("writes a table without a row with the schema of one with rows", () => {
  const [empty, full] = [encoded(0), encoded(2)];
  expect(empty.numRows).toBe(0);
  expect(empty.toArray()).toEqual([]);
  expect(empty.schema.metadata.get("capture")).toBe("c");
  const fieldsOf = ({ schema }: typeof empty) =>
    schema.fields.map(({ name, type, metadata }) => [name, String(type), metadata.get("unit")]);
  expect(fieldsOf(empty)).toEqual(fieldsOf(full));
  expect(fieldsOf(empty)).toHaveLength(10);
});

it("says of a column its unit and what it is", () => {
  const [field, ...others] = encoded(2).schema.fields;
  expect(field?.metadata).toEqual(new Map([["unit", "µs"], ["about", "how long"]])); // prettier-ignore
  expect(others[1]?.metadata.size).toBe(0);
});

it("writes values of every kind, and null where there is none", () => {
  const rows = encoded(2)
    .toArray()
    .map((row) => ({ ...row!.toJSON(), texts: [...row!.toJSON()["texts"]] }));
  expect(rows).toEqual(everyValue(1508272623148.001));
});
