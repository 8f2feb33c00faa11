import { expect, test } from "vitest";
import { capturesTable, type CaptureLine } from "./tables-at-rest.ts";

const line = (id: string, group: string | null, groupName: string | null): CaptureLine => ({
  id,
  name: id,
  group,
  groupName,
  tags: [],
  from: "2016-03-03T02:16:00.0000000Z",
  durationUs: 60e6,
  p95Us: null,
  verdict: null,
  place: null,
});

test("an availability group has a name that people read, and its id in a column of ids", () => {
  const id = "database 814415b6 - 1f2e3d4c, 5a6b7c8d";
  const { rows } = capturesTable([
    line("a", "SALES-AG", "SALES-AG"),
    line("b", id, "2 replicas, 3 Mar 2016"),
    line("c", null, null),
  ]);
  expect(rows.map(({ ag, group }) => [ag, group])).toEqual([
    ["SALES-AG", "SALES-AG"],
    ["2 replicas, 3 Mar 2016", id],
    [null, null],
  ]);
});
