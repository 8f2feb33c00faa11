import fc from "fast-check";
import { expect, test } from "vitest";
import { countOfLargest } from "./selection.ts";

const count = (sum: number, ...values: number[]): number => countOfLargest(Float64Array.from(values), sum);

test("the largest values that come to a sum are counted", () => {
  // 9, 5, 3, 2, 1.
  expect([0, 1, 9, 10, 14, 15, 17, 20].map((sum) => count(sum, 3, 9, 1, 5, 2))).toEqual([
    0, 1, 1, 2, 2, 3, 3, 5,
  ]);
});

test("values that do not come to it are all counted; equal ones one by one", () => {
  expect([count(30, 3, 9, 1), count(1), count(12, 5, 5, 5, 5)]).toEqual([3, 0, 3]);
});

test("it is as many as are added up from the largest on", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(1_000), { maxLength: 900 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (values, share) => {
        const sum = share * values.reduce((all, each) => all + each, 0);
        let expected = 0;
        const descending = values.toSorted((a, b) => b - a);
        for (let sofar = 0; sofar < sum; expected++) sofar += descending[expected] ?? Infinity;
        expect(count(sum, ...values)).toBe(expected);
      },
    ),
  );
});
