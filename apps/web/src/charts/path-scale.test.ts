import { expect, test } from "vitest";
import { pathScale } from "./path-axis.tsx";

test("a scale of paths ends at a round number over the longest", () => {
  expect(pathScale([2_600, 57_000])).toEqual({
    to: 60_000,
    ticks: [0, 10_000, 20_000, 30_000, 40_000, 50_000, 60_000],
  });
  expect(pathScale([2_600, 3_270]).to).toBe(3_500);
  expect(pathScale([]).to).toBe(1);
});

test("an axis of paths has three labels at least, 1-2-5 steps apart, and at most six", () => {
  const labels = (longest: number): number[] => {
    const { to, ticks } = pathScale([longest]);
    return ticks.filter((us) => us > 0 && us < to);
  };
  // A mean path of 1.51 s ends at 1.6 s: every 200 ms would be seven labels, of which there is no space for each.
  expect(labels(1_513_846)).toEqual([500_000, 1_000_000, 1_500_000]);
  expect(labels(14_000)).toEqual([2_000, 4_000, 6_000, 8_000, 10_000, 12_000]);
  expect(labels(16_000)).toEqual([5_000, 10_000, 15_000]);
  for (let us = 100; us < 1e7; us *= 1.07) expect(labels(us).length).toBeGreaterThanOrEqual(3);
  for (let us = 100; us < 1e7; us *= 1.07) expect(labels(us).length).toBeLessThanOrEqual(6);
});
