import { expect, it } from "vitest";
import { percentileIntervals, REPLAY_ERROR } from "./interval.ts";
import { seededUniform } from "../numbers/index.ts";
import { binned } from "./latency-bins.ts";

const found = [1_000, 1_000, 1_000];

it("is the replay's own error where every second is alike", () => {
  const starts = Float64Array.from({ length: 500 }, (_, i) => i * 20_000);
  const [p50, p95] = percentileIntervals(starts, binned(new Float64Array(500).fill(1_000)), found);
  for (const [low, high] of [p50, p95]) {
    expect(low).toBeCloseTo(1_000 * (1 - REPLAY_ERROR), 6);
    expect(high).toBeCloseTo(1_000 * (1 + REPLAY_ERROR), 6);
  }
});

it("is wide where seconds differ: of ten seconds one is slow, and a resample may have none of it or several", () => {
  const starts = Float64Array.from({ length: 1_000 }, (_, i) => i * 10_000);
  const values = starts.map((at) => (at < 1_000_000 ? 50_000 : 1_000));
  const [p50, p95] = percentileIntervals(starts, binned(values), [1_000, 50_000, 50_000]);
  expect(p50[1]).toBeCloseTo(1_050, 6);
  expect(p95[0]).toBeLessThan(1_050);
  expect(p95[1]).toBeCloseTo(52_500, 6);
});

it("is the same each time, leaves out what is not known, and has an answer for nothing", () => {
  const uniform = seededUniform(1);
  const starts = Float64Array.from({ length: 300 }, (_, i) => i * 30_000);
  const values = starts.map((_, i) => (i % 7 === 0 ? Number.NaN : 500 + 5_000 * uniform()));
  const once = percentileIntervals(starts, binned(values), found);
  expect(percentileIntervals(starts, binned(values), found)).toEqual(once);
  const known = values.map((value) => (Number.isNaN(value) ? 1 : 0));
  const kept = (column: Float64Array) => column.filter((_, i) => known[i] === 0);
  expect(percentileIntervals(kept(starts), binned(kept(values)), found)).toEqual(once);
  expect(
    percentileIntervals(new Float64Array(0), binned(new Float64Array(0)), [Number.NaN, 1, 1]),
  ).toHaveLength(3);
});
