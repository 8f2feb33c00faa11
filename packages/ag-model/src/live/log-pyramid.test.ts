import { expect, test } from "vitest";
import { LogPyramid } from "./log-pyramid.ts";

const SECOND = 1_000_000;

test("hours stay in a bounded number of bins, none lost, with the largest exact and the median within 7 %", () => {
  const pyramid = new LogPyramid();
  const seconds = 3 * 3600;
  for (let s = 0; s < seconds; s++) {
    for (const duration of [900, 1000, 1100]) {
      pyramid.addBlock(s * SECOND);
      pyramid.add("localFlush", s * SECOND, s === 5000 && duration === 1000 ? 654_321 : duration);
    }
  }
  const { width, firstBin, count, p50, max } = pyramid.bins(0, 0);
  expect(firstBin).toBe(0);
  expect(count.length).toBeLessThanOrEqual(1024);
  expect(count.length * width).toBeGreaterThanOrEqual(seconds * SECOND);
  expect(count.reduce((a, b) => a + b, 0)).toBe(3 * seconds);
  expect(Math.max(...max["localFlush"])).toBe(654_321);
  expect(max["localFlush"].indexOf(654_321)).toBe(Math.floor((5000 * SECOND) / width));
  for (const median of p50["localFlush"]) expect(Math.abs(median / 1000 - 1)).toBeLessThan(0.07);
});

test("a reader that knows the width gets the bins from an instant on, another one all", () => {
  const pyramid = new LogPyramid();
  for (let s = 0; s < 100; s++) pyramid.addBlock(s * SECOND);
  expect(pyramid.bins(90 * SECOND, SECOND)).toMatchObject({
    width: SECOND,
    firstBin: 90,
    count: Array(10).fill(1),
  });
  expect(pyramid.bins(90 * SECOND, 2 * SECOND).firstBin).toBe(0);
});

test("a bin without durations has no figures, and a time that can be none is passed over", () => {
  const pyramid = new LogPyramid();
  pyramid.add("commit", 3 * SECOND, 500);
  pyramid.add("commit", 1 * SECOND, Number.NaN);
  pyramid.add("commit", Infinity, 500);
  pyramid.addBlock(-1);
  const { p50, max, count } = pyramid.bins(0, 0);
  expect(count).toEqual([0, 0, 0, 0]);
  expect(max["commit"]).toEqual([Number.NaN, Number.NaN, Number.NaN, 500]);
  expect(p50["commit"].slice(0, 3)).toEqual([Number.NaN, Number.NaN, Number.NaN]);
});
