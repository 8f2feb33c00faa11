import { describe, expect, it } from "vitest";
import { modelOf } from "../../test/model.ts";
import { largestOneWayUncertainty, oneWayUncertaintyAt } from "./one-way-uncertainty.ts";
import type { ClockFit } from "./tables.ts";

const [sound] = modelOf([{ at: 0 }]).clocks;
const clock: ClockFit = {
  ...sound,
  windows: [
    { from: 0, to: 900, uncertaintyUs: 50 },
    { from: 1_000, to: 1_900, uncertaintyUs: 400 },
    { from: 2_000, to: 2_900, uncertaintyUs: 70 },
  ],
};

describe("the bound on one-way times", () => {
  it("is that of the window in which the block is", () => {
    expect([-1, 0, 999, 1_000, 1_999, 2_000, 9_999].map((t) => oneWayUncertaintyAt(clock, t))).toEqual([
      50, 50, 50, 400, 400, 70, 70,
    ]);
  });

  it("is the largest of all for a capture, however many windows there are", () => {
    expect(largestOneWayUncertainty(clock)).toBe(400);
    const windows = Array.from({ length: 300_000 }, (_, i) => ({
      from: i,
      to: i + 1,
      uncertaintyUs: i % 1_000,
    }));
    expect(largestOneWayUncertainty({ ...clock, windows })).toBe(999);
  });

  it("is unknown where the clocks are not aligned", () => {
    for (const unaligned of [
      { ...clock, status: "cannotAlign" as const },
      { ...clock, windows: [] },
    ]) {
      expect(oneWayUncertaintyAt(unaligned, 0)).toBeNaN();
      expect(largestOneWayUncertainty(unaligned)).toBeNaN();
    }
  });
});
