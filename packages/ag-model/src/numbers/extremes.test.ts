import { expect, it } from "vitest";
import { largest, runningMaximum, smallest } from "./extremes.ts";

it("takes the least and the largest of the values that are known", () => {
  const column = Float64Array.of(Number.NaN, 4, -2, Number.NaN, 9, 0);
  expect(smallest(column)).toBe(-2);
  expect(largest(column)).toBe(9);
  expect(largest([-3, -8])).toBe(-3);
  expect(smallest([Infinity, 8])).toBe(8);
  expect(largest([-Infinity])).toBe(-Infinity);
});

it("is NaN of no value", () => {
  for (const none of [[], [Number.NaN], new Float64Array(3).fill(Number.NaN)]) {
    expect(smallest(none)).toBeNaN();
    expect(largest(none)).toBeNaN();
  }
});

it("takes the rows asked for, the last one not included and none behind the end", () => {
  const column = Float64Array.of(9, 1, 5, 7, 0);
  expect(largest(column, 1, 4)).toBe(7);
  expect(smallest(column, 2, 4)).toBe(5);
  expect(smallest(column, 2)).toBe(0);
  expect(largest(column, 3, 10)).toBe(7);
  expect(smallest(column, 4, 2)).toBeNaN();
});

it("has no limit in the number of values", () => {
  expect(largest(Array.from({ length: 300_000 }, (_, i) => i))).toBe(299_999);
});

it("runs along with the largest value so far", () => {
  expect([...runningMaximum(Float64Array.of(Number.NaN, 3, 1, Number.NaN, 5, 4))]).toEqual([
    Number.NEGATIVE_INFINITY,
    3,
    3,
    3,
    5,
    5,
  ]);
});
