import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ClockBounds } from "./clock-bounds.ts";
import { isFeasible } from "./clock-line.ts";
import { COUNTER_STEP_US, highestIntercept, hullsOf, lowestIntercept, widthAt } from "./clock-hulls.ts";

/** Blocks each `gap` µs after the one before, with their ways out and back and the other server's counter `ahead`. */
function boundsOf(
  blocks: readonly { gap: number; out: number; stay: number; back: number }[],
  ahead = 5_000_000,
): ClockBounds {
  let at = 1_000_000;
  const departed = Float64Array.from(blocks, ({ gap }) => (at += gap));
  const received = departed.map((us, k) => us + blocks[k].out + ahead);
  const ackDeparted = received.map((us, k) => us + blocks[k].stay);
  const ackReceived = ackDeparted.map((us, k) => us - ahead + blocks[k].back);
  return { departed, received, ackDeparted, ackReceived };
}

const us = fc.integer({ min: 0, max: 900 });
const blocks = fc.array(fc.record({ gap: us, out: us, stay: us, back: us }), { minLength: 1, maxLength: 40 });

describe("the hulls of a run of blocks", () => {
  it("leave lines of any slope the room that all bounds leave them", () => {
    fc.assert(
      fc.property(blocks, fc.integer({ min: -300, max: 300 }), (list, slope) => {
        const bounds = boundsOf(list);
        const hulls = hullsOf(bounds, 0, list.length);
        const b = slope / 1_000;
        const { t0, base } = hulls;
        const rows = [...list.keys()];
        const highest = Math.min(
          ...rows.map(
            (k) =>
              bounds.received[k] -
              bounds.departed[k] -
              base +
              COUNTER_STEP_US -
              b * (bounds.departed[k] - t0),
          ),
        );
        const lowest = Math.max(
          ...rows.map(
            (k) =>
              bounds.ackDeparted[k] -
              bounds.ackReceived[k] -
              base -
              COUNTER_STEP_US -
              b * (bounds.ackReceived[k] - t0),
          ),
        );
        expect(highestIntercept(hulls, b)).toBeCloseTo(highest, 6);
        expect(lowestIntercept(hulls, b)).toBeCloseTo(lowest, 6);
        expect(widthAt(hulls, b)).toBeCloseTo(highest - lowest, 6);
      }),
    );
  });

  it("have corners only: each is touched by a line that no other bound is under", () => {
    fc.assert(
      fc.property(blocks, (list) => {
        const { xu, upper, xl, lower } = hullsOf(boundsOf(list), 0, list.length);
        for (const [xs, ys, side] of [
          [xu, upper, 1],
          [xl, lower, -1],
        ] as const)
          for (let n = 1; n < xs.length; n++) {
            expect(xs[n]).toBeGreaterThan(xs[n - 1]);
            if (n < 2) continue;
            const before = (ys[n - 1] - ys[n - 2]) / (xs[n - 1] - xs[n - 2]);
            const after = (ys[n] - ys[n - 1]) / (xs[n] - xs[n - 1]);
            // The lower hull of the upper bounds turns upwards at each corner, the other one downwards.
            expect(side * (after - before)).toBeGreaterThan(0);
          }
      }),
    );
  });

  it("know the time of both counters that their blocks span", () => {
    const list = [
      { gap: 0, out: 900, stay: 5_000, back: 100 },
      { gap: 100, out: 100, stay: 50, back: 100 },
      { gap: 100, out: 100, stay: 10, back: 100 },
    ];
    const hulls = hullsOf(boundsOf(list), 0, 3);
    // Departures at 1.0, 1.0001 and 1.0002 s; the first block's acknowledgment arrives last.
    expect(hulls).toMatchObject({
      t0: 1_000_000,
      base: 5_000_900,
      end: 1_006_000,
      ownFrom: 6_000_200,
      ownTo: 6_005_900,
    });
    expect(hullsOf(boundsOf(list), 1, 3)).toMatchObject({
      t0: 1_000_100,
      base: 5_000_100,
      end: 1_000_410,
      ownTo: 6_000_310,
    });
  });
});

describe("a line through the bounds of blocks", () => {
  /** Blocks that were 1 ms on the secondary; the way there and back took `back`. */
  const hulls = (...ways: readonly number[]) =>
    hullsOf(boundsOf(ways.map((back) => ({ gap: 10_000, out: 0, stay: 1_000, back }))), 0, ways.length);

  it("is there as long as no message comes more than the two counters' steps too early", () => {
    expect(isFeasible(hulls(0), 0)).toBe(true);
    expect(isFeasible(hulls(-2 * COUNTER_STEP_US), 0)).toBe(true);
    expect(isFeasible(hulls(-2 * COUNTER_STEP_US - 0.5), 0)).toBe(false);
    expect(isFeasible(hulls(-2 * COUNTER_STEP_US + 0.5), 0)).toBe(true);
  });

  it("may have a drift up to the limit", () => {
    // Messages arrive 10 µs too early on a counter that gains on the other while the block is there: 1,000 µs, so 0.8
    // %.
    expect(isFeasible(hulls(-2 * COUNTER_STEP_US - 8), 0.009)).toBe(true);
    expect(isFeasible(hulls(-2 * COUNTER_STEP_US - 8), 0.007)).toBe(false);
  });
});
