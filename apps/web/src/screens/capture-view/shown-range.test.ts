import { expect, test } from "vitest";
import { firstView } from "@aglens/contract";
import { replicaSummary, summaryOf } from "../../../test/summary.ts";
import {
  firstViewName,
  isFirstPart,
  rangeName,
  rangeOfView,
  shownRange,
  unzoomedRange,
  fullRangeOf,
} from "./shown-range.ts";

const [phase] = summaryOf().phases;
const primary = replicaSummary({ role: "primary", name: "SQL1" });

test("charts begin with the time that all files cover, and of most captures with all of it", () => {
  const covered = (from: number, to: number) =>
    firstView(summaryOf({ replicas: [{ ...primary, from, to }, replicaSummary({})] }));
  expect(covered(5_600_000, 7_100_000)).toEqual([5_600_000, 7_100_000]);
  expect(covered(100_000, 9_950_000)).toEqual([0, 10_000_000]);
});

test("where files share no time the whole capture is shown", () => {
  const apart = [{ ...primary, from: 0, to: 3e6 }, replicaSummary({ from: 4e6, to: 1e7 })];
  expect(firstView(summaryOf({ replicas: apart }))).toEqual([0, 1e7]);
  expect(
    firstView(
      summaryOf({
        replicas: [
          { ...primary, from: 0, to: 1e7 },
          replicaSummary({ hasCapture: false, from: null, to: null }),
        ],
      }),
    ),
  ).toEqual([0, 1e7]);
});

test("of several phases each has the common time of its own replicas", () => {
  // SQL3 takes part in the second phase only, and has no file of the first.
  const replicas = [
    { ...primary, from: 1e6, to: 1e7 },
    replicaSummary({ name: "SQL2", from: 0, to: 1e7 }),
    replicaSummary({ name: "SQL3", from: 6e6, to: 9e6 }),
  ];
  const phases = [
    { ...phase, from: 1e6, to: 5e6, commitModes: ["sync" as const, null] },
    { ...phase, from: 5.5e6, to: 1e7, commitModes: ["sync" as const, "sync" as const] },
  ];
  expect(firstView(summaryOf({ replicas, phases }))).toEqual([1e6, 9e6]);
});

test("the view names every time but the first one", () => {
  const summary = summaryOf({ replicas: [{ ...primary, from: 5e6, to: 7e6 }, replicaSummary({})] });
  const first = firstView(summary);
  expect(rangeOfView(first, [5e6, 7e6])).toBeNull();
  expect(rangeOfView(first, [0, 1e7])).toEqual([0, 1e7]);
});

test("the first view is called the common time where it is a part of the capture", () => {
  const part = summaryOf({ replicas: [{ ...primary, from: 5e6, to: 7e6 }, replicaSummary({})] });
  expect([isFirstPart(part), firstViewName(part)]).toEqual([true, "Common time"]);
  expect([isFirstPart(summaryOf()), firstViewName(summaryOf())]).toEqual([false, "Whole capture"]);
});

test("a screen is about the time that the view names, else the common time; a picture that does not follow the zoom about that or all", () => {
  const part = summaryOf({ replicas: [{ ...primary, from: 5e6, to: 7e6 }, replicaSummary({})] });
  expect([shownRange({ range: null }, part), shownRange({ range: [1e6, 2e6] }, part)]).toEqual([
    [5e6, 7e6],
    [1e6, 2e6],
  ]);
  const unzoomed = [null, [1e6, 2e6], [0, 1e7]] as const;
  expect(unzoomed.map((range) => unzoomedRange(range, part))).toEqual([
    [5e6, 7e6],
    [5e6, 7e6],
    [0, 1e7],
  ]);
  expect([fullRangeOf(part), fullRangeOf(summaryOf())]).toEqual([[0, 1e7], null]);
});

test("the common time and all of the capture have a name, others have none", () => {
  const part = summaryOf({ replicas: [{ ...primary, from: 5e6, to: 7e6 }, replicaSummary({})] });
  const named = [
    [5e6, 7e6],
    [0, 1e7],
    [5e6, 6e6],
  ] as const;
  expect(named.map((range) => rangeName(range, part))).toEqual(["Common time", "Whole capture", null]);
  expect(rangeName([0, 1e7], summaryOf())).toBe("Whole capture");
});
