import { describe, expect, it } from "vitest";
import { createDice } from "../../../test/dice.ts";
import { burstsOf } from "./loss-bursts.ts";

const BLOCKS = 1_000;
const EVENTS = 6;

/** Blocks a second apart, µs; each loses its events with a probability of its own. */
function lossOf(probability: (row: number) => number, seed = 1) {
  const dice = createDice(seed);
  return {
    time: Float64Array.from({ length: BLOCKS }, (_, row) => row * 1_000_000),
    lost: Uint8Array.from({ length: BLOCKS }, (_, row) => {
      let lost = 0;
      for (let event = 0; event < EVENTS; event++) if (dice() < probability(row)) lost++;
      return lost;
    }),
  };
}

const seeds = Array.from({ length: 40 }, (_, i) => i + 1);

describe("bursts of lost events", () => {
  it("there are none in a capture without losses", () => {
    expect(burstsOf(lossOf(() => 0))).toEqual([]);
    expect(burstsOf({ time: new Float64Array(), lost: new Uint8Array() })).toEqual([]);
  });

  it.each([0.002, 0.01, 0.1, 0.5])("chance makes none of a loss of %f all over the capture", (rate) => {
    const found = seeds.filter((seed) => burstsOf(lossOf(() => rate, seed)).length > 0);
    expect(found).toEqual([]);
  });

  it.each([0.1, 0.8])("a stretch that lost %f of its events is found to a few blocks", (rate) => {
    for (const seed of seeds) {
      const [burst, ...more] = burstsOf(lossOf((row) => (row >= 400 && row < 600 ? rate : 0), seed));
      expect(more).toEqual([]);
      expect(burst.from).toBeGreaterThanOrEqual(400e6);
      expect(burst.from).toBeLessThan(450e6);
      expect(burst.to).toBeGreaterThan(550e6);
      expect(burst.to).toBeLessThan(600e6);
    }
  });

  it("is beside a steady loss only where it is five times as much", () => {
    const period = (rate: number) => (row: number) => (row >= 100 && row < 200 ? rate : 0.05);
    const found = (rate: number) => seeds.filter((seed) => burstsOf(lossOf(period(rate), seed)).length > 0);
    expect(found(0.1)).toEqual([]);
    expect(found(0.4)).toEqual(seeds);
  });

  it("is no burst in more than half of the capture", () => {
    expect(burstsOf(lossOf((row) => (row < 900 ? 0.2 : 0)))).toEqual([]);
  });

  it("counts what each of several lost, in order of time", () => {
    const lost = Uint8Array.from({ length: BLOCKS }, (_, row) =>
      row >= 700 && row < 730 ? 6 : row >= 100 && row < 120 ? 3 : 0,
    );
    expect(burstsOf({ time: Float64Array.from(lost, (_, row) => row), lost })).toEqual([
      { from: 100, to: 119, lost: 60 },
      { from: 700, to: 729, lost: 180 },
    ]);
  });
});
