import { expect, it } from "vitest";
import { BinFinder } from "./bin-finder.ts";

const edges = [1, 1.1, 1.5, 4, 1_000, 2 ** 36];
const binsOf = (...values: number[]): number[] => [
  ...new BinFinder(edges).bins(Float64Array.from(values), new Uint8Array(values.length)),
];

it("counts the edges at or under each value", () => {
  expect(binsOf(1, 1.099, 1.1, 1.499, 1.5, 3.999, 4, 999.9, 1_000, 2 ** 36 - 1, 2 ** 36)).toEqual([
    1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6,
  ]);
});

it("has the first bin for what lies under the first edge and for NaN, the last one for what lies beyond", () => {
  expect(binsOf(Number.NaN, -Infinity, -5, 0, 0.999)).toEqual([0, 0, 0, 0, 0]);
  expect(binsOf(1e300, Infinity)).toEqual([6, 6]);
});

it("finds every bin of 25 to a decade as a search through them does", () => {
  const close = Array.from({ length: 251 }, (_, i) => 10 ** (i / 25));
  const values = Float64Array.from({ length: 20_000 }, (_, i) => 10 ** (i / 2_000));
  const found = new BinFinder(close).bins(values, new Uint16Array(values.length));
  for (const [i, value] of values.entries())
    expect(found[i]).toBe(close.filter((edge) => edge <= value).length);
});
