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

test("losses three seconds apart are one gap with the last message, later ones and others' are not", () => {
  const gaps = new Gaps();
  const rows = () =>
    gaps
      .asLiveGaps(clock)
      .map(({ replica, reason, from, to, message }) => [
        replica,
        reason,
        from / 1000,
        to === null ? null : to / 1000,
        message,
      ]);
  gaps.add(0, "droppedByServer", at(0), at(1000), "3 events");
  gaps.add(0, "droppedByServer", at(4000), at(5000), "5 events");
  expect(rows()).toEqual([[0, "droppedByServer", 0, 5000, "5 events"]]);
  gaps.add(1, "droppedByServer", at(5000), at(6000), "another replica");
  gaps.add(0, "droppedByUs", at(5000), at(6000), "another reason");
  gaps.add(0, "droppedByServer", at(8001), at(9000), "1 event");
  expect(rows().slice(1)).toEqual([
    [1, "droppedByServer", 5000, 6000, "another replica"],
    [0, "droppedByUs", 5000, 6000, "another reason"],
    [0, "droppedByServer", 8001, 9000, "1 event"],
  ]);
});

test("a gap that is closed stays so, and one of another reason or replica stays open", () => {
  const gaps = new Gaps();
  gaps.open(0, "connection", at(0), "lost");
  gaps.open(0, "droppedByUs", at(0), "rows");
  gaps.open(1, "connection", at(0), "lost");
  gaps.close(0, ["connection"], at(10));
  gaps.close(0, ["connection"], at(20));
  expect(gaps.asLiveGaps(clock).map(({ to }) => to)).toEqual([10_000, null, null]);
  expect(gaps.open(0, "connection", at(30), "lost anew")).toBe(true);
});

test("500 gaps are kept, the latest ones", () => {
  const gaps = new Gaps();
  for (let i = 0; i < 500; i++) gaps.add(0, "connection", at(i * 10_000), at(i * 10_000 + 1), "");
  expect(gaps.asLiveGaps(clock)).toHaveLength(500);
  gaps.add(0, "connection", at(6e6), at(6e6), "");
  expect(gaps.asLiveGaps(clock).map(({ from }) => from / 1000)).toEqual([
    ...Array.from({ length: 499 }, (_, i) => (i + 1) * 10_000),
    6e6,
  ]);
});

test("pauses are of two seconds while a server may be restarting, then they double to a minute", () => {
  expect([0, 1, 2, 3, 90, 91, 92, 94, 95, 1_000].map((attempt) => backOff(attempt, 0.5))).toEqual([
    1000, 2000, 2000, 2000, 2000, 4000, 8000, 32_000, 60_000, 60_000,
  ]);
  // Regardless of the duration of a restart, the next attempt is within 2.4 s of its end.
  expect(Math.max(...Array.from({ length: 91 }, (_, attempt) => backOff(attempt, 1)))).toBe(2400);
  expect(backOff(0, 0)).toBe(800);
  expect(backOff(0, 1)).toBe(1200);
});

test("the run's time is the primary's", () => {
  const begun = Date.UTC(2026, 10, 21, 8, 0, 0);
  const clock = new RunClock(begun);
  expect(clock.at(begun + 1500)).toBe(1_500_000);
  expect([clock.origin, clock.ticksAt(0)]).toEqual(["2026-11-21T08:00:00.0000000Z", filetimeOfUnixMs(begun)]);
  // The model's origin is 2 s after the run began, and the primary's clock 250 ms ahead of this machine's.
  clock.adjust(filetimeOfUnixMs(begun + 2000), 1_250_000, begun + 3000);
  expect(clock.origin).toBe("2026-11-21T08:00:02.0000000Z");
  expect(clock.at(begun + 3000)).toBe(1_250_000);
  expect(clock.at(begun + 1750)).toBe(0);
  // No block yet: nothing to go by.
  clock.adjust(0n, 0, begun + 9000);
  expect(clock.at(begun + 1750)).toBe(0);
  clock.adjust(filetimeOfUnixMs(begun), Number.NaN, begun + 9000);
  clock.adjust(filetimeOfUnixMs(begun), Number.POSITIVE_INFINITY, begun + 9000);
  expect(clock.at(begun + 1750)).toBe(0);
  expect(clock.ticksAt(1.26) - clock.ticksAt(0)).toBe(13n);
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
  // A time of the run needs no clock.
  expect(new Moment(begun + 9000, 42).in(clock)).toBe(42);
});
