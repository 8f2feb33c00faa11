import { describe, expect, it } from "vitest";
import { RecentBins } from "./recent-bins.ts";

/** Ten bins of 100 µs. */
const bins = () => new RecentBins(100, 10);

const lanes = (times: readonly number[], durations: readonly number[], key = "lane") =>
  new Map([[key, { times: Float64Array.from(times), durations: Float64Array.from(durations) }]]);

describe("the narrow bins of a run", () => {
  it("count blocks, and have the median and the largest of each lane, NaN where there is none", () => {
    const recent = bins();
    recent.rewrite(0, 4, Float64Array.of(0, 99, 100, 350), lanes([0, 10, 20, 399], [1, 5, 3.04, 7.06]));
    expect(recent.from(0)).toEqual({
      width: 100,
      firstBin: 0,
      count: [2, 1, 0, 1],
      p50: { lane: [3, Number.NaN, Number.NaN, 7.1] },
      max: { lane: [5, Number.NaN, Number.NaN, 7.1] },
    });
    expect(recent.end).toBe(4);
    expect(recent.from(3)).toMatchObject({ firstBin: 3, count: [1] });
    expect(recent.from(9)).toMatchObject({ firstBin: 9, count: [] });
  });

  it("are computed anew from a bin on, and those before it stay", () => {
    const recent = bins();
    recent.rewrite(0, 3, Float64Array.of(0, 100, 200), lanes([0, 100, 200], [1, 2, 3]));
    recent.rewrite(1, 4, Float64Array.of(50, 210, 220, 300, 400), lanes([50, 210, 400], [9, 4, 9]));
    expect(recent.from(0)).toMatchObject({
      count: [1, 0, 2, 1],
      max: { lane: [1, Number.NaN, 4, Number.NaN] },
    });
  });

  it("are empty where nothing came, also when bins are left out", () => {
    const recent = bins();
    recent.rewrite(0, 2, Float64Array.of(0, 100), lanes([0, 100], [1, 2]));
    recent.rewrite(5, 7, Float64Array.of(500), lanes([500], [5]));
    expect(recent.from(0).count).toEqual([1, 1, 0, 0, 0, 1, 0]);
    expect(recent.from(0).max["lane"]).toEqual([1, 2, Number.NaN, Number.NaN, Number.NaN, 5, Number.NaN]);
  });

  it("keep as many as they hold, and forget the oldest", () => {
    const recent = bins();
    recent.rewrite(0, 10, Float64Array.of(0, 900), lanes([0, 900], [1, 2]));
    recent.rewrite(10, 12, Float64Array.of(1_000, 1_100), lanes([1_000], [3]));
    expect(recent.from(0)).toMatchObject({ firstBin: 2, count: [0, 0, 0, 0, 0, 0, 0, 1, 1, 1] });
    expect(recent.from(0).max["lane"].slice(7)).toEqual([2, 3, Number.NaN]);
    // A hole longer than all bins drops all old ones.
    recent.rewrite(12, 40, Float64Array.of(1_250, 3_950), lanes([1_250, 3_950], [7, 8]));
    expect(recent.from(0)).toMatchObject({ firstBin: 30, count: [0, 0, 0, 0, 0, 0, 0, 0, 0, 1] });
    expect(recent.from(0).max["lane"]).toEqual([...Array.from({ length: 9 }, () => Number.NaN), 8]);
  });

  it("have a new lane from its first duration on, unknown before", () => {
    const recent = bins();
    recent.rewrite(0, 2, Float64Array.of(0), lanes([0], [1]));
    recent.rewrite(1, 2, Float64Array.of(), lanes([100], [4], "other"));
    expect(recent.from(0).max).toEqual({ lane: [1, Number.NaN], other: [Number.NaN, 4] });
  });

  it("are empty in a silence after the ring has gone round, not what they were a ring ago", () => {
    const recent = bins();
    const each = Float64Array.from({ length: 10 }, (_, i) => i * 100);
    recent.rewrite(0, 10, each, lanes([...each], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]));
    // No block is in bins 10 to 13, which share their places with 0 to 3.
    recent.rewrite(14, 15, Float64Array.of(1_400), lanes([1_400], [20]));
    expect(recent.from(9)).toEqual({
      width: 100,
      firstBin: 9,
      count: [1, 0, 0, 0, 0, 1],
      p50: { lane: [10, Number.NaN, Number.NaN, Number.NaN, Number.NaN, 20] },
      max: { lane: [10, Number.NaN, Number.NaN, Number.NaN, Number.NaN, 20] },
    });
  });

  it("never end earlier than they did", () => {
    const recent = bins();
    recent.rewrite(0, 8, Float64Array.of(750), lanes([], []));
    recent.rewrite(0, 4, Float64Array.of(), lanes([], []));
    expect(recent.end).toBe(8);
    expect(recent.from(0).count).toEqual([0, 0, 0, 0, 0, 0, 0, 1]);
  });
});
