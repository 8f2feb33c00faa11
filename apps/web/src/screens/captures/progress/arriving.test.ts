import { describe, expect, test } from "vitest";
import { captureFile } from "../../../../test/capture-file.ts";
import { arrivingOf, arrivingText, roundedUp } from "./arriving.ts";

const T0 = Date.UTC(2016, 4, 6, 2, 16, 55);
const at = (seconds: number): string => new Date(T0 + 1000 * seconds).toISOString();
const plain = (words: string): string => words.replaceAll(/\s/gu, " ");

/** A quarter of 400 bytes: 50 events at 1 s, 250 at 3 s, 300 at 11 s. */
const read = {
  bytes: 100,
  points: [
    { at: at(1), events: 50 },
    { at: at(3), events: 250 },
    { at: at(11), events: 300 },
  ],
};
const row = { file: null, size: 400, reading: { read, isLater: false } };

describe("a file that arrives", () => {
  test("begins where its first point is, and its end is estimated from its bytes, rounded up", () => {
    expect(arrivingOf(row)).toEqual({
      from: T0 + 1_000,
      // A quarter has 300 events, so 1,150 follow the first point; 250 of these took 10 s, so all will take 46 s.
      to: T0 + 51_000,
      steps: [
        { from: T0 + 1_000, to: T0 + 3_000, perSecond: 100 },
        { from: T0 + 3_000, to: T0 + 11_000, perSecond: 6.25 },
      ],
      readTo: T0 + 11_000,
      events: 300,
    });
    expect(plain(arrivingText(row, arrivingOf(row)))).toBe(
      "300 events in 10.0 s so far, at most 100/s; axis of 50.0 s estimated from bytes",
    );
  });

  test("has nothing to draw before two points", () => {
    const reading = { read: { bytes: 10, points: read.points.slice(0, 1) }, isLater: false };
    expect(arrivingOf({ ...row, reading })).toBeNull();
    expect(arrivingText({ ...row, reading }, null)).toBe("No events read so far");
  });

  test("says where the server does not read it, or no further", () => {
    const none = { ...row, reading: { read: null, isLater: true } };
    expect(arrivingText(none, arrivingOf(none))).toBe("The server reads this file when all of it has come");
    const part = { ...row, reading: { read, isLater: true } };
    expect(plain(arrivingText(part, arrivingOf(part)))).toBe(
      "300 events in 10.0 s so far, at most 100/s; the rest is read when all has come",
    );
  });
});

test("a file that is whole has its own begin, end and count, also where nothing was told on the way", () => {
  const file = captureFile({ from: at(0), to: at(20), events: 1_200 });
  const told = { ...row, file };
  expect(arrivingOf(told)).toMatchObject({ from: T0, to: T0 + 20_000, readTo: null, events: 1_200 });
  expect(arrivingOf(told)?.steps).toEqual([
    { from: T0, to: T0 + 1_000, perSecond: 50 },
    { from: T0 + 1_000, to: T0 + 3_000, perSecond: 100 },
    { from: T0 + 3_000, to: T0 + 11_000, perSecond: 6.25 },
    { from: T0 + 11_000, to: T0 + 20_000, perSecond: 100 },
  ]);
  const later = { ...told, reading: { read: null, isLater: true } };
  expect(arrivingOf(later)?.steps).toEqual([{ from: T0, to: T0 + 20_000, perSecond: 60 }]);
  expect(plain(arrivingText(later, arrivingOf(later)))).toBe("1,200 events in 20.0 s, at most 60/s");
  expect(arrivingOf({ ...told, file: captureFile({ kind: "unreadable" }) })).toBeNull();
});

test.each([
  [0.4, 0.4],
  [40_000, 40_000],
  [41_300, 45_000],
  [61_000, 66_000],
  [3_076_000, 3_300_000],
  [7_000_000, 7_200_000],
])("%d ms are rounded up to %d", (ms, rounded) => {
  expect(roundedUp(ms)).toBeCloseTo(rounded);
});
