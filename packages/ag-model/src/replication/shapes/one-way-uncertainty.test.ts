import { describe, expect, it } from "vitest";
import { modelOf } from "../../../test/model.ts";
import { largestOneWayUncertainty } from "./one-way-uncertainty.ts";
import type { ClockFit } from "./tables.ts";

const [sound] = modelOf([{ at: 0 }]).clocks;
const window = (from: number, to: number, uncertaintyUs: number): ClockFit["windows"][number] => ({
  ...sound.windows[0],
  from,
  to,
  uncertaintyUs,
});
const clock: ClockFit = {
  ...sound,
  windows: [window(0, 900, 50), window(1_000, 1_900, 400), window(2_000, 2_900, 70)],
};

describe("the bound on one-way times", () => {
  it("is the largest of all for a capture, however many windows there are", () => {
    expect(largestOneWayUncertainty(clock)).toBe(400);
    const windows = Array.from({ length: 300_000 }, (_, i) => window(i, i + 1, i % 1_000));
    expect(largestOneWayUncertainty({ ...clock, windows })).toBe(999);
  });

  it("is unknown where the clocks are not aligned", () => {
    for (const unaligned of [
      { ...clock, status: "cannotAlign" as const },
      { ...clock, windows: [] },
    ]) {
      expect(largestOneWayUncertainty(unaligned)).toBeNaN();
    }
  });
});
