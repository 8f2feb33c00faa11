import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitClock } from "./clock.ts";
import type { ClockBounds } from "./clock-bounds.ts";
import { toPrimaryClock, windowAt, type ClockWindow } from "./clock-windows.ts";

interface World {
  offset: number;
  driftPpm: number;
  minimum: number;
  jitter: number;
  seed: number;
}

/** Blocks every 10 ms, each way `minimum` plus uneven jitter; the secondary's counter is offset and drifts. */
function capture({ offset, driftPpm, minimum, jitter, seed }: World, n: number): ClockBounds {
  let state = seed;
  const random = (): number => (state = (state * 48271) % 2147483647) / 2147483647;
  const theta = (t: number): number => offset + driftPpm * 1e-6 * (t - 1e9);
  const empty = (): Float64Array => new Float64Array(n);
  const b = { departed: empty(), received: empty(), ackDeparted: empty(), ackReceived: empty() };
  for (let i = 0; i < n; i++) {
    const sent = 1e9 + i * 10_000;
    const arrived = sent + minimum + jitter * random() ** 2;
    const acked = arrived + 3000;
    const back = acked + minimum + jitter * random() ** 2;
    b.departed[i] = sent;
    b.received[i] = arrived + theta(arrived);
    b.ackDeparted[i] = acked + theta(acked);
    b.ackReceived[i] = back;
  }
  return b;
}

/** Secondary's counter minus the primary's at an instant of the primary's clock, by the fit. */
function thetaAt(windows: readonly ClockWindow[], primary: number): number {
  const { a, b, t0 } = windowAt(windows, primary);
  return a + b * (primary - t0);
}

const truth = ({ offset, driftPpm }: World, t: number): number => offset + driftPpm * 1e-6 * (t - 1e9);

describe("fitClock", () => {
  const worlds = fc.record({
    offset: fc.integer({ min: -1e10, max: 1e10 }),
    driftPpm: fc.double({ min: -200, max: 200, noNaN: true }),
    minimum: fc.integer({ min: 50, max: 20_000 }),
    jitter: fc.integer({ min: 1, max: 50_000 }),
    seed: fc.integer({ min: 1, max: 2_000_000_000 }),
  });

  it("is within its reported bound of the true clock, all over the capture", () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const bounds = capture(world, 400);
        const windows = fitClock(bounds);
        expect(windows).toHaveLength(1);
        const [w] = windows;
        for (const t of [w.from, (w.from + w.to) / 2, w.to]) {
          // The bounds are taken at departure and arrival, between which the clock itself drifts by this much.
          const during = 2 * (world.minimum + world.jitter) * Math.abs(world.driftPpm) * 1e-6;
          expect(Math.abs(thetaAt(windows, t) - truth(world, t))).toBeLessThanOrEqual(
            w.hardBound + during + 0.01,
          );
        }
      }),
      { numRuns: 60 },
    );
  });

  it("leaves no acknowledgement before its departure", () => {
    const bounds = capture({ offset: 7e9, driftPpm: 8.7, minimum: 250, jitter: 3000, seed: 5 }, 500);
    const windows = fitClock(bounds);
    const toPrimary = toPrimaryClock(windows);
    for (let i = 0; i < 500; i++) {
      expect(toPrimary(bounds.received[i])).toBeGreaterThanOrEqual(bounds.departed[i] - 0.01);
      expect(toPrimary(bounds.ackDeparted[i])).toBeLessThanOrEqual(bounds.ackReceived[i] + 0.01);
    }
  });

  it("splits into windows when the clock steps", () => {
    const bounds = capture({ offset: 0, driftPpm: 0, minimum: 200, jitter: 500, seed: 9 }, 800);
    for (let i = 400; i < 800; i++) {
      bounds.received[i] += 50_000;
      bounds.ackDeparted[i] += 50_000;
    }
    const windows = fitClock(bounds);
    expect(windows.length).toBe(2);
    for (const w of windows) expect(w.width).toBeGreaterThanOrEqual(0);
    expect(thetaAt(windows, bounds.departed[10])).toBeCloseTo(0, -3);
    expect(thetaAt(windows, bounds.departed[790])).toBeCloseTo(50_000, -3);
  });

  it("is not split by a few blocks that contradict every clock", () => {
    const world = { offset: 7e9, driftPpm: 8.7, minimum: 250, jitter: 300, seed: 11 };
    const bounds = capture(world, 3000);
    for (const wrong of [700, 1501, 1502, 2900]) {
      bounds.received[wrong] += 40_000;
      bounds.ackDeparted[wrong] += 40_000;
    }
    // On the secondary while its clock stepped: its acknowledgement arrives before any clock lets it leave.
    bounds.ackDeparted[2000] += 90_000;
    const windows = fitClock(bounds);
    expect(windows).toHaveLength(1);
    const [w] = windows;
    for (const t of [w.from, w.to])
      expect(Math.abs(thetaAt(windows, t) - truth(world, t))).toBeLessThanOrEqual(w.hardBound);
  });

  it("takes acknowledgements that overtake each other", () => {
    const bounds = capture({ offset: 0, driftPpm: -50, minimum: 100, jitter: 40_000, seed: 3 }, 600);
    const overtaken = bounds.ackReceived.some((t, i) => i > 0 && t < bounds.ackReceived[i - 1]);
    expect(overtaken).toBe(true);
    expect(fitClock(bounds)).toHaveLength(1);
  });

  it("has no window without blocks", () => {
    const none = new Float64Array(0);
    expect(fitClock({ departed: none, received: none, ackDeparted: none, ackReceived: none })).toEqual([]);
  });
});
