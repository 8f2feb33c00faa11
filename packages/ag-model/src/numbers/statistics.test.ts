import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { figuresOfRuns, meanWhere, medianOf, percentile, statisticsOf } from "./statistics.ts";

describe("percentile", () => {
  it("interpolates between the closest ranks", () => {
    expect(percentile([10, 20, 30, 40], 50)).toBe(25);
    expect(percentile([10, 20, 30, 40], 95)).toBeCloseTo(38.5, 9);
    expect(percentile([7], 99)).toBe(7);
    expect(percentile([], 50)).toBeNaN();
  });
});

describe("statisticsOf", () => {
  it("leaves out NaN and sorts", () => {
    expect(statisticsOf(Float64Array.of(3, Number.NaN, 1, 2))).toEqual({
      n: 3,
      p50: 2,
      p95: 2.9,
      p99: 2.98,
      max: 3,
      mean: 2,
    });
  });
  it("has no figures for no values", () => {
    expect(statisticsOf(new Float64Array(0))).toMatchObject({ n: 0, p50: Number.NaN, max: Number.NaN });
  });
});

describe("statistics of any values", () => {
  const values = fc.array(fc.oneof(fc.double({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 3 })), {
    maxLength: 300,
  });

  it("are those of the values in order", () => {
    fc.assert(
      fc.property(values, (list) => {
        const given = Float64Array.from(list);
        const kept = given.slice();
        const sorted = list.filter((v) => !Number.isNaN(v)).toSorted((a, b) => a - b);
        const found = statisticsOf(given);
        expect(given).toEqual(kept);
        expect(found.n).toBe(sorted.length);
        expect(same(found.max, sorted.at(-1) ?? Number.NaN)).toBe(true);
        for (const p of [50, 95, 99] as const) expect(same(found[`p${p}`], percentile(sorted, p))).toBe(true);
        expect(same(medianOf(given), percentile(sorted, 50))).toBe(true);
      }),
    );
  });

  it("mean of some", () => {
    expect(meanWhere(Float64Array.of(1, Number.NaN, 5, 9), (row) => row < 3)).toBe(3);
    expect(meanWhere(Float64Array.of(1), () => false)).toBeNaN();
  });
});

const same = (a: number, b: number): boolean => Object.is(a, b) || Math.abs(a - b) <= 1e-6;

describe("figures of runs", () => {
  it("are the largest and the middle value of each, of few rows as of many", () => {
    // 30 rows of 0..29 in an order of their own, then 31 with a 30 among them, then 7, NaN and 5, then none.
    const mixed = Array.from({ length: 30 }, (_, row) => (row * 7) % 30);
    const column = Float64Array.from([...mixed, ...mixed, 30, 7, Number.NaN, 5, Number.NaN]);
    const { max, p50 } = figuresOfRuns(column, Float64Array.of(0, 30, 61, 64, 64, 65));
    expect([...max]).toEqual([29, 30, 7, Number.NaN, Number.NaN]);
    expect([...p50]).toEqual([14.5, 15, 6, Number.NaN, Number.NaN]);
  });
});
