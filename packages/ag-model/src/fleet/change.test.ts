import { describe, expect, it } from "vitest";
import { createDice } from "../../test/dice.ts";
import { changeAt, changeOf, comparableColumns } from "./change.ts";

const normal = (dice: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - dice())) * Math.cos(2 * Math.PI * dice());

/** Around 3 ms, a night differing from the next by `spread` (of the logarithm); from column `at` on `factor` times as long. */
function nights(seed: number, count: number, spread: number, factor = 1, at = count): Float64Array {
  const dice = createDice(seed);
  return Float64Array.from(
    { length: count },
    (_, column) => 3_000 * (column < at ? 1 : factor) * Math.exp(spread * normal(dice)),
  );
}

const repeated = (count: number, us: number): number[] => Array.from({ length: count }, () => us);

describe("nights without a change", () => {
  it("are marked about once in a hundred series at most, however long they are and however much they vary", () => {
    let marked = 0;
    for (let seed = 0; seed < 1_000; seed++) {
      const count = [10, 20, 45, 90][seed % 4];
      const spread = [0.1, 0.2, 0.5, 1][Math.floor(seed / 4) % 4];
      if (changeOf(nights(seed, count, spread)) !== null) marked++;
    }
    expect(marked).toBeLessThanOrEqual(10);
  });

  it("are not marked where every seventh night has twice the load", () => {
    for (let seed = 0; seed < 100; seed++) {
      const weeks = nights(seed, 84, 0.05).map((us, night) => (night % 7 === 0 ? 2 * us : us));
      expect(changeOf(weeks), `seed ${seed}`).toBeNull();
    }
  });

  it("are not marked for one that was a hundred times as long", () => {
    const outlier = nights(1, 60, 0.05);
    outlier[40] *= 100;
    expect(changeOf(outlier)).toBeNull();
  });
});

describe("a planted change", () => {
  it.each([1.5, 2, 2.8, 1 / 1.8])("by a factor of %f is found at its column", (factor) => {
    let found = 0;
    const tries = 100;
    for (let seed = 0; seed < tries; seed++) {
      const at = 10 + (seed % 71);
      const change = changeOf(nights(seed, 90, 0.1, factor, at));
      if (change !== null && Math.abs(change.from - at) <= 1) found++;
    }
    // Nights differ by 10 %: of the changes by half now and then one is put two nights off.
    expect(found).toBeGreaterThanOrEqual(0.98 * tries);
  });

  it("is found in the last five columns, and not in the last four", () => {
    expect(changeOf(nights(3, 60, 0.05, 3, 55))?.from).toBe(55);
    expect(changeOf(Float64Array.from([...repeated(40, 2_000), ...repeated(4, 6_000)]))).toBeNull();
  });

  it("has the medians of the 30 columns before and of all since", () => {
    // 40 of 1 ms do not count: the 30 before are 13 of 2 ms and 17 of 3 ms.
    const p95 = Float64Array.from([
      ...repeated(40, 1_000),
      ...repeated(13, 2_000),
      ...repeated(17, 3_000),
      ...repeated(12, 9_000),
    ]);
    expect(changeAt(p95, 70)).toEqual({
      from: 70,
      before: 3_000,
      since: 9_000,
      factor: 3,
      columnsBefore: 30,
      columnsSince: 12,
    });
  });

  it("of less than a quarter is none, however sure it is", () => {
    expect(changeOf(Float64Array.from([...repeated(20, 1_000), ...repeated(20, 1_240)]))).toBeNull();
    expect(changeOf(Float64Array.from([...repeated(20, 1_000), ...repeated(20, 1_250)]))?.factor).toBe(1.25);
    expect(changeOf(Float64Array.from([...repeated(20, 1_250), ...repeated(20, 1_000)]))?.factor).toBe(0.8);
  });

  it("that was followed by another is what the other began with", () => {
    const p95 = Float64Array.from([...repeated(20, 1_000), ...repeated(20, 4_000), ...repeated(20, 2_000)]);
    expect(changeOf(p95)).toMatchObject({ from: 40, before: 4_000, since: 2_000, columnsBefore: 20 });
  });

  it("begins with the first column since that has a value", () => {
    const p95 = Float64Array.from([
      ...repeated(20, 1_000),
      ...repeated(3, Number.NaN),
      ...repeated(20, 2_000),
    ]);
    expect(changeOf(p95)).toMatchObject({ from: 23, columnsBefore: 20, columnsSince: 20 });
  });
});

it("leaves out columns without a value, in both counts", () => {
  const p95 = Float64Array.from({ length: 60 }, (_, i) =>
    i % 10 === 3 ? Number.NaN : i < 40 ? 2_000 : 5_000,
  );
  // Three of the columns 10 to 39 have no value, and two of 40 to 59.
  expect(changeOf(p95)).toMatchObject({ from: 40, columnsBefore: 27, columnsSince: 18, factor: 2.5 });
});

it("says nothing of fewer than ten columns", () => {
  const p95 = Float64Array.from([1_000, 1_000, 1_000, 1_000, 1_000, 9_000, 9_000, 9_000, 9_000]);
  expect(comparableColumns(p95)).toBe(9);
  expect(changeOf(p95)).toBeNull();
  expect(changeOf(Float64Array.from([...p95, 9_000]))?.factor).toBe(9);
  expect(changeOf(new Float64Array(0))).toBeNull();
});

it("has no two sides where one has no value", () => {
  expect(changeAt(Float64Array.of(Number.NaN, Number.NaN, 1_000), 2)).toBeNull();
  expect(changeAt(Float64Array.of(1_000, 1_000), 2)).toBeNull();
});

it("says the same each time", () => {
  const p95 = nights(7, 90, 0.2, 1.5, 60);
  expect(changeOf(p95)).toEqual(changeOf(p95.slice()));
});
