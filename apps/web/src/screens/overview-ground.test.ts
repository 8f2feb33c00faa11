import { expect, test } from "vitest";
import { overviewOf } from "../../test/overview.ts";
import { summaryOf } from "../../test/summary.ts";
import { overviewGround } from "./overview-ground.ts";

test("what a server lost between its other events is hatched, as far as it touches the range and the secondary", () => {
  const summary = summaryOf({
    missing: [
      { replica: 1, from: 1e6, to: 3e6 },
      { replica: 2, from: 2e6, to: 3e6 },
      { replica: 0, from: 8e6, to: 9e6 },
    ],
  });
  const uncovered = (from: number, to: number) =>
    overviewGround(summary, { ...overviewOf({}), uncovered: [[0, 5e5, 1]] }, 0, { from, to }).uncovered;
  expect(uncovered(0, 10e6)).toEqual([
    [0, 5e5, 1],
    [1e6, 3e6, 1],
    [8e6, 9e6, 0],
  ]);
  expect(uncovered(2e6, 8e6)).toEqual([
    [0, 5e5, 1],
    [2e6, 3e6, 1],
  ]);
});
