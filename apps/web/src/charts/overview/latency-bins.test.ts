import { quantile } from "d3-array";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { baseWidth } from "@aglens/contract";
import { latencyBins, type Samples } from "./latency-bins.ts";

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

  it("widens no further at 20 samples, and once more at 19", () => {
    const widths = (first: number): number[] =>
      latencyBins(samples([first, 30]), [0, 2 * SECOND], SECOND, []).map((b) => b.n);
    expect(widths(20)).toEqual([20, 30]);
    expect(widths(19)).toEqual([49]);
  });

  it("has percentiles from five samples on", () => {
    const p50s = (n: number): (number | null)[] =>
      latencyBins(samples([n]), [0, SECOND], SECOND, []).map((b) => b.p50);
    expect([p50s(4), p50s(5)]).toEqual([[null], [10]]);
  });

  it("agrees with D3 about percentiles", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 1, max: 1e7, noNaN: true }), { minLength: 5 }), (values) => {
        const at = Float64Array.from(values, (_, i) => i);
        const [bin] = latencyBins(
          { at, value: Float64Array.from(values) },
          [0, values.length],
          values.length,
          [],
        );
        for (const [share, own] of [
          [0.5, bin.p50],
          [0.95, bin.p95],
          [0.99, bin.p99],
        ] as const)
          expect(own! / quantile(values, share)!).toBeCloseTo(1, 9);
      }),
    );
  });

  it("sorts no sample in place", () => {
    const values = { at: Float64Array.from([0, 1, 2, 3, 4]), value: Float64Array.from([5, 4, 3, 2, 1]) };
    latencyBins(values, [0, 10], 10, []);
    expect([...values.value]).toEqual([5, 4, 3, 2, 1]);
  });

  it("interpolates percentiles", () => {
    const values = { at: Float64Array.from([0, 1, 2, 3, 4]), value: Float64Array.from([50, 10, 30, 20, 40]) };
    const [bin] = latencyBins(values, [0, 10], 10, []);
    // Rank 0.95 * 4 = 3.8 is between 40 and 50.
    expect(bin.p50).toBe(30);
    expect(bin.p95).toBeCloseTo(48, 9);
    expect(bin.max).toBe(50);
  });
});

describe("baseWidth", () => {
  it("is the round step nearest to 120 bins: 1 s for 92 s, 100 ms for 10 s, 20 s for an hour", () => {
    expect([92, 10, 3600].map((s) => baseWidth(s * SECOND) / SECOND)).toEqual([1, 0.1, 20]);
  });

  it("is never below 1 µs", () => {
    expect(baseWidth(20)).toBe(1);
  });
});
