import { describe, expect, it } from "vitest";
import { modelOf, TEST_ORIGIN } from "../../test/model.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import { RunClock } from "./run-clock.ts";

const SECOND = 1_000_000;

/** A model that begins `seconds` after the first one. */
const modelAt = (seconds: number): CaptureModel => ({
  ...modelOf([]),
  origin: TEST_ORIGIN + BigInt(seconds) * 10_000_000n,
});

describe("the time of a run", () => {
  it("begins with the first model and is counted by the primary's counter, whatever UTC does", () => {
    const clock = new RunClock();
    expect(clock.place(modelAt(0), 5_000, SECOND, 0)).toEqual({ shift: 0, isNew: true });
    expect(clock.originTicks).toBe(TEST_ORIGIN);
    // By UTC 9 s later, by the counter 2 s.
    expect(clock.place(modelAt(9), 5_000 + 2 * SECOND, SECOND, 0)).toEqual({
      shift: 2 * SECOND,
      isNew: false,
    });
    expect(clock.counterAt(2 * SECOND)).toBe(5_000 + 2 * SECOND);
  });

  it("is carried on by UTC when another server's counter counts, or the same one's began anew", () => {
    const clock = new RunClock();
    clock.place(modelAt(0), 5_000, SECOND, 0);
    expect(clock.place(modelAt(10), 77, SECOND, 1)).toEqual({ shift: 10 * SECOND, isNew: true });
    expect(clock.counterAt(10 * SECOND)).toBe(77);
    expect(clock.place(modelAt(11), 77 + SECOND, SECOND, 1)).toEqual({ shift: 11 * SECOND, isNew: false });
    // The newest event was at 77 + 2 s of the counter; up to a second less means events that arrived late.
    expect(clock.place(modelAt(12), 77, SECOND, 1)).toEqual({ shift: 10 * SECOND, isNew: false });
    clock.place(modelAt(12), 77 + 9 * SECOND, SECOND, 1);
    expect(clock.place(modelAt(20), 76 + 8 * SECOND, SECOND, 1)).toEqual({ shift: 20 * SECOND, isNew: true });
  });

  it("leaves out by how much the new primary's UTC is ahead of the first one's, where that was measured", () => {
    const clock = new RunClock();
    const aheadUs = [0, 2 * SECOND, 5 * SECOND];
    const place = (seconds: number, reference: number) =>
      clock.place(modelAt(seconds), 77, SECOND, reference, (r, of) => aheadUs[r] - aheadUs[of]);
    place(0, 0);
    expect(place(10, 1).shift).toBe(8 * SECOND);
    expect(clock.ticksAt(8 * SECOND)).toBe(modelAt(10).origin);
    expect(place(20, 2).shift).toBe(15 * SECOND);
    expect(place(30, 0).shift).toBe(30 * SECOND);
    expect(clock.place(modelAt(40), 77, SECOND, 1, () => Number.NaN).shift).toBe(40 * SECOND);
  });

  it("is UTC where nothing counts, until something does", () => {
    const clock = new RunClock();
    expect(clock.place(modelAt(0), Number.NaN, SECOND, 0)).toEqual({ shift: 0, isNew: true });
    expect(clock.place(modelAt(3), Number.NaN, SECOND, 0)).toEqual({ shift: 3 * SECOND, isNew: false });
    expect(clock.place(modelAt(5), 700, SECOND, 0)).toEqual({ shift: 5 * SECOND, isNew: false });
    expect(clock.place(modelAt(5), 700 + SECOND, SECOND, 0).shift).toBe(6 * SECOND);
  });

  it("is UTC of the primary and back", () => {
    const clock = new RunClock();
    clock.place(modelAt(0), 0, SECOND, 0);
    expect(clock.ticksAt(3 * SECOND)).toBe(TEST_ORIGIN + 30_000_000n);
    expect(clock.atTicks(TEST_ORIGIN + 25n)).toBe(2.5);
  });
});
