import fc from "fast-check";
import { expect, it } from "vitest";
import { assign } from "./assign.ts";

/** Least cost by trying every way. */
function byTrying(costs: readonly (readonly number[])[]): number {
  const [first, ...rest] = costs;
  if (first === undefined) return 0;
  return Math.min(
    ...first.map((cost, column) => cost + byTrying(rest.map((row) => row.filter((_, c) => c !== column)))),
  );
}

const costTable = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 3 }))
  .chain(([few, more]) =>
    fc.array(fc.array(fc.nat(1_000), { minLength: few + more, maxLength: few + more }), {
      minLength: few,
      maxLength: few,
    }),
  );

it("gives each row a column of its own at the least cost of all ways", () => {
  fc.assert(
    fc.property(costTable, (costs) => {
      const columns = assign(costs.length, costs[0].length, (row, column) => costs[row][column]);
      expect(new Set(columns).size).toBe(costs.length);
      const cost = columns.reduce((sum, column, row) => sum + costs[row][column], 0);
      expect(cost).toBe(byTrying(costs));
    }),
  );
});

it("gives no column to no row", () => {
  expect([...assign(0, 3, () => 1)]).toEqual([]);
});
