import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clockWindow } from "../../../test/clock-window.ts";
import { feasibleLines } from "../../../test/lines.ts";
import { roundTripOf, type ClockBounds } from "./clock-bounds.ts";
import { fitClock } from "./clock.ts";
import {
  lineErrorAt,
  toFirstCounter,
  toOtherCounter,
  windowAt,
  windowsByCounter,
  type ClockWindow,
} from "./clock-windows.ts";

const DRIFT_LIMIT = 500e-6;

interface World {
  readonly driftPpm: number;
  /** Least time of either way, and the most that queueing adds, µs. */
  readonly minimum: number;
  readonly jitter: number;
  readonly seed: number;
}

/**
 * Blocks every 10 ms, each way `minimum` plus uneven jitter, 3 ms on the secondary in between.
 * @param theta secondary's counter minus the primary's at an instant of the primary's clock, µs
 */
function boundsOf(
  { minimum, jitter, seed }: World,
  blocks: number,
  theta: (t: number) => number,
): ClockBounds {
  let state = seed;
  const random = (): number => (state = (state * 48271) % 2147483647) / 2147483647;
  const departed = Float64Array.from({ length: blocks }, (_, i) => 1e9 + i * 10_000);
  const arrived = departed.map((at) => at + minimum + jitter * random() ** 2);
  const left = arrived.map((at) => at + 3_000);
  return {
    departed,
    received: arrived.map((at) => at + theta(at)),
    ackDeparted: left.map((at) => at + theta(at)),
    ackReceived: left.map((at) => at + minimum + jitter * random() ** 2),
  };
}

const OFFSET = 7e9;
const straight =
  ({ driftPpm }: World) =>
  (t: number): number =>
    OFFSET + driftPpm * 1e-6 * (t - 1e9);

const worlds = fc.record({
  driftPpm: fc.double({ min: -200, max: 200, noNaN: true }),
  minimum: fc.integer({ min: 50, max: 20_000 }),
  jitter: fc.integer({ min: 1, max: 50_000 }),
  seed: fc.integer({ min: 1, max: 2_000_000_000 }),
});

/** Blocks whose network takes no time at all: their clock is known to 2 µs. */
const sharp = (blocks: number, theta: (t: number, block: number) => number): ClockBounds => {
  const departed = Float64Array.from({ length: blocks }, (_, i) => 1e9 + i * 10_000);
  return {
    departed,
    received: departed.map((t, i) => t + theta(t, i)),
    ackDeparted: departed.map((t, i) => t + 3_000 + theta(t, i)),
    ackReceived: departed.map((t) => t + 3_000),
  };
};

const valueAt = ({ a, b, t0 }: ClockWindow, t: number): number => a + b * (t - t0);

/** Most that a line of the window's bounds differs from the window's own line, µs, found by trying every corner. */
function largestError(
  window: ClockWindow,
  lines: { readonly at: (t: number) => readonly [number, number] },
): number {
  const errors = [window.from, window.to].flatMap((t) =>
    lines.at(t).map((value) => Math.abs(value - valueAt(window, t))),
  );
  return Math.max(...errors);
}

