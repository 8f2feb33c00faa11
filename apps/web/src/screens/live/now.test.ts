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

  it("jumps back too, when the primary's clock was set", () => {
    const clock = nowClock();
    clock.report(65e6, 1000);
    expect(clock.read(1000)).toBe(65e6);
    clock.report(5e6, 2000);
    expect(clock.read(2000)).toBe(5e6);
  });

  it("catches up gently with what is up to 3 s off", () => {
    const clock = nowClock();
    clock.report(5e6, 0);
    clock.report(8e6, 0);
    expect(clock.read(0)).toBeCloseTo(5e6 + 0.15 * 3e6);
    clock.report(9e6, 0);
    expect(clock.read(0)).toBe(9e6);
  });
});
