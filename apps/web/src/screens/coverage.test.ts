import { expect, test } from "vitest";
import { failoverOf, replicaSummary, summaryOf } from "../../test/summary.ts";
import {
  uncoveredByRole,
  uncoveredFor,
  uncoveredNames,
  uncoveredStretches,
  underWayByRole,
} from "./coverage.ts";

/** SQL1's file ends at 9 s, SQL2's begins at 1 s. */
const replicas = [replicaSummary({ role: "primary", to: 9e6 }), replicaSummary({ name: "SQL2", from: 1e6 })];

test("what a file does not cover lacks in the role that its server had then", () => {
  const failover = { ...failoverOf(), replicas };
  expect(uncoveredStretches(failover)).toEqual([
    [9e6, 10e6, 0],
    [0, 1e6, 1],
  ]);
  // From 6 s on SQL1 is the secondary; before 4 s SQL2 was it.
  expect(uncoveredByRole(failover)).toEqual([
    [0, 1e6, 1, 1],
    [9e6, 10e6, 1, 0],
  ]);
  expect(uncoveredFor(failover, 0)).toHaveLength(2);
});

test("what a server lost between its other events is missing in its role", () => {
  const missing = [{ replica: 1, from: 5e6, to: 7e6 }];
  expect(uncoveredStretches(summaryOf({ replicas, missing }))).toEqual([
    [9e6, 10e6, 0],
    [0, 1e6, 1],
    [5e6, 7e6, 1],
  ]);
  // SQL2 is the secondary before 4 s and the primary from 6 s on; in between it may be either.
  expect(uncoveredByRole({ ...failoverOf(), replicas, missing })).toEqual([
    [0, 1e6, 1, 1],
    [5e6, 6e6, 1, 1],
    [9e6, 10e6, 1, 0],
    [5e6, 7e6, 0, 1],
  ]);
});

test("a file that ends while the other server takes over lacks in both roles until then", () => {
  const ends = [replicaSummary({ role: "primary", to: 5e6 }), replicaSummary({})];
  expect(uncoveredByRole({ ...failoverOf(), replicas: ends })).toEqual([
    [5e6, 6e6, 0, 0],
    [5e6, 10e6, 1, 0],
  ]);
});

test("what was sent and had not arrived is on the way to its replica, in the role that it had then", () => {
  const underWay = [{ replica: 1, from: 2e6, to: 9e6 }];
  expect(underWayByRole(summaryOf({ replicas, underWay }))).toEqual([[2e6, 9e6, 1, 1]]);
  // SQL2 is the primary from 6 s on.
  expect(
    underWayByRole({ ...failoverOf(), replicas, underWay: [{ replica: 1, from: 2e6, to: 4e6 }] }),
  ).toEqual([[2e6, 4e6, 1, 1]]);
});

test("without a change of roles roles are replicas", () => {
  const summary = summaryOf({ replicas });
  expect(uncoveredByRole(summary)).toEqual([
    [9e6, 10e6, 0, 0],
    [0, 1e6, 1, 1],
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
