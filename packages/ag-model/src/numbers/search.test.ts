import fc from "fast-check";
import { expect, it } from "vitest";
import { firstAtOrAfter, firstIndexWhere } from "./search.ts";

it("finds the first value at or after another one, among equal ones the first", () => {
  const column = Float64Array.of(1, 3, 3, 7);
  expect([0, 1, 3, 4, 7, 8].map((value) => firstAtOrAfter(column, value))).toEqual([0, 0, 1, 3, 3, 4]);
  expect(firstAtOrAfter(new Float64Array(), 5)).toBe(0);
});

it("searches columns of bigints, beyond what a double holds", () => {
  const ticks = BigInt64Array.of(
    131_069_746_150_000_001n,
    131_069_746_150_000_002n,
    131_069_746_150_000_003n,
  );
  expect(firstAtOrAfter(ticks, 131_069_746_150_000_002n)).toBe(1);
  expect(firstAtOrAfter(ticks, 131_069_746_150_000_004n)).toBe(3);
});

it("finds what a scan finds, and looks at no index outside", () => {
  const lists = fc.array(fc.integer({ min: -20, max: 20 }), { maxLength: 40 });
  fc.assert(
    fc.property(lists, fc.integer({ min: -22, max: 22 }), (list, value) => {
      const ascending = list.toSorted((a, b) => a - b);
      const scanned = ascending.findIndex((each) => each >= value);
      const asked: number[] = [];
      const found = firstIndexWhere(ascending.length, (index) => {
        asked.push(index);
        return ascending[index] >= value;
      });
      expect(found).toBe(scanned < 0 ? ascending.length : scanned);
      expect(asked.every((index) => index >= 0 && index < ascending.length)).toBe(true);
      expect(asked.length).toBeLessThanOrEqual(Math.ceil(Math.log2(ascending.length + 1)));
    }),
  );
});
