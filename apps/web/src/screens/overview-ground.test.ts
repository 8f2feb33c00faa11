import { expect, test } from "vitest";
import { overviewOf } from "../../test/overview.ts";
import { failoverOf, replicaSummary, summaryOf } from "../../test/summary.ts";
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

test("after a change of roles it is the new primary's loss that touches every secondary", () => {
  // SQL2 takes over from SQL1 at 4 to 6 s; SQL3 is a secondary throughout.
  const { phases, ...failover } = failoverOf();
  const summary = {
    ...failover,
    phases: phases.map((phase) => ({ ...phase, commitModes: ["sync" as const, "sync" as const] })),
    replicas: ["SQL1", "SQL2", "SQL3"].map((name) => replicaSummary({ name })),
    missing: [
      { replica: 1, from: 1e6, to: 2e6 },
      { replica: 1, from: 5e6, to: 7e6 },
      { replica: 0, from: 8e6, to: 9e6 },
    ],
  };
  const uncovered = (secondary: number) =>
    overviewGround(summary, null, secondary, { from: 0, to: 10e6 }).uncovered;
  // Slot 0 leads to SQL2 and then to SQL1, slot 1 to SQL3.
  expect(uncovered(0)).toEqual([
    [1e6, 2e6, 1],
    [5e6, 7e6, 1],
    [8e6, 9e6, 0],
  ]);
  expect(uncovered(1)).toEqual([[5e6, 7e6, 1]]);
});
