import { describe, expect, it } from "vitest";
import { baseWidth, durationDomain, latencyBins, type Samples } from "./latency-bins.ts";

const SECOND = 1e6;

/** `perSecond[i]` samples in second i, spread evenly; all of 10 µs. */
function samples(perSecond: readonly number[]): Samples {
  const at = perSecond.flatMap((n, second) => Array.from({ length: n }, (_, i) => (second + i / n) * SECOND));
  return { at: Float64Array.from(at), value: new Float64Array(at.length).fill(10) };
}

describe("latencyBins", () => {
  it("widens from 1 s until 20 samples", () => {
    const bins = latencyBins(samples([25, 12, 12, 30]), [0, 4 * SECOND], SECOND, []);
    expect(bins.map((b) => [b.from / SECOND, b.to / SECOND, b.n])).toEqual([
      [0, 1, 25],
      [1, 3, 24],
      [3, 4, 30],
    ]);
  });

  it("widens to 5 s at most", () => {
    const bins = latencyBins(samples([2, 2, 2, 2, 2, 2, 2]), [0, 7 * SECOND], SECOND, []);
    expect(bins.map((b) => [b.from / SECOND, b.to / SECOND, b.n])).toEqual([
      [0, 5, 10],
      [5, 7, 4],
    ]);
    // Four samples are too few for a percentile.
    expect(bins[1].p50).toBeNull();
  });

  it("never crosses a break and leaves out empty stretches", () => {
    const bins = latencyBins(samples([6, 6, 0, 0, 6]), [0, 5 * SECOND], SECOND, [1.5 * SECOND, 3 * SECOND]);
    // 6 + 3 samples up to the break, 3 after it; second 4 has its own bin after the empty second 3.
    expect(bins.map((b) => [b.from / SECOND, b.to / SECOND, b.n])).toEqual([
      [0, 1.5, 9],
      [1.5, 3, 3],
      [4, 5, 6],
    ]);
  });

  it("interpolates percentiles", () => {
    const values = { at: Float64Array.from([0, 1, 2, 3, 4]), value: Float64Array.from([50, 10, 30, 20, 40]) };
    const [bin] = latencyBins(values, [0, 10], 10, []);
    // Rank 0.95 * 4 = 3.8 lies between 40 and 50.
    expect(bin.p50).toBe(30);
    expect(bin.p95).toBeCloseTo(48, 9);
    expect(bin.max).toBe(50);
  });
});

describe("baseWidth", () => {
  it("is 1 s for a capture of 92 s, 100 ms for 10 s, 50 s for an hour", () => {
    expect([92, 10, 3600].map((s) => baseWidth(s * SECOND) / SECOND)).toEqual([1, 0.1, 50]);
  });
});

describe("durationDomain", () => {
  it("goes outwards to 1, 2, 5 steps and keeps a decade", () => {
    expect(durationDomain([5_600, 658_546])).toEqual([5_000, 1_000_000]);
    expect(durationDomain([300, 400])).toEqual([50, 500]);
    expect(durationDomain([])).toEqual([5_000, 1_000_000]);
  });
});
