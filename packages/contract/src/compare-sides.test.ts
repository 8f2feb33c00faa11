import type { Distribution, Histogram, PercentileSpread } from "./index.ts";
import { expect, test } from "vitest";
import { compareSides, type Side } from "./compare-sides.ts";

const histogram = (more: Partial<Histogram>): Histogram => ({
  n: 200,
  missing: 0,
  p50: null,
  p95: null,
  p99: null,
  max: null,
  under: 0,
  over: 0,
  counts: [],
  classes: null,
  ...more,
});

/** A side with the log write's p95; the factors are the results of resampling it. */
function sideOf(
  p95: number | null,
  factors: readonly number[],
  edges = [1, 10, 100],
  counts = [0, 200],
): Side {
  const rows = [{ stage: "localFlush" as const, ranges: [histogram({ p95, counts })] }];
  const spread = [{ stage: "localFlush" as const, p50: [], p95: [...factors], p99: [] }];
  return {
    distribution: { edges, rows } as unknown as Distribution,
    spread: { rows: spread } as unknown as PercentileSpread,
  };
}

const STEADY = Array.from({ length: 200 }, () => 1);
/** Resampling gives between 80 and 120 % of the percentile. */
const UNSTEADY = Array.from({ length: 200 }, (_, i) => 0.8 + (0.4 * i) / 199);

const compared = (a: Side, b: Side) => compareSides(a, b, "p95").stages[0]!;

test("a change is B by A, and sure where chance explains none of it", () => {
  const { change, between, verdict } = compared(sideOf(10_000, STEADY), sideOf(15_000, STEADY));
  expect([change, between, verdict]).toEqual([0.5, [0.5, 0.5], "larger"]);
  expect(compared(sideOf(10_000, STEADY), sideOf(5_000, STEADY)).verdict).toBe("smaller");
});

test("a change that chance explains is none", () => {
  const { change, between, verdict } = compared(sideOf(10_000, UNSTEADY), sideOf(11_500, UNSTEADY));
  expect(change).toBeCloseTo(0.15);
  expect(between![0]).toBeLessThan(0);
  expect(between![1]).toBeGreaterThan(0.15);
  expect(verdict).toBe("alike");
});

test("chance on either side alone makes a change unsure", () => {
  const ofA = compared(sideOf(10_000, UNSTEADY), sideOf(11_500, STEADY));
  const ofB = compared(sideOf(10_000, STEADY), sideOf(11_500, UNSTEADY));
  expect([ofA.verdict, ofB.verdict]).toEqual(["alike", "alike"]);
  // B is drawn between 80 and 120 % of 11.5 ms; the outermost 2.5 % on both ends are skipped.
  expect(ofB.between![0]).toBeCloseTo(1.15 * (0.8 + 0.4 * 0.025) - 1, 2);
  expect(ofB.between![1]).toBeCloseTo(1.15 * (1.2 - 0.4 * 0.025) - 1, 2);
});

test("a change under 10 % is alike, however sure", () => {
  expect(compared(sideOf(10_000, STEADY), sideOf(10_999, STEADY)).verdict).toBe("alike");
  expect(compared(sideOf(10_000, STEADY), sideOf(11_000, STEADY)).verdict).toBe("larger");
});

test("without values on a side nothing is compared; without an interval nothing is sure", () => {
  expect(compared(sideOf(null, STEADY), sideOf(1, STEADY))).toMatchObject({
    change: null,
    verdict: "unknown",
  });
  expect(compared(sideOf(10, []), sideOf(100, []))).toMatchObject({ between: null, verdict: "alike" });
});

test("histograms of two captures come to lie on the same bins", () => {
  const a = sideOf(1, STEADY, [10, 100, 1_000], [3, 4]);
  const b = sideOf(1, STEADY, [1, 10, 100], [1, 2]);
  const { edges, stages } = compareSides(a, b, "p95");
  expect(edges).toEqual([1, 10, 100, 1_000]);
  expect(stages[0]!.ranges.map(({ counts }) => counts)).toEqual([
    [0, 3, 4],
    [1, 2, 0],
  ]);
});
