import { expect, test } from "vitest";
import { replicaNamed } from "../../test/replicas.ts";
import { captureLanes, visibleLanes } from "./lanes.ts";
import { showsDatabase, splitByDatabase, unsplitKey } from "./split-lanes.ts";

const lanes = visibleLanes(captureLanes([replicaNamed("SQL1"), replicaNamed("SQL2")]), []);
const split = splitByDatabase(lanes, [
  { index: 1, name: "Sales1" },
  { index: 0, name: "Sales2" },
]);

test("commits and log writes have a lane per database, the shared path has one for both", () => {
  expect(split.filter(({ tall }) => tall).map(({ key, label, database }) => [key, label, database])).toEqual([
    ["commit.db1", "Commits, Sales1", 1],
    ["commit.db0", "Commits, Sales2", 0],
    ["localFlush.db1", "Log write, Sales1", 1],
    ["localFlush.db0", "Log write, Sales2", 0],
    ["hop0.wireOut", "Network out, both", null],
    ["hop0.secondaryFlush.db1", "Log write, Sales1", 1],
    ["hop0.secondaryFlush.db0", "Log write, Sales2", 0],
    ["hop0.wireBack", "Network back, both", null],
  ]);
  expect([...new Set(split.map(unsplitKey))]).toEqual(lanes.map(({ key }) => key));
});

test("a place is named and opened once", () => {
  expect(split.filter(({ heading }) => heading !== "").length).toBe(
    lanes.filter(({ heading }) => heading !== "").length,
  );
  expect(split.filter(({ opensPlace }) => opensPlace).length).toBe(
    lanes.filter(({ opensPlace }) => opensPlace).length,
  );
});

test("a capture of one database has the lanes that it had", () => {
  expect(splitByDatabase(lanes, [{ index: 0, name: "Sales1" }])).toEqual(lanes);
});

test("a shared lane shows every database, another one its own", () => {
  expect([showsDatabase({ database: null }, 1), showsDatabase({ database: 1 }, 1)]).toEqual([true, true]);
  expect(showsDatabase({ database: 0 }, 1)).toBe(false);
});
