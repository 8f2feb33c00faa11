import { expect, test } from "vitest";
import { libraryCapture } from "../../../../test/library.ts";
import { durationText } from "../../../ui/words.ts";
import { isSlow } from "../verdict-text.ts";
import { capturedText, daysLeft, shortVerdict } from "./library-text.ts";

const NOW = "2026-03-01T12:00:00.000Z";

test("a verdict leaves out the commits' p95, which has its column", () => {
  const verdict = (sentence: string | null) => shortVerdict(libraryCapture("a", { verdict: sentence }));
  expect(verdict("Commits finish in 5.92 ms (p95). No stage stands out.")).toBe("No stage stands out.");
  expect(
    verdict("SQL2 releases 98 % of the commits. Commits finish in 5.92 ms (p95). No stage stands out."),
  ).toBe("SQL2 releases 98 % of the commits. No stage stands out.");
  expect(verdict("Can't determine what commits wait for because no log block has arrived.")).toBe(
    "Can't determine what commits wait for because no log block has arrived.",
  );
  expect(verdict(null)).toBe("Analyzed.");
});

test("a verdict begins with its cause, whenever that was", () => {
  const verdict = (sentence: string) => shortVerdict(libraryCapture("a", { verdict: sentence }));
  expect(verdict("Between 08:49:51 and 08:50:08 a log write on SQL1 took 55 ms instead of 1.6 ms.")).toBe(
    "A log write on SQL1 took 55 ms instead of 1.6 ms.",
  );
  expect(
    verdict("At least 4 times between 02:17:28 and 02:18:04, every 12 s, the round trip was 31 ms."),
  ).toBe("At least 4 times the round trip was 31 ms.");
  expect(verdict("At 05:16:55 SQL2 took over from SQL1; no commit ended for 4.87 s.")).toBe(
    "SQL2 took over from SQL1; no commit ended for 4.87 s.",
  );
});

test("what is under way, failed or not begun is said in its place", () => {
  const analysing = (progress: { phase: string; share: number; place: number | null } | null) =>
    shortVerdict(libraryCapture("a", { state: "analysing", progress })).replaceAll("\u2009", " ");
  expect(analysing({ phase: "decode", share: 0.43, place: null })).toBe("Decoding events, 43 % read.");
  expect(analysing({ phase: "join", share: 1, place: null })).toBe("Joining log blocks.");
  expect(analysing({ phase: "waiting", share: 0, place: 2 })).toBe("Waits to be analyzed, place 2.");
  expect(analysing(null)).toBe("Waits to be analyzed again.");
  expect(shortVerdict(libraryCapture("a", { state: "failed", problem: "The disk is full." }))).toBe(
    "The disk is full.",
  );
  expect(shortVerdict(libraryCapture("a", { state: "receiving", files: 1 }))).toBe(
    "1 file, not analyzed yet.",
  );
});

test("an instant is today's, yesterday's or a date, over the end of a month too", () => {
  expect(capturedText("2026-03-01T00:00:00.0000000Z", NOW)).toBe("today 00:00");
  expect(capturedText("2026-02-28T23:59:59.9999999Z", NOW)).toBe("yesterday 23:59");
  expect(capturedText("2026-02-27T23:59:00Z", NOW)).toBe("2026-02-27 23:59");
});

test("days left are whole, the last one counts, under 7 are soon", () => {
  expect(daysLeft("2026-03-08T12:00:00.000Z", NOW)).toEqual({ words: "7", unit: "days", isSoon: false });
  expect(daysLeft("2026-03-08T11:59:59.000Z", NOW)).toEqual({ words: "7", unit: "days", isSoon: true });
  expect(daysLeft("2026-03-01T12:00:01.000Z", NOW)).toMatchObject({ words: "1", unit: "day" });
  expect(daysLeft("2026-02-01T00:00:00.000Z", NOW)).toMatchObject({ words: "0" });
  expect(daysLeft(null, NOW)).toEqual({ words: "kept", unit: "", isSoon: false });
});

test("a length is in seconds, minutes or hours", () => {
  const words = (us: number) => durationText(us).replaceAll("\u2009", " ");
  expect(words(57.9e6)).toBe("57.9 s");
  expect(words(59.96e6)).toBe("1 min 00 s");
  expect(words(720e6)).toBe("12 min 00 s");
  expect(words(3_599.6e6)).toBe("1 h 00 min");
  expect(words(11_040e6)).toBe("3 h 04 min");
});

test("commits are slow over 50 ms, not at it", () => {
  expect([isSlow(50_000), isSlow(50_001), isSlow(null)]).toEqual([false, true, false]);
});
