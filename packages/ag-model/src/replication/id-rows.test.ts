import { expect, it } from "vitest";
import { allRows } from "../numbers/index.ts";
import { numberIds } from "./event-ids.ts";
import { rowIn, rowInAny, rowsOfIds } from "./id-rows.ts";

// Numbers 0 to 4.
const ids = numberIds(BigUint64Array.of(10n, 20n, 30n, 40n, 50n));

/** Block ids by row: three of database 0, then three of database 1. */
const rows = rowsOfIds(ids, {
  high: new Uint32Array(6),
  low: Uint32Array.of(10, 20, 35, 20, 40, 60),
  row: allRows(6),
  database: Uint16Array.of(0, 0, 0, 1, 1, 1),
});

it("finds the row of an id in one database, also where two databases share it", () => {
  expect([0, 1, 2, 3, 4].map((number) => rowIn(rows, number, 0))).toEqual([0, 1, -1, -1, -1]);
  expect([0, 1, 2, 3, 4].map((number) => rowIn(rows, number, 1))).toEqual([-1, 3, -1, 4, -1]);
  expect(rowIn(rows, 1, 2)).toBe(-1);
});

it("finds the row of the first database that has an id", () => {
  expect([0, 1, 2, 3, 4].map((number) => rowInAny(rows, number))).toEqual([0, 1, -1, 4, -1]);
});

it("takes the last of several blocks of a database that end at one place", () => {
  const ends = rowsOfIds(ids, {
    high: new Uint32Array(4),
    low: Uint32Array.of(30, 30, 30, 50),
    row: Uint32Array.of(1, 0, 2, 3),
    database: Uint16Array.of(0, 0, 1, 1),
  });
  expect([rowIn(ends, 2, 0), rowIn(ends, 2, 1), rowInAny(ends, 2), rowIn(ends, 4, 1)]).toEqual([0, 2, 0, 3]);
});
