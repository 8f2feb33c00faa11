import { expect, test } from "vitest";
import {
  changedFleet,
  fleetColumn,
  fleetLane,
  fleetSide,
  twoGroups,
  twoReplicas,
} from "../../../test/fleet.ts";
import {
  comparedLanes,
  haveSameCaptures,
  laneOfOther,
  latestColumns,
  medianInView,
  nextOut,
  sideBySide,
  standsOut,
} from "./fleet-figures.ts";

test("a capture stands out by its verdict's place, or because the stage that changed takes longer since", () => {
  const { a } = changedFleet();
  const places = a.columns.map((column) => standsOut(a, column));
  expect(places[5]).toBe("network");
  // The night without a capture makes the 21st night the 20th capture.
  expect(places.indexOf("secondary")).toBe(19);
  expect(places.filter((place) => place === "secondary")).toHaveLength(10);
  expect(places.filter((place) => place === null)).toHaveLength(18);
  const better = { ...a, verdict: { ...a.verdict, isWorse: false } };
  expect(standsOut(better, a.columns[25])).toBeNull();
  expect(standsOut(a, fleetColumn(1, { severity: "notice", place: null }))).toBe("none");
});

test("the next and the previous one that stand out, from either end without a selection", () => {
  const { a } = changedFleet();
  expect([nextOut(a, null, 1)?.column, nextOut(a, 5, 1)?.column, nextOut(a, 29, 1)]).toEqual([5, 20, null]);
  expect([nextOut(a, null, -1)?.column, nextOut(a, 20, -1)?.column, nextOut(a, 5, -1)]).toEqual([
    29,
    5,
    null,
  ]);
});

test("medians are of the captures in view", () => {
  const columns = [0, 1, 2, 3].map((i) => fleetColumn(i));
  const lane = fleetLane("commit", "", [1_000, 3_000, null, 8_000]);
  const side = fleetSide(columns, [lane]);
  expect(medianInView(side, lane, "p95", [0, 4])).toBe(3_000);
  expect(medianInView(side, lane, "p99", [0, 2])).toBe(4_000);
  expect(medianInView(side, lane, "p95", [2, 3])).toBeNull();
});

test("before and since are divided by the verdict's change, without the night that has an episode", () => {
  const { a, days } = changedFleet();
  const { rows, isChange, before, since } = comparedLanes(a, "p50", days.length);
  // Nights 1 to 20 without the sixth and the eleventh.
  expect([isChange, before, since]).toEqual([true, 18, 10]);
  expect(rows.map(({ name, change }) => [name, change?.before, change?.since])).toEqual([
    ["Commit", 2_500, 2_500],
    ["Log write SQL1", 1_200, 1_200],
    ["Log write SQL2", 1_000, 3_000],
  ]);
});

test("without a change the last fourteen captures are held against those before, of few the later half", () => {
  const { a } = changedFleet();
  const still = { ...a, verdict: { ...a.verdict, from: null, lane: null } };
  expect(comparedLanes(still, "p95", 30)).toMatchObject({ isChange: false, since: 14 });
  const few = fleetSide(
    [fleetColumn(3), fleetColumn(7), fleetColumn(9)],
    [fleetLane("commit", "", [1, 2, 3])],
  );
  expect(comparedLanes(few, "p95", 30).rows[0]?.change).toMatchObject({ from: 9, before: 1.5, since: 3 });
  expect(comparedLanes(fleetSide([], []), "p95", 30)).toMatchObject({ rows: [], before: 0 });
  // A single capture cannot be compared.
  const one = fleetSide([fleetColumn(3)], [fleetLane("commit", "", [1])]);
  expect(comparedLanes(one, "p95", 30)).toMatchObject({ rows: [], before: 0, since: 0 });
  const withoutCommits = fleetSide(
    [fleetColumn(3), fleetColumn(7)],
    [fleetLane("commit", "", [null, null]), fleetLane("secondaryFlush", "SQL2", [2, 4])],
  );
  expect(comparedLanes(withoutCommits, "p95", 30)).toMatchObject({ before: 1, since: 1 });
  expect(comparedLanes(withoutCommits, "p95", 30).rows).toHaveLength(2);
});

test("groups are held against each other by what their replicas are, over the last fourteen days", () => {
  const { a, b, days } = twoGroups();
  const latest = latestColumns({ unit: "night", days });
  expect(latest).toEqual([16, 30]);
  expect(latestColumns({ unit: "week", days })).toEqual([28, 30]);
  expect(sideBySide(a, b, "p95", latest)).toEqual([
    { name: "Commit", stage: "commit", servers: ["", ""], a: 5_000, b: 8_000 },
    // Ten of 14 nights are after the change.
    {
      name: "Log write, sync replica",
      stage: "secondaryFlush",
      servers: ["SQL2", "CRM2"],
      a: 6_000,
      b: 3_000,
    },
  ]);
});

test("both sides are of the same captures where only their replicas differ", () => {
  const { a, b } = twoReplicas();
  expect(haveSameCaptures(a, b)).toBe(true);
  expect(haveSameCaptures(a, { ...b, tag: "nightly" })).toBe(false);
  expect(haveSameCaptures(a, { ...b, group: "CRM-AG" })).toBe(false);
});

test("an outline is of the same server, or else of the replica in the same place", () => {
  const lanes = (names: readonly string[], last: boolean) => [
    ...names.map((name) => fleetLane("secondaryFlush", name, [])),
    fleetLane("secondaryFlush", "DR", [], { isAsynchronous: last }),
  ];
  const a = fleetSide([], lanes(["SQL2", "SQL3"], true));
  const b = fleetSide([], lanes(["SQL3", "SQL9"], true));
  const found = a.lanes.map((lane) => laneOfOther(a, b, lane)?.replica);
  expect(found).toEqual(["SQL3", "SQL3", "DR"]);
  expect(laneOfOther(a, fleetSide([], []), a.lanes[0])).toBeNull();
  // Two replicas are compared whether commits wait for them or not.
  const { a: one, b: other } = twoReplicas();
  expect(one.lanes.map((lane) => laneOfOther(one, other, lane)?.replica)).toEqual([
    undefined,
    undefined,
    "SQL3",
  ]);
});
