import { expect, test } from "vitest";
import { missedBetween, nextOf, problemOf } from "./schedule.ts";

/** A Tuesday. */
const AT = Date.UTC(2026, 10, 24, 2);
const time = (text: string): number => Date.parse(`${text}Z`);

test.each([
  ["0 2 * * *", "2026-11-25T02:00"],
  ["30 2 * * *", "2026-11-24T02:30"],
  ["*/20 * * * *", "2026-11-24T02:20"],
  ["5,10 3-4 * * *", "2026-11-24T03:05"],
  ["0 0-23/6 * * *", "2026-11-24T06:00"],
  ["0 2 * * SUN", "2026-11-29T02:00"],
  ["0 2 * * 0", "2026-11-29T02:00"],
  ["0 2 * * 7", "2026-11-29T02:00"],
  ["0 2 * * mon-fri", "2026-11-25T02:00"],
  ["0 3 * * TUE", "2026-11-24T03:00"],
  ["0 2 * * wed,THU", "2026-11-25T02:00"],
  ["0 2 * * THU", "2026-11-26T02:00"],
  ["0 2 * * FRI", "2026-11-27T02:00"],
  ["0 2 * * SAT", "2026-11-28T02:00"],
  ["0 2 * * MON", "2026-11-30T02:00"],
  ["0 2 1 DEC *", "2026-12-01T02:00"],
  ["0 2 1 FEB-NOV/3 *", "2027-02-01T02:00"],
  ["0 2 1 JAN *", "2027-01-01T02:00"],
  ["0 0 29 2 *", "2028-02-29T00:00"],
  // Day of month or weekday, as cron has it: the 28th is before the next Monday.
  ["0 2 28 * 1", "2026-11-28T02:00"],
  ["  0\t2  * * * ", "2026-11-25T02:00"],
])("%s is next at %s", (cron, next) => {
  expect(problemOf(cron)).toBeNull();
  expect(nextOf(cron, AT)).toBe(time(next));
});

test("times are UTC, also on days with 23 or 25 hours elsewhere", () => {
  expect(nextOf("30 1 * * *", time("2026-03-29T00:00"))).toBe(time("2026-03-29T01:30"));
  expect(nextOf("30 1 * * *", time("2026-10-25T01:30"))).toBe(time("2026-10-26T01:30"));
});

test.each([
  ["0 25 * * *", "Can't read 0 25 * * *: hour is 0 to 23."],
  ["60 2 * * *", "Can't read 60 2 * * *: minute is 0 to 59."],
  ["0 2 0 * *", "Can't read 0 2 0 * *: day is 1 to 31."],
  ["0 2 1-32 * *", "Can't read 0 2 1-32 * *: day is 1 to 31."],
  ["0 2 * 13 *", "Can't read 0 2 * 13 *: month is 1 to 12, or JAN to DEC."],
  ["0 2 * * 8", "Can't read 0 2 * * 8: weekday is 0 to 7, or SUN to SAT."],
  ["0 2 * * SUNDAY", "Can't read 0 2 * * SUNDAY: weekday is 0 to 7, or SUN to SAT."],
  ["0 SUN * * *", "Can't read 0 SUN * * *: hour is 0 to 23."],
  ["0 5-2 * * *", "Can't read 0 5-2 * * *: hour 5-2 runs backward."],
  ["*/0 * * * *", "Can't read */0 * * * *: a step of minute is 1 to 59."],
  ["*/60 * * * *", "Can't read */60 * * * *: a step of minute is 1 to 59."],
  ["5/5 * * * *", "Can't read 5/5 * * * *: a step of minute needs * or a range."],
  ["1,,2 * * * *", "Can't read 1,,2 * * * *: minute is 0 to 59."],
  ["*-5 * * * *", "Can't read *-5 * * * *: minute is 0 to 59."],
  ["-1 * * * *", "Can't read -1 * * * *: minute is 0 to 59."],
  ["0 2 L * *", "Can't read 0 2 L * *: day is 1 to 31."],
  ["0 2 * * 5#2", "Can't read 0 2 * * 5#2: weekday is 0 to 7, or SUN to SAT."],
  ["? * * * *", "Can't read ? * * * *: minute is 0 to 59."],
  ["0 0 30 2 *", "Can't read 0 0 30 2 *: no date matches."],
  ["0 2 * *", "Can't read 0 2 * *: it needs minute, hour, day, month and weekday."],
  ["0 0 2 * * *", "Can't read 0 0 2 * * *: it needs minute, hour, day, month and weekday."],
  ["@daily", "Can't read @daily: it needs minute, hour, day, month and weekday."],
  ["", "Can't read the schedule: it needs minute, hour, day, month and weekday."],
])("%s is refused", (cron, problem) => {
  expect(problemOf(cron)).toBe(problem);
});

test("a long text is refused, and shown in part", () => {
  const cron = `${"0,".repeat(100)}0 2 * * *`;
  expect(problemOf(cron)).toBe(`Can't read ${cron.slice(0, 100)}: it has more than 100 characters.`);
});

test("finds the times between two others, the last one with them", () => {
  expect(missedBetween("0 2 * * *", time("2026-11-22T02:00"), time("2026-11-24T02:00"))).toEqual([
    time("2026-11-23T02:00"),
    time("2026-11-24T02:00"),
  ]);
  expect(missedBetween("0 2 * * *", time("2026-11-24T02:00"), time("2026-11-25T01:59:59.999"))).toEqual([]);
  expect(missedBetween("0 2 * * *", AT, AT - 1)).toEqual([]);
});

test("of many times has the newest 100", () => {
  const times = missedBetween("* * * * *", AT - 7 * 86_400_000, AT);
  expect(times).toHaveLength(100);
  expect([times[0], times.at(-1)]).toEqual([AT - 99 * 60_000, AT]);
});
