import { expect, test } from "vitest";
import { movedView } from "./moved-view.ts";
import { DEFAULT_VIEW } from "./view.ts";

const named = { database: null, lsn: "00000022:00000167" };
const made = {
  ...DEFAULT_VIEW,
  origin: "131069746034690831",
  range: [0, 1_000] as const,
  selected: [100, 200] as const,
  other: [300, 400] as const,
  rulers: [
    [
      { at: 5, edge: { side: "start" as const, row: 3, lane: "commit" } },
      { at: 9, edge: null },
    ],
  ] as const,
  sideA: [10, 20] as const,
  sideB: [30, 40] as const,
  block: 17,
  kept: [4],
  phase: 1,
  event: { file: 0, offset: 65_536 },
};

test("instants count from the new origin, what is numbered anew is left out", () => {
  // A file of before: it begins 2 s and 0.3 µs earlier.
  expect(movedView(made, "131069746014690828")).toEqual({
    ...DEFAULT_VIEW,
    origin: "131069746014690828",
    range: [2_000_000.3, 2_001_000.3],
    selected: [2_000_100.3, 2_000_200.3],
    other: [2_000_300.3, 2_000_400.3],
    rulers: [
      [
        { at: 2_000_005.3, edge: null },
        { at: 2_000_009.3, edge: null },
      ],
    ],
    sideA: [2_000_010.3, 2_000_020.3],
    sideB: [2_000_030.3, 2_000_040.3],
  });
  expect(movedView({ ...made, block: named }, "131069746014690828").block).toEqual(named);
});

test("from the same origin, and of the whole capture, nothing changes", () => {
  expect(movedView(made, made.origin)).toBe(made);
  const whole = { ...made, origin: null };
  expect(movedView(whole, "131069746014690828")).toBe(whole);
});
