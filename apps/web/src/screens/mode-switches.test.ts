import { expect, test } from "vitest";
import { replicaSummary, summaryOf } from "../../test/summary.ts";
import { modesInTurn, modeSwitches, modeSwitchWords } from "./mode-switches.ts";

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
  expect(modeSwitches(changing).map((each) => modeSwitchWords(changing, each))).toEqual([
    "SQL3 async since 02:16:59",
    "SQL2 async since 02:17:02",
    "SQL3 sync since 02:17:02",
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
