import { expect, test } from "vitest";
import type { WatchMinute } from "./shapes.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./times.ts";
import { usualAt, usualOf } from "./usual.ts";

/** A Tuesday, 00:00 UTC. */
const TUESDAY = Date.UTC(2026, 10, 24);

const minute = (at: number, delayMs: number | null): WatchMinute => ({
  at,
  polls: 12,
  seconds: 60,
  commits: 1200,
  delayMs,
  longestMs: delayMs,
  sendQueueKb: 0,
  redoQueueKb: 0,
  rpoSeconds: 0,
});

/** Minutes of an hour with delays 0, 1, 2 ... of this factor. */
const hour = (at: number, minutes: number, factor = 1): WatchMinute[] =>
  Array.from({ length: minutes }, (_, index) => minute(at + index * MINUTE_MS, index * factor));

const daysBefore = (days: number): number => TUESDAY - days * DAY_MS;
const at = (daysAgo: number, hourOfDay: number): number => daysBefore(daysAgo) + hourOfDay * HOUR_MS;

test("has percentiles of the minutes of a weekday and hour", () => {
  // Tuesday 03:00 a week ago: 0 to 50 ms; other days at 03:00: 0 to 100 ms.
  const minutes = Array.from({ length: 13 }, (_, day) => hour(at(day + 1, 3), 51, day === 6 ? 1 : 2)).flat();
  const usual = usualOf(minutes, TUESDAY);
  expect(usualAt(usual, at(0, 3))).toEqual({ low: 5, median: 25, high: 45 });
  expect(usualAt(usual, at(0, 3.99))).toEqual({ low: 5, median: 25, high: 45 });
  expect(usualAt(usual, at(-1, 3))).toEqual({ low: 10, median: 50, high: 90 });
  expect(usualAt(usual, at(0, 4))).toBeNull();
  expect(usualAt(null, at(0, 3))).toBeNull();
});

test("is unknown under seven days with polls", () => {
  const days = (count: number) => Array.from({ length: count }, (_, day) => hour(at(day + 1, 3), 60)).flat();
  expect(usualOf(days(6), TUESDAY)).toBeNull();
  expect(usualOf(days(7), TUESDAY)).not.toBeNull();
  const unpolled = { ...minute(at(9, 3), null), polls: 0, seconds: 0 };
  expect(usualOf([...days(6), unpolled], TUESDAY)).toBeNull();
  // A day of polls without a commit is a day with polls.
  expect(usualOf([...days(6), minute(at(9, 3), null)], TUESDAY)).not.toBeNull();
});

test("takes the hour of all days where a weekday's has under 30 minutes", () => {
  const mondays = hour(at(1, 5), 29, 100);
  const others = [2, 3, 4, 5, 6, 7].flatMap((day) => hour(at(day, 5), 11));
  const usual = usualOf([...mondays, ...others], TUESDAY);
  // 95 minutes: six times 0 to 10 ms, and 0 to 2,800 ms in 29 of them; the middle one of all in order is the 48th.
  expect(usualAt(usual, at(1, 5))?.median).toBe(7);
  expect(usualAt(usual, at(2, 5))).toEqual(usualAt(usual, at(1, 5)));
  const more = usualOf([...mondays, minute(at(1, 5) + 29 * MINUTE_MS, 2900), ...others], TUESDAY);
  expect(usualAt(more, at(1, 5))?.median).toBe(1450);
  expect(
    usualOf(
      [2, 3, 4, 5, 6, 7, 8].flatMap((day) => hour(at(day, 5), 4)),
      TUESDAY,
    )?.cells,
  ).toEqual(Array.from({ length: 168 }, () => null));
});

test("forgets what is older than four weeks, and what is not yet over", () => {
  const days = Array.from({ length: 7 }, (_, day) => hour(at(day + 1, 3), 60)).flat();
  const old = hour(at(28, 3) - DAY_MS, 60, 1000);
  const later = hour(at(0, 3), 60, 1000);
  expect(usualOf([...old, ...days, ...later], TUESDAY)).toEqual(usualOf(days, TUESDAY));
  expect(usualOf([...old, ...days.slice(0, 360)], TUESDAY)).toBeNull();
});

test("four weeks of minutes take little time", () => {
  const minutes = Array.from({ length: 40_320 }, (_, index) =>
    minute(daysBefore(28) + index * MINUTE_MS, 5 + ((index * 7919) % 1000) / 500),
  );
  const times = Array.from({ length: 5 }, () => {
    const begin = performance.now();
    usualOf(minutes, TUESDAY);
    return performance.now() - begin;
  });
  // 20 ms on an idle machine; the fastest of five, with patience for a busy one.
  expect(Math.min(...times)).toBeLessThan(60);
});
