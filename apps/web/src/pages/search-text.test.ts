import { expect, test } from "vitest";
import { instantOf } from "./search-text.ts";

// 2016-05-06T02:16:55 UTC as FILETIME ticks, 92 s long.
const ORIGIN = "131069746150000000";
const at = (text: string): number | null => instantOf(text, { originTicks: ORIGIN, durationUs: 92e6 });

test("offsets from the capture's origin", () => {
  expect(at("+45.9 s")).toBe(45_900_000);
  expect(at("45.9")).toBe(45_900_000);
  expect(at(" +250ms ")).toBe(250_000);
  expect(at("+1 min")).toBe(60_000_000);
  expect(at("12 µs")).toBe(12);
});

test("offsets as a long capture writes them", () => {
  expect(instantOf("+0:17:30.72", { originTicks: ORIGIN, durationUs: 3_600e6 })).toBe(1_050_720_000);
  expect(instantOf("+26:00:05", { originTicks: ORIGIN, durationUs: 100_000e6 })).toBe(93_605_000_000);
});

test("times of day in UTC, with or without a date", () => {
  expect(at("02:17:42.371")).toBe(47_371_000);
  expect(at("2016-05-06 02:17:42")).toBe(47_000_000);
  expect(at("2016-05-06T02:17:42.371Z")).toBe(47_371_000);
  expect(at("02:17")).toBe(5_000_000);
  expect(at("02:16")).toBe(0);
});

test("a time of day ends at 23:59:59.999", () => {
  const midnight = String(131_069_664_000_000_000n);
  const day = 86_400e6;
  expect(instantOf("23:59:59.999", { originTicks: midnight, durationUs: day })).toBe(day - 1_000);
  for (const none of ["24:00", "23:60", "23:59:60"])
    expect(instantOf(none, { originTicks: midnight, durationUs: day }), none).toBeNull();
});

test("a capture over midnight", () => {
  // 23:59:30 of the same day.
  const late = String(131_069_664_000_000_000n - 300_000_000n);
  expect(instantOf("00:00:10", { originTicks: late, durationUs: 92e6 })).toBe(40_000_000);
  // It begins on 5 May; a date chooses among days that have the time of day.
  const twoDays = 2 * 86_400e6;
  expect(instantOf("23:59:40", { originTicks: late, durationUs: twoDays })).toBe(10_000_000);
  expect(instantOf("6 May 23:59:40", { originTicks: late, durationUs: twoDays })).toBe(10_000_000 + 86_400e6);
  expect(instantOf("2016-05-06 23:59:40", { originTicks: late, durationUs: twoDays })).toBe(
    10_000_000 + 86_400e6,
  );
  expect(instantOf("2016-05-09 23:59:40", { originTicks: late, durationUs: twoDays })).toBeNull();
});

test("what lies outside the capture, or is no time, is no instant", () => {
  for (const text of ["", "93", "-1", "03:00", "25:00:00", "00000022:00000167", "02:17:61", "02:60", "soon"])
    expect(at(text), text).toBeNull();
});

test("a time of day is one of the zone that is shown, unless an offset from UTC is after it", () => {
  const zone = { kind: "server", minutes: 120, name: null } as const;
  const local = (text: string): number | null =>
    instantOf(text, { originTicks: ORIGIN, durationUs: 92e6, zone });
  for (const text of [
    "04:17:42.371",
    "2016-05-06 04:17:42.371",
    "02:17:42.371Z",
    "02:17:42.371 UTC",
    "02:17:42.371 utc",
    "2016-05-06T03:17:42.371+01:00",
    "07:47:42.371 UTC+5:30",
    "22:17:42.371 UTC\u22124",
    "5 May 22:17:42.371-04",
  ])
    expect(local(text), text).toBe(47_371_000);
  expect(local("02:17:42.371")).toBeNull();
});

test("of a time that the clock shows twice the first in the capture is meant", () => {
  const zone = { kind: "browser", timeZone: "America/New_York" } as const;
  const from = (iso: string) => ({
    originTicks: String((BigInt(Date.parse(iso)) + 11_644_473_600_000n) * 10_000n),
    durationUs: 3_600e6,
    zone,
  });
  expect(instantOf("01:30", from("2026-11-01T05:20:00Z"))).toBe(600e6);
  expect(instantOf("01:30", from("2026-11-01T05:50:00Z"))).toBe(2_400e6);
  expect(instantOf("01:30 UTC-4", from("2026-11-01T05:50:00Z"))).toBeNull();
});
