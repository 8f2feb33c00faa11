import { describe, expect, it } from "vitest";
import { longestBetween, utcChanges } from "./clock-utc.ts";
import type { ClockWindow } from "./clock-windows.ts";
import type { UtcMap } from "./utc-map.ts";

const SECOND = 1_000_000;
const HOUR = 3_600 * SECOND;

/** A window in which the other counter is ahead by `a` and does not drift. */
const window = (from: number, to: number, a: number): ClockWindow => ({
  from,
  to,
  t0: from,
  a,
  b: 0,
  width: 10,
  hardBound: 5,
  driftFeasible: [0, 0],
  ownFrom: from + a,
  ownTo: to + a,
  errors: new Float64Array(17),
  blocks: 100,
});

/** A map with a middle every two seconds, from 1 s on of the counter that `counterOf` makes of true time. */
const mapOf = (
  utcOf: (time: number) => number,
  counterOf: (time: number) => number = (time) => time,
  seconds = 60,
): UtcMap => {
  const times = Array.from({ length: seconds / 2 }, (_, bin) => (2 * bin + 1) * SECOND);
  const at = Float64Array.from(times, counterOf);
  return { at, ahead: Float64Array.from(times, (time, bin) => utcOf(time) - at[bin]) };
};

const steady = (time: number): number => time;
const setAt = (at: number, us: number) => (time: number) => time + (time < at ? 0 : us);

describe("changes of UTC", () => {
  const windows = [window(0, 60 * SECOND, 0)];

  it("are of the server whose UTC alone jumps against the counters", () => {
    const set = mapOf(setAt(30 * SECOND, 2 * HOUR));
    const change = { from: 28 * SECOND, to: 32 * SECOND, us: 2 * HOUR };
    expect(utcChanges(set, mapOf(steady), windows)).toEqual({ first: [change], other: [] });
    expect(utcChanges(mapOf(steady), set, windows)).toEqual({ first: [], other: [change] });
  });

  it("are two where both were set, by amounts of their own", () => {
    const { first, other } = utcChanges(
      mapOf(setAt(30 * SECOND, HOUR)),
      mapOf(setAt(30 * SECOND, -HOUR)),
      windows,
    );
    expect([first, other].map((changes) => changes.map(({ us }) => us))).toEqual([[HOUR], [-HOUR]]);
  });

  it("are one where a middle lies in between", () => {
    const { at, ahead } = mapOf(setAt(30 * SECOND, HOUR));
    const between = ahead.map((us, bin) => (bin === 15 ? HOUR / 3 : us));
    expect(utcChanges({ at, ahead: between }, mapOf(steady), windows).first).toEqual([
      { from: 28 * SECOND, to: 34 * SECOND, us: HOUR },
    ]);
  });

  /** A counter that stops from 20 to 50 s, and the map of a machine without any event meanwhile. */
  const stopped = (time: number): number =>
    time < 20 * SECOND ? time : Math.max(20 * SECOND, time - 30 * SECOND);
  const suspended = (): UtcMap => {
    const { at, ahead } = mapOf(steady, stopped, 80);
    const isAwake = (_: number, bin: number): boolean => bin < 10 || bin >= 25;
    return { at: at.filter(isAwake), ahead: ahead.filter(isAwake) };
  };
  const running = mapOf(steady, steady, 80);
  const ofFirst = [window(0, 20 * SECOND, 0), window(20 * SECOND, 50 * SECOND, 30 * SECOND)];
  const ofOther = [window(0, 20 * SECOND, 0), window(50 * SECOND, 80 * SECOND, -30 * SECOND)];

  it("are none where a counter stood still", () => {
    const none = { first: [], other: [] };
    expect(utcChanges(suspended(), running, ofFirst)).toEqual(none);
    expect(utcChanges(running, suspended(), ofOther)).toEqual(none);
  });

  it("are none before and after the time that the clocks are fitted for", () => {
    const set = mapOf(setAt(30 * SECOND, HOUR));
    for (const part of [window(0, 20 * SECOND, 0), window(40 * SECOND, 60 * SECOND, 0)])
      expect(utcChanges(set, mapOf(steady), [part]).first).toEqual([]);
  });
});

it("finds the longest time in which no clock was set", () => {
  const change = (from: number, to: number) => ({ from, to, us: HOUR });
  expect(longestBetween([], 5, 60)).toEqual({ from: 5, to: 60 });
  expect(longestBetween([change(40, 44), change(10, 14)], 5, 60)).toEqual({ from: 14, to: 40 });
  expect(longestBetween([change(10, 14), change(12, 16)], 5, 60)).toEqual({ from: 16, to: 60 });
});
