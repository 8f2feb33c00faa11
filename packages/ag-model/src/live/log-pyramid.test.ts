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

/** The figures of one lane with durations that all fall into one bin, not the first one. */
const inOneBin = (durations: Iterable<number>): { p50: number; max: number; count: number } => {
  const pyramid = new LogPyramid();
  for (const duration of durations) pyramid.add("lane", 2 * SECOND, duration);
  pyramid.addBlock(2 * SECOND);
  const { p50, max, count } = pyramid.bins(0, 0);
  return { p50: p50["lane"][2], max: max["lane"][2], count: count[2] };
};

test("a median is good to 7 % from microseconds to minutes, and never above the largest", () => {
  for (let us = 9; us < 1e8; us *= 1.7) {
    const { p50, max } = inOneBin([us]);
    expect(p50 / us, `${us} µs`).toBeGreaterThan(0.93);
    expect(p50, `${us} µs`).toBeLessThanOrEqual(us);
    expect(max).toBe(us);
    // The bin also contains a longer duration, so that the largest does not bound it.
    expect(Math.abs(inOneBin([us, us, 1e9]).p50 / us - 1), `${us} µs`).toBeLessThan(0.07);
  }
  expect([inOneBin([5]).p50, inOneBin([-3]).p50, inOneBin([0]).p50]).toEqual([5, -3, 0]);
  expect(inOneBin([1e9]).p50).toBeGreaterThan(1e8);
});

test("a median is the middle value, of an even number the lower one", () => {
  const near = (durations: readonly number[], us: number): void =>
    expect(Math.abs(inOneBin(durations).p50 / us - 1)).toBeLessThan(0.07);
  near([100_000, 10, 1_000], 1_000);
  near([100_000, 1_000, 10, 10], 10);
  near([100_000, 100_000, 1_000, 10], 1_000);
  near([100_000, 100_000, 100_000, 10], 100_000);
});

test("a bin with more durations than its counters hold keeps their shape", () => {
  function* durations(): Generator<number> {
    for (let round = 0; round < 10_000; round++) for (let i = 0; i < 11; i++) yield i < 7 ? 1_000 : 30_000;
  }
  // 70,000 of one length and 40,000 of another.
  expect(Math.abs(inOneBin(durations()).p50 / 1_000 - 1)).toBeLessThan(0.07);
});

test("two full bins that become one keep their shape", () => {
  const pyramid = new LogPyramid();
  // Together 80,000 short ones and 120,000 long ones: the middle one is long.
  for (const second of [0, 1]) {
    for (let i = 0; i < 40_000; i++) pyramid.add("lane", second * SECOND, 1_000);
    for (let i = 0; i < 60_000; i++) pyramid.add("lane", second * SECOND, 30_000);
  }
  pyramid.addBlock(5000 * SECOND);
  expect(Math.abs(pyramid.bins(0, 0).p50["lane"][0] / 30_000 - 1)).toBeLessThan(0.07);
});

test("a day of a lane takes no more memory than its first minute", () => {
  const pyramid = new LogPyramid();
  pyramid.add("lane", 0, 1_000);
  const { bytes } = pyramid;
  // 1,024 bins of 128 counts, a maximum and a number of blocks.
  expect(bytes).toBe(1024 * (128 * 2 + 8 + 4));
  pyramid.add("lane", 86_400 * SECOND, 1_000);
  expect(pyramid.bytes).toBe(bytes);
});

test("bins become twice as wide when they are used up, and keep what they held", () => {
  const pyramid = new LogPyramid();
  // Every second one block, with a duration that grows each 8 s.
  const durationAt = (second: number): number => 100 + 10 * Math.floor(second / 8);
  for (let s = 0; s < 4096; s++) {
    pyramid.addBlock(s * SECOND);
    pyramid.add("lane", s * SECOND, durationAt(s));
  }
  pyramid.addBlock(4096 * SECOND - 1);
  expect(pyramid.width).toBe(4 * SECOND);
  pyramid.addBlock(4096 * SECOND);
  const { width, count, p50, max } = pyramid.bins(0, 0);
  expect(width).toBe(8 * SECOND);
  expect(count).toEqual([...Array.from({ length: 511 }, () => 8), 9, 1]);
  for (const bin of [0, 1, 255, 511]) {
    expect(max["lane"][bin]).toBe(100 + 10 * bin);
    expect(Math.abs(p50["lane"][bin] / (100 + 10 * bin) - 1)).toBeLessThan(0.07);
  }
  expect(max["lane"][512]).toBeNaN();
});

test("a bin that was empty before two became one is empty after it", () => {
  const pyramid = new LogPyramid();
  pyramid.add("lane", 4095 * SECOND, 700);
  pyramid.add("lane", 5000 * SECOND, 900);
  const { count, max, p50, width } = pyramid.bins(0, 0);
  const places = max["lane"].flatMap((us, bin) => (Number.isNaN(us) ? [] : [[bin, us]]));
  expect(places).toEqual([
    [Math.floor((4095 * SECOND) / width), 700],
    [Math.floor((5000 * SECOND) / width), 900],
  ]);
  expect(p50["lane"].filter((us) => !Number.isNaN(us))).toHaveLength(2);
  expect(count.every((blocks) => blocks === 0)).toBe(true);
});

test("as many bins as a screen can show come one by one, one more in pairs", () => {
  const widthOf = (seconds: number): number => {
    const pyramid = new LogPyramid();
    pyramid.addBlock((seconds - 1) * SECOND);
    return pyramid.bins(0, 0).width;
  };
  expect([widthOf(1024), widthOf(1025), widthOf(2048), widthOf(2049)].map((us) => us / SECOND)).toEqual([
    1, 2, 2, 4,
  ]);
});

test("a reader that knows a width of several bins gets whole ones, from the one that holds the instant", () => {
  const pyramid = new LogPyramid();
  for (let s = 0; s < 1500; s++) pyramid.addBlock(s * SECOND);
  expect(pyramid.bins(1493 * SECOND, 2 * SECOND)).toMatchObject({
    width: 2 * SECOND,
    firstBin: 746,
    count: [2, 2, 2, 2],
  });
  expect(pyramid.bins(-SECOND, 2 * SECOND)).toMatchObject({ firstBin: 0 });
  expect(pyramid.bins(9_999 * SECOND, 2 * SECOND).count).toEqual([]);
});

test("a time of up to a century has a place", () => {
  const pyramid = new LogPyramid();
  pyramid.addBlock(3.1e15);
  pyramid.addBlock(3.2e15);
  pyramid.addBlock(Number.NaN);
  const { count } = pyramid.bins(0, 0);
  expect(count.reduce((a, b) => a + b, 0)).toBe(1);
  expect(count.length).toBeLessThanOrEqual(1024);
});
