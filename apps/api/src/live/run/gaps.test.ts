import { filetimeOfUnixMs } from "xel-parser/format";
import { expect, test } from "vitest";
import { backOff } from "./back-off.ts";
import { Gaps } from "./gaps.ts";
import { Moment, RunClock } from "./run-clock.ts";

/** 1 ms of this machine's clock is 1,000 µs of the run. */
const clock = new RunClock(0);
const at = (ms: number): Moment => new Moment(ms);

test("a gap lasts until it is closed, and is opened once", () => {
  const gaps = new Gaps();
  expect(gaps.open(0, "connection", at(10), "lost")).toBe(true);
  expect(gaps.open(0, "connection", at(20), "lost again")).toBe(false);
  expect(gaps.open(1, "connection", at(20), "the other")).toBe(true);
  gaps.close(0, ["connection"], at(30));
  expect(gaps.asLiveGaps(clock)).toEqual([
    { replica: 0, reason: "connection", from: 10_000, to: 30_000, message: "lost" },
    { replica: 1, reason: "connection", from: 20_000, to: null, message: "the other" },
  ]);
});

test("losses in a row are one gap", () => {
  const gaps = new Gaps();
  gaps.add(0, "droppedByServer", at(1000), at(2000), "3 events");
  gaps.add(0, "droppedByServer", at(2000), at(3000), "5 events");
  gaps.add(0, "droppedByServer", at(9000), at(10_000), "1 event");
  expect(gaps.asLiveGaps(clock).map(({ from, to }) => [from, to])).toEqual([
    [1_000_000, 3_000_000],
    [9_000_000, 10_000_000],
  ]);
});

test("pauses double to half a minute", () => {
  expect([0, 1, 2, 3, 4, 5, 100].map((attempt) => backOff(attempt, 0.5))).toEqual([
    1000, 2000, 4000, 8000, 16_000, 32_000, 60_000,
  ]);
  expect(backOff(0, 0)).toBe(800);
  expect(backOff(0, 1)).toBe(1200);
});

test("the run's time is the primary's", () => {
  const begun = Date.UTC(2026, 10, 21, 8, 0, 0);
  const clock = new RunClock(begun);
  expect(clock.at(begun + 1500)).toBe(1_500_000);
  // The model's origin is 2 s after the run began, and the primary's clock 250 ms ahead of this machine's.
  clock.adjust(filetimeOfUnixMs(begun + 2000), 1_250_000, begun + 3000);
  expect(clock.origin).toBe("2026-11-21T08:00:02.0000000Z");
  expect(clock.at(begun + 3000)).toBe(1_250_000);
  expect(clock.at(begun + 1750)).toBe(0);
  // No block yet: nothing to go by.
  clock.adjust(0n, 0, begun + 9000);
  expect(clock.at(begun + 1750)).toBe(0);
});

test("an instant keeps its place when the clocks are measured anew", () => {
  const begun = Date.UTC(2026, 10, 21, 8, 0, 0);
  const clock = new RunClock(begun);
  const early = new Moment(begun + 500);
  // Nothing is known of the primary's clock yet.
  expect(early.in(clock)).toBe(500_000);
  clock.adjust(filetimeOfUnixMs(begun), 1_300_000, begun + 1000);
  const mark = new Moment(begun + 1500);
  expect([early.in(clock), mark.in(clock)]).toEqual([800_000, 1_800_000]);
  clock.adjust(filetimeOfUnixMs(begun), 3_010_000, begun + 3000);
  expect([early.in(clock), mark.in(clock)]).toEqual([800_000, 1_800_000]);
  // What is known as time of the run needs no clock.
  expect(new Moment(begun + 9000, 42).in(clock)).toBe(42);
});
