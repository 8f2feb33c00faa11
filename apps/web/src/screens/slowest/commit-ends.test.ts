import { expect, test } from "vitest";
import { replicaSummary } from "../../../test/summary.ts";
import { slowCommit } from "../../../test/slow-commits.ts";
import { longestEnd, nextReady, partsOf, releasingPart, shownParts } from "./commit-ends.ts";

const replicas = [
  replicaSummary({ role: "primary", name: "SQL1" }),
  replicaSummary({ name: "SQL2" }),
  replicaSummary({ name: "SQL3" }),
  replicaSummary({ name: "SQL4", commitMode: "async" }),
];
const phaseOf = (primary: number, from: number, commitModes: ("sync" | "async")[]) => ({
  databases: [0],
  primary,
  from,
  to: from + 10e6,
  commitModes,
});
const summary = { replicas, phases: [phaseOf(0, 0, ["sync", "sync", "async"])] };

test("after a change of roles a path leads to the replica that is a secondary then", () => {
  const [sql1, sql2] = replicas;
  const moved = {
    replicas: [sql1, sql2],
    phases: [phaseOf(0, 0, ["sync"]), phaseOf(1, 10e6, ["async"])],
  };
  const partAt = (start: number) => partsOf(slowCommit({ start, ends: [12_000] }), moved)[1];
  expect(partAt(5e6)).toMatchObject({ name: "SQL2", isAsynchronous: false });
  expect(partAt(15e6)).toMatchObject({ name: "SQL1", isAsynchronous: true });
});

test("the next that was ready is the last of the others that commits wait for", () => {
  const commit = slowCommit({ gate: 2, localEnd: 9_000, ends: [12_000, 11_500, 90_000] });
  const parts = partsOf(commit, summary);
  expect(releasingPart(parts)?.name).toBe("SQL2");
  expect(nextReady(parts)).toMatchObject({ part: { name: "SQL3" }, earlierUs: 500 });
  const local = partsOf(slowCommit({ gate: 2, localEnd: 11_600, ends: [12_000, 11_500, 90_000] }), summary);
  expect(nextReady(local)).toMatchObject({ part: { name: "local" }, earlierUs: 400 });
});

test("the local log write releases; an asynchronous replica is never next, nor what finished later", () => {
  const parts = partsOf(slowCommit({ gate: 1, localEnd: 12_000, ends: [3_000, 4_000, 11_999] }), summary);
  expect(releasingPart(parts)?.name).toBe("local");
  expect(nextReady(parts)).toMatchObject({ part: { name: "SQL3" }, earlierUs: 8_000 });
  const later = partsOf(slowCommit({ gate: 2, localEnd: 12_001, ends: [12_000, null, null] }), summary);
  expect(nextReady(later)).toBeNull();
  expect(nextReady(partsOf(slowCommit({ gate: 0, localEnd: 1, ends: [2, 3, 4] }), summary))).toBeNull();
});

test("up to five replicas that it can wait for have a line each; of more those that decided, until the row is opened", () => {
  const many = {
    replicas: [...replicas, ...[5, 6, 7, 8].map((n) => replicaSummary({ name: `SQL${n}` }))],
    phases: [phaseOf(0, 0, ["sync", "sync", "async", "sync", "sync", "sync", "sync"])],
  };
  const commit = slowCommit({
    gate: 3,
    localEnd: 1_000,
    ends: [2_000, 9_000, 50_000, 8_000, 7_000, 6_000, 5_000],
  });
  const { shown, left } = shownParts(partsOf(commit, many), false);
  expect(shown.map(({ name }) => name)).toEqual(["local", "SQL3", "SQL5"]);
  expect(left).toBe(4);
  const names = shownParts(partsOf(commit, many), true).shown.map(({ name }) => name);
  expect(names).toEqual(["local", "SQL2", "SQL3", "SQL5", "SQL6", "SQL7", "SQL8"]);
  expect(shownParts(partsOf({ ...commit, paths: commit.paths.slice(0, 6) }, many), false).left).toBe(0);
});

test("one scale holds the longest line that a commit waited for", () => {
  const commits = [
    slowCommit({ gate: 2, localEnd: 9_000, ends: [12_000, null, 90_000] }),
    slowCommit({ waited: 95_000 }),
  ];
  expect(longestEnd(commits, summary)).toBe(95_000);
  expect(longestEnd(commits.slice(0, 1), summary)).toBe(12_000);
  expect(longestEnd([], summary)).toBe(1);
});

test("an asynchronous path does not set the scale, however little longer it is", () => {
  const ends = (asynchronous: number) => [
    slowCommit({ localEnd: 9_000, ends: [12_000, null, asynchronous] }),
  ];
  expect(longestEnd(ends(12_001), summary)).toBe(12_000);
  expect(longestEnd(ends(96_001), summary)).toBe(12_000);
});

test("nor does the path to a synchronous replica that the block was sent to long after its commit", () => {
  const away = slowCommit({ gate: 2, waited: 12_100, localEnd: 9_000, ends: [12_000, 6_510_000, null] });
  expect(longestEnd([away], summary)).toBe(12_100);
  expect(longestEnd([away, slowCommit({ waited: 20_000, ends: [19_000, 18_000, null] })], summary)).toBe(
    20_000,
  );
  // One that the commit did wait for sets it.
  expect(longestEnd([{ ...away, waited: 6_510_100 }], summary)).toBe(6_510_100);
});
