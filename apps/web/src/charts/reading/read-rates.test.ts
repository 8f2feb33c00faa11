import { describe, expect, it } from "vitest";
import { rateSteps, withReport } from "./read-rates.ts";

const T0 = Date.UTC(2016, 4, 6, 2, 16, 55);
const BEGIN = { at: T0, events: 0 };
const at = (seconds: number): string => new Date(T0 + seconds * 1000).toISOString();

describe("events per second of what is read", () => {
  it("is the mean between two reports, from the file's begin on", () => {
    let points = withReport(new Map(), [{ id: "a", events: 100, at: at(2) }]);
    points = withReport(points, [{ id: "a", events: 700, at: at(5) }]);
    expect(rateSteps(points.get("a") ?? [], BEGIN)).toEqual([
      { from: T0, to: T0 + 2000, perSecond: 50 },
      { from: T0 + 2000, to: T0 + 5000, perSecond: 200 },
    ]);
  });

  it("waits for a report that brings the file further", () => {
    const first = withReport(new Map(), [{ id: "a", events: 100, at: at(2) }]);
    const same = withReport(first, [
      { id: "a", events: 100, at: at(2) },
      { id: "b", events: 0, at: null },
    ]);
    expect(same).toEqual(first);
    expect(rateSteps(withReport(same, [{ id: "a", events: 160, at: at(4) }]).get("a") ?? [], BEGIN)).toEqual([
      { from: T0, to: T0 + 2000, perSecond: 50 },
      { from: T0 + 2000, to: T0 + 4000, perSecond: 30 },
    ]);
  });

  it("has nothing to show where the first event is the only time known", () => {
    const points = withReport(new Map(), [{ id: "a", events: 1, at: at(0) }]);
    expect(rateSteps(points.get("a") ?? [], BEGIN)).toEqual([]);
  });
});