describe("a clock that runs straight", () => {
  it("is fitted by the middle of the widest band, with the tightest bound that the blocks allow", () => {
    fc.assert(
      fc.property(worlds, fc.integer({ min: 2, max: 9 }), (world, blocks) => {
        const bounds = boundsOf(world, blocks, straight(world));
        const windows = fitClock(bounds);
        expect(windows).toHaveLength(1);
        const [window] = windows;
        const lines = feasibleLines(bounds, DRIFT_LIMIT)!;
        expect(window).toMatchObject({ from: bounds.departed[0], t0: bounds.departed[0], blocks });
        expect(window.to).toBe(Math.max(...bounds.ackReceived));
        // The reported width is the band without the µs that the counters' rounding adds on either side.
        expect(window.width).toBeCloseTo(lines.width - 2, 2);
        expect(window.driftFeasible[0] * 1e6).toBeCloseTo(lines.drift[0] * 1e6, 3);
        expect(window.driftFeasible[1] * 1e6).toBeCloseTo(lines.drift[1] * 1e6, 3);
        expect(window.hardBound).toBeCloseTo(largestError(window, lines), 2);
        for (const t of [window.from, window.to]) {
          const [least, most] = lines.at(t);
          expect(valueAt(window, t)).toBeGreaterThanOrEqual(least - 0.01);
          expect(valueAt(window, t)).toBeLessThanOrEqual(most + 0.01);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("is within that bound of the truth, all over the capture", () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const windows = fitClock(boundsOf(world, 300, straight(world)));
        expect(windows).toHaveLength(1);
        const [window] = windows;
        // The bounds are taken at departure and arrival, between which the clock itself drifts by this much.
        const during = 2 * (world.minimum + world.jitter) * Math.abs(world.driftPpm) * 1e-6;
        for (const t of [window.from, (window.from + window.to) / 2, window.to]) {
          const error = Math.abs(valueAt(window, t) - straight(world)(t));
          expect(error).toBeLessThanOrEqual(window.hardBound + during + 0.01);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("has no drift when there is one block", () => {
    const [window] = fitClock(sharp(1, () => 500));
    expect(window).toMatchObject({ a: 500, b: 0, width: 0, blocks: 1, hardBound: expect.closeTo(2.5, 1) });
  });

  it("takes acknowledgments that overtake each other", () => {
    const world = { driftPpm: -50, minimum: 100, jitter: 40_000, seed: 3 };
    const bounds = boundsOf(world, 9, straight(world));
    expect(bounds.ackReceived.some((t, i) => i > 0 && t < bounds.ackReceived[i - 1])).toBe(true);
    const [window] = fitClock(bounds);
    expect(window.width).toBeCloseTo(feasibleLines(bounds, DRIFT_LIMIT)!.width - 2, 2);
  });

  it("has no window without blocks", () => {
    const none = new Float64Array(0);
    expect(fitClock({ departed: none, received: none, ackDeparted: none, ackReceived: none })).toEqual([]);
  });
});

describe("a block that contradicts causality", () => {
  /** Nine blocks whose clock is 0 to 1 ms, and one whose network round trip is `roundTrip` µs. */
  function withRoundTrip(roundTrip: number): ClockBounds {
    const bounds = boundsOf({ driftPpm: 0, minimum: 1_000, jitter: 0, seed: 1 }, 10, () => 0);
    bounds.received[4] = bounds.departed[4] + 5;
    bounds.ackDeparted[4] = bounds.departed[4] + 3_005;
    bounds.ackReceived[4] = bounds.departed[4] + 3_000 + roundTrip;
    return bounds;
  }

  it("is left out, but not for the whole µs that two counters count", () => {
    expect(roundTripOf(withRoundTrip(-2), 4)).toBe(-2);
    expect(fitClock(withRoundTrip(-2)).map(({ blocks }) => blocks)).toEqual([10]);
    expect(fitClock(withRoundTrip(-3)).map(({ blocks }) => blocks)).toEqual([9]);
  });
});

describe("a few blocks that no clock takes in", () => {
  const withStrays = (strays: readonly number[]): ClockWindow[] =>
    fitClock(sharp(200, (_, block) => (strays.includes(block) ? 5_000 : 0)));

  it.each([[[0]], [[100]], [[100, 101, 102]], [[199]], [[40, 90, 91]]])("are left out: %j", (strays) => {
    const windows = withStrays(strays);
    expect(windows.map(({ blocks }) => blocks)).toEqual([200 - strays.length]);
    expect(windows[0].hardBound).toBeLessThan(3);
  });

  it("are a clock of their own from four in a row on", () => {
    expect(withStrays([100, 101, 102, 103]).map(({ blocks }) => blocks)).toEqual([100, 4, 96]);
  });

  it("stay when there is nothing else", () => {
    expect(fitClock(sharp(6, (_, block) => block * 100_000)).map(({ blocks }) => blocks)).toEqual([
      1, 1, 1, 1, 1, 1,
    ]);
  });
});

describe("a clock that steps", () => {
  it.each([4, 126, 127, 128, 129, 130, 255, 256, 257, 383, 384, 396])(
    "after block %d ends one window there and begins the next",
    (first) => {
      const windows = fitClock(sharp(400, (_, block) => (block < first ? 0 : 50_000)));
      expect(windows.map(({ blocks }) => blocks)).toEqual([first, 400 - first]);
      for (const [i, theta] of [0, 50_000].entries())
        expect(valueAt(windows[i], windows[i].from)).toBeCloseTo(theta, 1);
    },
  );

  const BLOCKS = 24;

  /** Blocks with a counter that steps by 1.5 ms at the 12th, about the time of a way. */
  const stepping = (seed: number): ClockBounds =>
    boundsOf(
      { driftPpm: 0, minimum: 300, jitter: 2_000, seed },
      BLOCKS,
      (t) => OFFSET + (t < 1e9 + 115_000 ? 0 : 1_500),
    );

  /** Ends of the windows when each takes as many blocks as one line allows, by trying one after the other. */
  function greedyEnds(bounds: ClockBounds): number[] {
    const n = bounds.departed.length;
    const ends: number[] = [];
    for (let from = 0; from < n; from = ends.at(-1)!) {
      let to = from + 1;
      while (to < n && feasibleLines(bounds, DRIFT_LIMIT, from, to + 1)) to++;
      ends.push(to);
    }
    return ends;
  }

  /** The same from the last block: starts of the windows. */
  function greedyStarts(bounds: ClockBounds): number[] {
    const starts: number[] = [];
    for (let to = bounds.departed.length; to > 0; to = starts[0]) {
      let from = to - 1;
      while (from > 0 && feasibleLines(bounds, DRIFT_LIMIT, from - 1, to)) from--;
      starts.unshift(from);
    }
    return starts;
  }

  it.each([1, 2, 3, 4, 5, 60])(
    "is cut where the bounds allow, with the tightest bounds of each piece (seed %d)",
    (seed) => {
      const bounds = stepping(seed);
      const [end] = greedyEnds(bounds);
      const [, start] = greedyStarts(bounds);
      expect(greedyEnds(bounds)).toHaveLength(2);
      const open = start < end;
      const cuts = open ? [0, start, end, BLOCKS] : [0, end, BLOCKS];
      const windows = fitClock(bounds);
      expect(windows.map(({ blocks }) => blocks)).toEqual(cuts.slice(1).map((cut, i) => cut - cuts[i]));
      expect(windows.map(({ from }) => from)).toEqual(cuts.slice(0, -1).map((cut) => bounds.departed[cut]));
      const lines = cuts.slice(1).map((cut, i) => feasibleLines(bounds, DRIFT_LIMIT, cuts[i], cut)!);
      for (const [i, window] of windows.entries()) {
        // One block has no drift, so its band is not the widest.
        if (window.blocks > 1) expect(window.width).toBeCloseTo(lines[i].width - 2, 2);
        if (open && i === 1) continue;
        expect(window.hardBound).toBeCloseTo(largestError(window, lines[i]), 2);
      }
      if (!open) return;
      // The blocks between may belong to either clock, and none is off by more than its own round trip.
      const roundTrips = Array.from({ length: end - start }, (_, i) => roundTripOf(bounds, start + i));
      const either = Math.max(largestError(windows[1], lines[0]), largestError(windows[1], lines[2]));
      expect(windows[1].hardBound).toBeCloseTo(Math.min(either, Math.max(...roundTrips)), 1);
    },
  );

  it("has blocks that may belong to either clock in these seeds, and in one their round trips bind", () => {
    expect([1, 2, 3, 4, 5, 60].map((seed) => fitClock(stepping(seed)).length)).toContain(3);
    const [, open] = fitClock(stepping(60));
    expect(open.blocks).toBe(1);
    expect(open.hardBound).toBeCloseTo(roundTripOf(stepping(60), 11), 6);
  });
});

describe("a counter that runs at another speed", () => {
  /** Bounds of ±50 µs around a clock of that drift. */
  const drifting = (ppm: number, seconds: number): ClockWindow[] => {
    const world = { driftPpm: ppm, minimum: 50, jitter: 0, seed: 1 };
    return fitClock(boundsOf(world, seconds * 100, straight(world)));
  };

  it("is one line up to 500 ppm", () => {
    expect(drifting(499, 6)).toHaveLength(1);
    expect(drifting(-499, 6)).toHaveLength(1);
  });

  it("stays in two windows where the usual limit makes two", () => {
    // 100 ppm too many are 150 µs in 1.5 s: more than the band of 102 µs that one line fits in, less than two.
    const windows = drifting(600, 1.5);
    expect(windows.filter(({ b }) => b > 499e-6)).toHaveLength(windows.length);
    expect(windows.length).toBeGreaterThan(1);
  });

  it("is one line of up to 1 % where the usual limit makes three windows or more", () => {
    // 600 ppm for 2.5 s are three windows by the usual limit.
    for (const [ppm, seconds] of [
      [600, 2.5],
      [600, 4],
      [-2_000, 4],
      [9_900, 4],
    ]) {
      const windows = drifting(ppm, seconds);
      expect(windows).toHaveLength(1);
      expect(Math.abs(windows[0].b * 1e6 - ppm)).toBeLessThan(60);
    }
    expect(drifting(11_000, 4).length).toBeGreaterThan(3);
  });
});

describe("windows of a clock", () => {
  it("an instant of the primary's clock belongs to the last window that has begun", () => {
    const windows = [clockWindow(1_000, 0), clockWindow(2_000, 0), clockWindow(3_000, 0)];
    const from = (t: number): number => windowAt(windows, t).from;
    expect([-5, 1_000, 1_999, 2_000, 2_999, 3_000, 9_000].map(from)).toEqual([
      1_000, 1_000, 1_000, 2_000, 2_000, 3_000, 3_000,
    ]);
    expect(from(Number.NaN)).toBe(1_000);
  });

  const moved = (windows: readonly ClockWindow[]) => {
    const find = windowsByCounter(windows);
    return (counter: number): number => toFirstCounter(find(counter), counter);
  };

  it("an instant of the secondary's counter is moved by the window whose own blocks were seen around it", () => {
    // The blocks of the two were seen from 1,500 to 2,400 and from 2,700 to 3,600.
    const toPrimary = moved([clockWindow(1_000, 500), clockWindow(2_000, 700)]);
    expect([1_000, 1_500, 2_400, 2_700, 5_000].map(toPrimary)).toEqual([500, 1_000, 1_900, 2_000, 4_300]);
    expect([2_549, 2_551].map(toPrimary)).toEqual([2_049, 1_851]);
  });

  it("where the counter stopped for a while, its own blocks show which side an instant is on", () => {
    // It stopped for 2,000 µs: by the counter the second window begins 100 after the first one's last block.
    const toPrimary = moved([clockWindow(1_000, 0), clockWindow(4_000, -2_000)]);
    expect([1_900, 2_000, 2_900].map(toPrimary)).toEqual([1_900, 4_000, 4_900]);
  });

  it("the drift counts from the window's own first instant, either way", () => {
    const drifting = { ...clockWindow(1_000_000, 500), b: 0.001 };
    // 1,000 µs later the counter is 1,001 further.
    expect(toFirstCounter(drifting, 1_000_500)).toBeCloseTo(1_000_000, 6);
    expect(toFirstCounter(drifting, 1_001_501)).toBeCloseTo(1_001_000, 6);
    expect(toOtherCounter(drifting, 1_001_000)).toBeCloseTo(1_001_501, 6);
  });

  it("how far a line may be off is read between its instants, and grows outside by what the drift leaves open", () => {
    const errors = Float64Array.from({ length: 17 }, (_, k) => Math.abs(k - 8));
    const open = { ...clockWindow(0, 0), to: 1_600, errors, driftFeasible: [-0.01, 0.02] as const };
    expect([0, 50, 100, 800, 1_550, 1_600].map((at) => lineErrorAt(open, at))).toEqual([
      8, 7.5, 7, 0, 7.5, 8,
    ]);
    expect([-100, 1_700].map((at) => lineErrorAt(open, at))).toEqual([10, 10]);
  });

  it("is found in a clock of very many windows", () => {
    const windows = Array.from({ length: 200_000 }, (_, i) => clockWindow(i * 1_000, i));
    expect(moved(windows)(150_000_500 + 150_000)).toBe(150_000_500);
    expect(windowAt(windows, 77_000_999).from).toBe(77_000_000);
  });
});
