import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rankedRows } from "./ranked-rows.ts";

const ORDER = fc.constantFrom("ascending" as const, "descending" as const);
/** Few values, so that many are equal, and some rows without one. */
const COLUMN = fc
  .array(fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ min: 0, max: 9 }), fc.constant(Number.NaN)))
  .map((values) => Float64Array.from(values));

describe("rows in order of a value", () => {
  it("by hand: equal ones as given, those without a value last", () => {
    const column = Float64Array.of(5, Number.NaN, 7, 5, 1);
    const rows = Uint32Array.of(0, 1, 2, 3, 4);
    expect([...rankedRows(column, rows, 3, "descending")]).toEqual([2, 0, 3]);
    expect([...rankedRows(column, rows, 2, "descending")]).toEqual([2, 0]);
    expect([...rankedRows(column, rows, 9, "ascending")]).toEqual([4, 0, 3, 2, 1]);
    expect([...rankedRows(column, rows, 0, "ascending")]).toEqual([]);
  });

  it("the first ones are those of all of them sorted", () => {
    fc.assert(
      fc.property(COLUMN, ORDER, fc.nat(40), fc.nat(3), (column, order, count, skipped) => {
        const rows = Uint32Array.from(column.keys()).subarray(Math.min(skipped, column.length));
        const sign = order === "descending" ? -1 : 1;
        const known = Array.from(rows).filter((row) => !Number.isNaN(column[row]));
        const sorted = [
          ...known.toSorted((a, b) => sign * (column[a] - column[b]) || a - b),
          ...Array.from(rows).filter((row) => Number.isNaN(column[row])),
        ];
        const kept = column.slice();
        expect([...rankedRows(column, rows, count, order)]).toEqual(sorted.slice(0, count));
        expect(column).toEqual(kept);
      }),
    );
  });
});
