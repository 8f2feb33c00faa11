import { describe, expect, it } from "vitest";
import { nowClock } from "./now.ts";

describe("the run's time", () => {
  it("goes on between pictures", () => {
    const clock = nowClock();
    clock.report(5e6, 1000);
    expect(clock.read(1250)).toBe(5.25e6);
  });

  it("never goes back when a picture comes late", () => {
    const clock = nowClock();
    clock.report(5e6, 1000);
    const before = clock.read(2000);
    clock.report(5.8e6, 2000);
    expect(clock.read(2000)).toBeGreaterThanOrEqual(before);
  });

  it("jumps when the page was asleep", () => {
    const clock = nowClock();
    clock.report(5e6, 1000);
    clock.report(65e6, 2000);
    expect(clock.read(2000)).toBe(65e6);
  });
});
