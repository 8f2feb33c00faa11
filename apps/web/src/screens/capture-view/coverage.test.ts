import { expect, test } from "vitest";
import { overviewOf } from "../../../test/overview.ts";
import { failoverOf, replicaSummary, summaryOf } from "../../../test/summary.ts";
import {
  joinableBlocks,
  lostPlacesFor,
  overviewGround,
  uncoveredByRole,
  uncoveredFor,
  uncoveredNames,
  uncoveredPeriods,
  underWayByRole,
} from "./coverage.ts";

/** SQL1's file ends at 9 s, SQL2's begins at 1 s. */
const replicas = [replicaSummary({ role: "primary", to: 9e6 }), replicaSummary({ name: "SQL2", from: 1e6 })];

test("what a file does not cover lacks in the role that its server had then", () => {
  const failover = { ...failoverOf(), replicas };
  expect(uncoveredPeriods(failover)).toEqual([
    [9e6, 10e6, 0, "notRecorded"],
    [0, 1e6, 1, "notRecorded"],
  ]);
  // From 6 s on SQL1 is the secondary; before 4 s SQL2 was it.
  expect(uncoveredByRole(failover)).toEqual([
    [0, 1e6, 1, 1, "notRecorded"],
    [9e6, 10e6, 1, 0, "notRecorded"],
  ]);
  expect(uncoveredFor(failover, 0)).toHaveLength(2);
});

test("what a server lost between its other events is missing in its role", () => {
  const missing = [{ replica: 1, from: 5e6, to: 7e6 }];
  expect(uncoveredPeriods(summaryOf({ replicas, missing }))).toEqual([
    [9e6, 10e6, 0, "notRecorded"],
    [0, 1e6, 1, "notRecorded"],
    [5e6, 7e6, 1, "lost"],
  ]);
  // SQL2 is the secondary before 4 s and the primary from 6 s on; in between it may be either.
  expect(uncoveredByRole({ ...failoverOf(), replicas, missing })).toEqual([
    [0, 1e6, 1, 1, "notRecorded"],
    [5e6, 6e6, 1, 1, "lost"],
    [9e6, 10e6, 1, 0, "notRecorded"],
    [5e6, 7e6, 0, 1, "lost"],
  ]);
});

test("a file that ends while the other server takes over lacks in both roles until then", () => {
  const ends = [replicaSummary({ role: "primary", to: 5e6 }), replicaSummary({})];
  expect(uncoveredByRole({ ...failoverOf(), replicas: ends })).toEqual([
    [5e6, 6e6, 0, 0, "notRecorded"],
    [5e6, 10e6, 1, 0, "notRecorded"],
  ]);
});

test("what was sent and had not arrived is on the way to its replica, in the role that it had then", () => {
  const underWay = [{ replica: 1, from: 2e6, to: 9e6 }];
  expect(underWayByRole(summaryOf({ replicas, underWay }))).toEqual([[2e6, 9e6, 1, 1, "notArrived"]]);
  // SQL2 is the primary from 6 s on.
  expect(
    underWayByRole({ ...failoverOf(), replicas, underWay: [{ replica: 1, from: 2e6, to: 4e6 }] }),
  ).toEqual([[2e6, 4e6, 1, 1, "notArrived"]]);
});

test("without a change of roles roles are replicas", () => {
  const summary = summaryOf({ replicas });
  expect(uncoveredByRole(summary)).toEqual([
    [9e6, 10e6, 0, 0, "notRecorded"],
    [0, 1e6, 1, 1, "notRecorded"],
  ]);
});

test("stretches of which several servers have no events name all of them, side by side", () => {
  const both = [
    [0, 5e6, 1],
    [2e6, 6e6, 0],
    [7e6, 8e6, 1],
  ] as const;
  expect(uncoveredNames(summaryOf({ replicas }), both)).toEqual([
    { from: 0, to: 2e6, words: "no events of SQL2" },
    { from: 2e6, to: 5e6, words: "no events of SQL2, SQL1" },
    { from: 5e6, to: 6e6, words: "no events of SQL1" },
    { from: 7e6, to: 8e6, words: "no events of SQL2" },
  ]);
});

test("what was lost and what is on its way are named as such, and apart from what no file covers", () => {
  const named = uncoveredNames(summaryOf({ replicas }), [
    [0, 2e6, 0, "notRecorded"],
    [1e6, 3e6, 1, "lost"],
    [3e6, 4e6, 1, "notArrived"],
  ]);
  expect(named.map(({ words }) => words)).toEqual([
    "no events of SQL1",
    "no events of SQL1, events of SQL2 lost",
    "events of SQL2 lost",
    "not arrived on SQL2 yet",
  ]);
});

test("charts and minimaps of a secondary have what is on its way to it, those of others not", () => {
  const summary = summaryOf({ replicas, underWay: [{ replica: 1, from: 2e6, to: 9e6 }] });
  const ofChart = overviewGround(summary, null, 0, { from: 3e6, to: 4e6 }).uncovered;
  expect(ofChart).toEqual([[3e6, 4e6, 1, "notArrived"]]);
  expect(uncoveredFor(summary, 0)).toContainEqual([2e6, 9e6, "notArrived"]);
  expect(uncoveredFor(summary, 1)).not.toContainEqual([2e6, 9e6, "notArrived"]);
});

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
    [0, 5e5, 1, "notRecorded"],
    [1e6, 3e6, 1, "lost"],
    [8e6, 9e6, 0, "lost"],
  ]);
  expect(uncovered(2e6, 8e6)).toEqual([
    [0, 5e5, 1, "notRecorded"],
    [2e6, 3e6, 1, "lost"],
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
  // Slot 0 is the path to SQL2 and then to SQL1, slot 1 the path to SQL3.
  expect(uncovered(0)).toEqual([
    [1e6, 2e6, 1, "lost"],
    [5e6, 7e6, 1, "lost"],
    [8e6, 9e6, 0, "lost"],
  ]);
  expect(uncovered(1)).toEqual([[5e6, 7e6, 1, "lost"]]);
});

const blocks = { ...summaryOf().blocks, total: 9_145, onBoth: 4_378, primaryOnly: 821, secondaryOnly: 3_946 };

test("blocks of one side count only in time that the other side's files cover", () => {
  const common = { primaryOnly: 2, secondaryOnly: 1, withoutAcknowledgement: 0 };
  expect(joinableBlocks({ blocks: { ...blocks, common } })).toBe(4_381);
});

test("of an earlier version's capture all blocks count", () => {
  expect(joinableBlocks({ blocks })).toBe(9_145);
});

test("a minimap has the lost events of the primary and of the way to its secondary", () => {
  const loss = { replica: 0, database: 0, anchor: "sendEnd" as const, events: 1 };
  const lost = [-1, 0, 1].map((secondary) => {
    const at = 1e6 * (secondary + 2);
    return { ...loss, secondary, places: [[at, at]] as [number, number][] };
  });
  expect(lostPlacesFor(summaryOf({ lost }), 1)).toEqual([
    [1e6, 1e6],
    [3e6, 3e6],
  ]);
});
