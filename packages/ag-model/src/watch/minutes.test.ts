import { expect, test } from "vitest";
import { minuteAt, minutesOf, packHour, seriesOf, unpackHour, withPoint } from "./minutes.ts";
import type { WatchMinute, WatchPoint } from "./shapes.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, WEEK_MS } from "./times.ts";

/** A Tuesday, 02:00 UTC. */
const HOUR = Date.UTC(2026, 10, 24, 2);

const point = (second: number, values: Partial<WatchPoint> = {}): WatchPoint => ({
  at: HOUR + second * 1000,
  seconds: 5,
  commits: 100,
  delayMs: 5,
  delayFrom: "counters",
  sendQueueKb: 0,
  redoQueueKb: 0,
  rpoSeconds: 0,
  primary: "SQL1",
  notSynchronized: [],
  isStateKnown: true,
  ...values,
});

const minute = (index: number, values: Partial<WatchMinute> = {}): WatchMinute => ({
  at: HOUR + index * MINUTE_MS,
  polls: 12,
  seconds: 60,
  commits: 1200,
  delayMs: 5,
  longestMs: 8,
  sendQueueKb: 0,
  redoQueueKb: 0,
  rpoSeconds: 0,
  ...values,
});

test("weights the delay of a minute by commits, and keeps the longest poll and queue", () => {
  const points = [
    point(5, { commits: 300, delayMs: 4, sendQueueKb: 10, redoQueueKb: 3 }),
    point(10, { commits: 100, delayMs: 40, sendQueueKb: 90, rpoSeconds: 2 }),
    point(15, { commits: 0, delayMs: null, sendQueueKb: null }),
    point(65, { delayMs: 7 }),
  ];
  // (300 x 4 + 100 x 40) / 400 = 13
  expect(minutesOf(points)).toEqual([
    minute(0, {
      polls: 3,
      seconds: 15,
      commits: 400,
      delayMs: 13,
      longestMs: 40,
      sendQueueKb: 90,
      redoQueueKb: 3,
      rpoSeconds: 2,
    }),
    minute(1, { polls: 1, seconds: 5, commits: 100, delayMs: 7, longestMs: 7 }),
  ]);
});

test("a poll belongs to the minute of its middle", () => {
  expect(minuteAt(point(62.4))).toBe(HOUR);
  expect(minuteAt(point(62.5))).toBe(HOUR + MINUTE_MS);
  expect(minuteAt(point(89, { seconds: 60 }))).toBe(HOUR);
  expect(minutesOf([point(63), point(60), point(3)]).map(({ at, polls }) => [at, polls])).toEqual([
    [HOUR, 2],
    [HOUR + MINUTE_MS, 1],
  ]);
});

test("a minute without an answer is a hole", () => {
  const hole = {
    seconds: 0,
    commits: null,
    delayMs: null,
    sendQueueKb: null,
    redoQueueKb: null,
    rpoSeconds: null,
  };
  const { at, polls, longestMs, ...values } = minutesOf([point(5, hole)])[0] ?? minute(9);
  expect({ at, polls, longestMs }).toEqual({ at: HOUR, polls: 0, longestMs: null });
  expect(values).toEqual(hole);
  const first = withPoint(null, point(5, hole));
  expect(withPoint(first, point(10))).toMatchObject({ polls: 1, seconds: 5, commits: 100, delayMs: 5 });
});

test("a minute has no more than its 60 seconds", () => {
  const points = [1, 2, 3].map((index) => point(20 * index, { seconds: 25 }));
  expect(minutesOf(points)).toMatchObject([{ polls: 3, seconds: 60 }]);
});

test("an hour comes back from its row", () => {
  const minutes = [
    minute(0, { delayMs: 5.1239, longestMs: 9.9996 }),
    minute(7, { commits: 0, delayMs: null, longestMs: null, sendQueueKb: null }),
    minute(59, { seconds: 14.9996, polls: 3 }),
  ];
  const row = JSON.parse(JSON.stringify(packHour(minutes.toReversed()))) as unknown;
  expect(unpackHour(row)).toEqual([
    { ...minutes[0], delayMs: 5.124, longestMs: 10 },
    minutes[1],
    { ...minutes[2], seconds: 15 },
  ]);
});

test("a full hour is small", () => {
  const minutes = Array.from({ length: 60 }, (_, index) =>
    minute(index, { commits: 12_345 + index, delayMs: 5.123_456 + index / 7, longestMs: 38.765 + index / 3 }),
  );
  expect(JSON.stringify(packHour(minutes)).length).toBeLessThan(2600);
});

test("packs the minutes of one hour only", () => {
  const packed = packHour([minute(58), minute(59), minute(60)]);
  expect(packed).toMatchObject({ at: HOUR, m: [58, 59] });
  expect(unpackHour(packHour([]))).toEqual([]);
});

