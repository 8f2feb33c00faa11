import { describe, expect, it } from "vitest";
import { durationDomain, logHeight, roundNumbers } from "./duration-scale.ts";

describe("height of a duration in a lane", () => {
  it("is the floor at 0.1 ms, the top at 1 s, a quarter per decade between them", () => {
    expect([100, 1_000, 10_000, 100_000, 1_000_000].map((us) => Number(logHeight(us).toFixed(9)))).toEqual([
      0, 0.25, 0.5, 0.75, 1,
    ]);
    // A third of the way from 10 to 100 ms in logarithms.
    expect(logHeight(10_000 * 10 ** (1 / 3))).toBeCloseTo(0.5 + 0.25 / 3, 9);
  });

  it("leaves neither end, and is the floor for what is no duration", () => {
    expect([5_000_000, 40, 0, -800, Number.NaN].map(logHeight)).toEqual([1, 0, 0, 0, 0]);
  });
});

describe("round numbers", () => {
  it("are 1, 2 and 5 times a power of ten, both ends included", () => {
    expect(roundNumbers(5_000, 500_000)).toEqual([5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000]);
    expect(roundNumbers(51, 199)).toEqual([100]);
    expect(roundNumbers(3, 4)).toEqual([]);
  });
});

describe("range of an axis of durations", () => {
  it("reaches outwards to round numbers", () => {
    expect(durationDomain([5_600, 658_546])).toEqual([5_000, 1_000_000]);
    expect(durationDomain([5_000, 1_000_000])).toEqual([5_000, 1_000_000]);
    expect(durationDomain([4_999, 1_000_001])).toEqual([2_000, 2_000_000]);
  });

  it("has at least a decade, below what is there", () => {
    expect(durationDomain([300, 400])).toEqual([50, 500]);
    expect(durationDomain([3])).toEqual([0.5, 5]);
  });

  it("passes over what is no duration, and is that of log writes where none is", () => {
    expect(durationDomain([Number.NaN, 0, -3, 7_000, 90_000])).toEqual([5_000, 100_000]);
    expect(durationDomain([])).toEqual([5_000, 1_000_000]);
    expect(durationDomain([Number.NaN, 0])).toEqual([5_000, 1_000_000]);
  });
});
