import { expect, test } from "vitest";
import { refusalOf } from "./limits.ts";
import type { PastRecording, RecordingLimits, RecordingRule } from "./limits.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./times.ts";

const NOW = Date.UTC(2026, 10, 24, 14, 20);
const LIMITS: RecordingLimits = {
  holdOffSeconds: 900,
  mostPerDay: 3,
  mostPerWeek: 5,
  mostBytesPerWeek: 1_000_000_000,
};

/** A minute long, ended some time ago. */
const ended = (agoMs: number, bytes: number | null = 1000): PastRecording => ({
  began: NOW - agoMs - MINUTE_MS,
  ended: NOW - agoMs,
  bytes,
});

function refusal(rule: RecordingRule, recordings: readonly PastRecording[], limits = LIMITS): string | null {
  return refusalOf(rule, NOW, recordings, limits)?.replaceAll("\u00A0", " ") ?? null;
}

const RULES: readonly RecordingRule[] = [
  "commitDelay",
  "timesUsual",
  "sendQueue",
  "rpo",
  "state",
  "schedule",
  "http",
  "hand",
];
const refused = (recordings: readonly PastRecording[], limits = LIMITS): string[] =>
  RULES.filter((rule) => refusal(rule, recordings, limits) !== null);

test("nothing is refused without recordings", () => {
  expect(refused([])).toEqual([]);
});

test("the hold-off has its end and its length, from the end of the last recording", () => {
  const recordings = [ended(HOUR_MS), ended(178_000), ended(2 * HOUR_MS)];
  expect(refusal("commitDelay", recordings, { ...LIMITS, mostPerDay: 9 })).toBe(
    "Hold-off until 14:32:02 UTC, 15 min after the last recording.",
  );
  expect(refusal("commitDelay", [ended(900_000)])).toBeNull();
  expect(refusal("commitDelay", [ended(899_999)])).not.toBeNull();
  expect(refused([ended(60_000)])).toEqual(["commitDelay", "timesUsual", "sendQueue", "rpo", "http"]);
  expect(refused([ended(0)], { ...LIMITS, holdOffSeconds: 0 })).toEqual([]);
});

test("a day has its number of recordings", () => {
  const recordings = [2, 12, 23].map((hours) => ended(hours * HOUR_MS));
  expect(refusal("state", recordings)).toBe("3 recordings in the last 24 h: the limit is 3 a day.");
  expect(refused(recordings)).toEqual(RULES.filter((rule) => rule !== "hand"));
  expect(refused([...recordings.slice(0, 2), ended(24 * HOUR_MS)])).toEqual([]);
  expect(refusal("http", recordings.slice(0, 1), { ...LIMITS, mostPerDay: 1 })).toBe(
    "1 recording in the last 24 h: the limit is 1 a day.",
  );
});

test("a week has its number of recordings", () => {
  const recordings = [2, 3, 4, 5, 6].map((days) => ended(days * DAY_MS));
  expect(refusal("schedule", recordings)).toBe("5 recordings in the last 7 days: the limit is 5 a week.");
  expect(refused(recordings)).toEqual(RULES.filter((rule) => rule !== "hand"));
  expect(refused([...recordings.slice(0, 4), ended(7 * DAY_MS)])).toEqual([]);
});

test("a week has its bytes, also for a person", () => {
  const recordings = [
    ended(2 * DAY_MS, 600_000_000),
    ended(3 * DAY_MS, null),
    ended(4 * DAY_MS, 600_000_000),
  ];
  expect(refusal("hand", recordings)).toBe("1.2 GB recorded in the last 7 days: the limit is 1.0 GB a week.");
  expect(refused(recordings)).toEqual(RULES);
  expect(refused([ended(2 * DAY_MS, 999_999_999), ended(8 * DAY_MS, 600_000_000)])).toEqual([]);
});

test("no recording begins while one lasts", () => {
  const running = { began: NOW - 90_000, ended: null, bytes: null };
  expect(refusal("hand", [running])).toBe("A recording has been running since 14:18:30 UTC.");
  expect(refused([running])).toEqual(RULES);
});