test("damaged rows lose only what is damaged", () => {
  const packed = packHour([minute(1), minute(2), minute(3)]);
  expect(unpackHour({ ...packed, m: [1, 2.5, 60], s: [60, 60] }).map(({ at }) => at)).toEqual([
    HOUR + MINUTE_MS,
  ]);
  expect(unpackHour({ ...packed, delay: [5, "x", -1], longest: "no", polls: [1, null, 2] })).toEqual([
    minute(1, { polls: 1, longestMs: null }),
    minute(3, { polls: 2, delayMs: null, longestMs: null }),
  ]);
  expect(unpackHour({ ...packed, s: [61, Number.NaN, 3] }).map(({ seconds }) => seconds)).toEqual([60, 3]);
  expect(unpackHour({ ...packed, m: [3, 3, 1] }).map(({ at }) => at)).toEqual([
    HOUR + MINUTE_MS,
    HOUR + 3 * MINUTE_MS,
  ]);
  const damaged = [
    null,
    7,
    "row",
    [],
    {},
    { ...packed, v: 2 },
    { ...packed, at: HOUR + 1 },
    { ...packed, m: 3 },
  ];
  for (const row of damaged) expect(unpackHour(row)).toEqual([]);
});

test("columns weight delays by commits and keep the longest", () => {
  const minutes = [
    minute(0, { commits: 300, delayMs: 4, longestMs: 9, sendQueueKb: 5 }),
    minute(1, { commits: 100, delayMs: 40, longestMs: 55, rpoSeconds: 3 }),
    minute(4, { seconds: 30, sendQueueKb: null }),
  ];
  expect(seriesOf(minutes, HOUR, HOUR + 6 * MINUTE_MS, 3, null)).toEqual({
    from: HOUR,
    width: 2 * MINUTE_MS,
    delay: [13, null, 5],
    longest: [55, null, 8],
    usualLow: [null, null, null],
    usualHigh: [null, null, null],
    sendQueueKb: [5, null, null],
    rpoSeconds: [3, null, 0],
    polled: [1, 0, 0.25],
  });
});

test("columns of an uneven width are polled completely", () => {
  const minutes = Array.from({ length: 10 }, (_, index) => minute(index));
  const { polled, width } = seriesOf(minutes, HOUR, HOUR + 10 * MINUTE_MS, 7, null);
  expect(width).toBeCloseTo((10 * MINUTE_MS) / 7, 6);
  expect(polled).toEqual([1, 1, 1, 1, 1, 1, 1]);
  const shifted = seriesOf(minutes, HOUR + 40_000, HOUR + 400_000, 6, null);
  expect(shifted.polled).toEqual([1, 1, 1, 1, 1, 1]);
});

test("columns are at least a minute wide, and bounded", () => {
  expect(seriesOf([], HOUR, HOUR + 3 * MINUTE_MS, 1000, null)).toMatchObject({ width: MINUTE_MS });
  expect(seriesOf([], HOUR, HOUR + HOUR_MS, 0, null).delay).toHaveLength(1);
  expect(seriesOf([], HOUR, HOUR - 5, 10, null).delay).toHaveLength(1);
  expect(seriesOf([], 0, 1e15, 1e9, null).delay).toHaveLength(4000);
});

test("minutes outside the range are in no column", () => {
  const minutes = [minute(-1), minute(3)];
  expect(seriesOf(minutes, HOUR, HOUR + 3 * MINUTE_MS, 3, null).delay).toEqual([null, null, null]);
});

test("the usual of a column is that of its hours", () => {
  // 24 November 2026 is a Tuesday: hour 2 x 24 + 2 of the week is its third hour.
  const cells = Array.from({ length: 168 }, (_, cell) => ({ low: cell, median: cell + 1, high: cell + 2 }));
  const hours = seriesOf([], HOUR, HOUR + 2 * HOUR_MS, 2, { cells });
  expect([hours.usualLow, hours.usualHigh]).toEqual([
    [50, 51],
    [52, 53],
  ]);
  expect(seriesOf([], HOUR, HOUR + 4 * HOUR_MS, 2, { cells }).usualHigh).toEqual([52.5, 54.5]);
  // Hours 50 to 73 of the week.
  expect(seriesOf([], HOUR, HOUR + DAY_MS, 1, { cells }).usualLow).toEqual([61.5]);
  // All hours of a week.
  expect(seriesOf([], HOUR, HOUR + 10 * WEEK_MS, 1, { cells }).usualLow).toEqual([83.5]);
  const known = cells.map((each, cell) => (cell === 50 ? null : each));
  expect(seriesOf([], HOUR, HOUR + 2 * HOUR_MS, 2, { cells: known }).usualLow).toEqual([null, 51]);
});
