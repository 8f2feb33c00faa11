import { expect, test } from "vitest";
import { serverFigures } from "../../../test/status.ts";
import { alarmsOf, busyShare, growthText, recognitionText, threadName, upText } from "./status-text.ts";

const plain = (words: string): string => words.replaceAll("\u2009", " ");

test("the time that the server runs is in days, hours or minutes", () => {
  const up = (now: string) => plain(upText("2026-11-01T00:00:00.000Z", now));
  expect(up("2026-11-01T01:59:59.000Z")).toBe("119 min");
  expect(up("2026-11-01T02:00:00.000Z")).toBe("2 h");
  expect(up("2026-11-02T23:59:00.000Z")).toBe("47 h");
  expect(up("2026-12-12T05:00:00.000Z")).toBe("41 days");
});

test("a readout is beyond its limit, not at it", () => {
  const alarms = (free: number, p95Ms: number | null, p99Ms: number) => {
    const figures = serverFigures();
    return alarmsOf({
      disk: { ...figures.disk, free, keptFree: 100 },
      answers: { p95Ms, minutes: [] },
      eventLoop: { p99Ms, minutes: [] },
    });
  };
  expect(alarms(100, 500, 100)).toEqual({ disk: null, answers: null, eventLoop: null });
  expect(alarms(99, 500.1, 100.1)).toEqual({ disk: "in the reserve", answers: "slow", eventLoop: "late" });
  expect(alarms(100, null, 0).answers).toBeNull();
});

test("growth says when new captures stop, or that it is not known", () => {
  const words = (growthPerDay: number | null, free = 23e9) =>
    plain(growthText({ free, total: 40e9, keptFree: 2e9, parts: null, growthPerDay }));
  expect(words(null)).toBe("how fast it fills is known from the second day on");
  expect(words(0)).toBe("it did not grow within 14 days");
  // 21 GB are free, and 0.3 GB are used per day.
  expect(words(300e6)).toBe("grows by 300 MB a day; new captures stop in about 70 days, at 2.0 GB free");
  expect(words(300e6, 2.1e9)).toContain("in about a day");
  expect(words(300e6, 2e9)).toBe("grows by 300 MB a day; no new captures until some are deleted");
});

test("threads have names, and are busy for a part of the minute", () => {
  expect(threadName({ work: "main", number: 1 })).toBe("main, event loop");
  expect(threadName({ work: "analysis", number: 2 })).toBe("analysis 2");
  expect(busyShare({ shares: [1, 0.5, 0, 0.5] })).toBe(0.5);
  expect(busyShare({ shares: [] })).toBe(0);
});

test("files say whether they are read or wait, and for how many others", () => {
  expect(recognitionText({ running: 1, waiting: 0, before: 0 })).toBe("1 being read");
  expect(recognitionText({ running: 1, waiting: 3, before: 0 })).toBe("1 being read; 3 wait");
  expect(recognitionText({ running: 0, waiting: 1, before: 4 })).toBe(
    "1 waits, the next after 4 of other captures",
  );
});
