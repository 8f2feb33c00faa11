import { expect, test } from "vitest";
import { changedFleet, fleetColumn, twoGroups } from "../../../test/fleet.ts";
import { UTC } from "../../ui/zone.ts";
import { captureIn, columnBefore, comparableBefore, fleetView, stepTo } from "./fleet-view.ts";

const nothing = { at: null, view: null };

test("all columns are in view, or those of two days that the answer has", () => {
  const fleet = changedFleet();
  expect(fleetView(fleet, nothing, UTC).range).toEqual([0, 30]);
  expect(fleetView(fleet, { ...nothing, view: ["2026-09-05", "2026-09-10"] }, UTC).range).toEqual([4, 10]);
  expect(fleetView(fleet, { ...nothing, view: ["2026-09-10", "2026-09-05"] }, UTC).range).toEqual([0, 30]);
  expect(fleetView(fleet, { ...nothing, view: ["2020-09-10", "2026-09-11"] }, UTC).range).toEqual([0, 30]);
});

test("before anybody has chosen the first capture since the change is selected, or the newest", () => {
  const fleet = changedFleet();
  const selected = (at: string | null, of = fleet) => fleetView(of, { at, view: null }, UTC).selected?.column;
  expect([selected(null), selected("2026-09-03"), selected("2026-09-11"), selected("2020-01-01")]).toEqual([
    20, 2, 20, 20,
  ]);
  const { verdict } = fleet.a;
  expect(selected(null, { ...fleet, a: { ...fleet.a, verdict: { ...verdict, from: null } } })).toBe(29);
});

test("the capture before is of the same group, over a night without one", () => {
  const fleet = twoGroups();
  const [first] = fleet.a.columns;
  expect(columnBefore(fleet, fleetColumn(11))?.id).toBe("n9");
  expect(columnBefore(fleet, fleetColumn(11, { id: "c11" }))?.id).toBe("c10");
  expect(columnBefore(fleet, first)).toBeNull();
});

test("captures are compared while both are there", () => {
  const fleet = changedFleet();
  const gone = {
    ...fleet,
    a: { ...fleet.a, columns: fleet.a.columns.map((each) => ({ ...each, isThere: each.column > 4 })) },
  };
  const of = (column: number) => comparableBefore(gone, captureIn(gone, column) ?? fleetColumn(0))?.column;
  expect([of(3), of(5), of(6)]).toEqual([undefined, undefined, 5]);
});

test("steps lead to the next column of either group, and end at the last", () => {
  const fleet = twoGroups();
  expect(stepTo(fleet, fleetColumn(9), 1)?.id).toBe("c10");
  expect(stepTo(fleet, fleetColumn(9), -1)?.column).toBe(8);
  expect(stepTo(changedFleet(), fleetColumn(9), 1)?.column).toBe(11);
  expect(stepTo(fleet, fleetColumn(29), 1)).toBeNull();
  expect([captureIn(fleet, 10)?.id, captureIn(fleet, 9)?.id, captureIn(fleet, 77)]).toEqual([
    "c10",
    "n9",
    null,
  ]);
});
