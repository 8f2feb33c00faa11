import { describe, expect, it } from "vitest";
import { percentile, statisticsOf } from "./statistics.ts";

describe("percentile", () => {
  it("interpolates between the closest ranks", () => {
    expect(percentile([10, 20, 30, 40], 50)).toBe(25);
    expect(percentile([10, 20, 30, 40], 95)).toBeCloseTo(38.5, 9);
    expect(percentile([7], 99)).toBe(7);
    expect(percentile([], 50)).toBeNaN();
  });
});

describe("statisticsOf", () => {
  it("leaves out NaN and sorts", () => {
    expect(statisticsOf(Float64Array.of(3, Number.NaN, 1, 2))).toEqual({
      n: 3,
      p50: 2,
      p95: 2.9,
      p99: 2.98,
      max: 3,
      mean: 2,
    });
  });
  it("has no figures for no values", () => {
    expect(statisticsOf(new Float64Array(0))).toMatchObject({ n: 0, p50: Number.NaN, max: Number.NaN });
  });
});
