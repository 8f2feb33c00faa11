import { expect, test } from "vitest";
import { failoverOf, replicaSummary, summaryOf } from "../../../test/summary.ts";
import { modePhaseName, modesInTurn, modeSwitches, modeSwitchText, phaseEdges } from "./phases.ts";

const phase = (from: number, to: number, commitModes: readonly ("sync" | "async")[], primary = 0) => ({
  databases: [0],
  primary,
  from,
  to,
  commitModes: [...commitModes],
});
const replicas = [
  replicaSummary({ name: "SQL1", role: "primary" }),
  replicaSummary({ name: "SQL2" }),
  replicaSummary({ name: "SQL3" }),
];
const changing = summaryOf({
  replicas,
  phases: [
    phase(0, 4e6, ["sync", "sync"]),
    phase(4e6, 7e6, ["sync", "async"]),
    phase(7e6, 1e7, ["async", "sync"]),
  ],
});

test("each replica whose mode changes is one, with the time and the new mode", () => {
  expect(modeSwitches(changing).map(({ at, replica, mode }) => [at, replica, mode])).toEqual([
    [4e6, 2, "async"],
    [7e6, 1, "async"],
    [7e6, 2, "sync"],
  ]);
  expect(modeSwitches(changing).map((each) => modeSwitchText(changing, each))).toEqual([
    "SQL3 asynchronous-commit from 02:16:59",
    "SQL2 asynchronous-commit from 02:17:02",
    "SQL3 synchronous-commit from 02:17:02",
  ]);
});

test("a replica's modes are named one after the other", () => {
  expect([0, 1, 2].map((replica) => modesInTurn(changing, replica))).toEqual([
    null,
    "sync, then async",
    "sync, then async, then sync",
  ]);
});

test("a change of roles is none, whatever modes there are after it", () => {
  const failover = { phases: [phase(0, 4e6, ["sync"]), phase(5e6, 1e7, ["async"], 1)] };
  expect(modeSwitches(failover)).toEqual([]);
});

test("a phase is named by the change of mode that it begins with, the first by the one that it ends with", () => {
  expect([0, 1, 2].map((index) => modePhaseName(changing, index))).toEqual([
    "SQL3 synchronous-commit until 02:16:59",
    "SQL3 asynchronous-commit from 02:16:59",
    "SQL2 asynchronous-commit, SQL3 synchronous-commit from 02:17:02",
  ]);
  expect(modePhaseName(failoverOf(), 0)).toBeNull();
});

test("edges of phases are changes of roles and of modes, in the order of time", () => {
  const failover = failoverOf();
  const [first, second] = failover.phases;
  const phases = [first, { ...second, to: 8e6 }, { ...second, from: 8e6, commitModes: ["async" as const] }];
  expect(
    phaseEdges({ ...failover, phases }).map(({ from, to, before, after }) => [from, to, before, after]),
  ).toEqual([
    [4e6, 6e6, 0, 1],
    [8e6, 8e6, 1, 2],
  ]);
});
