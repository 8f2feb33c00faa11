import { expect, it } from "vitest";
import { BinFinder } from "./bin-finder.ts";
import { BinnedValues } from "./binned-values.ts";
import { percentile, sortedValues, statisticsOf } from "./statistics.ts";

const EDGES = Array.from({ length: 60 }, (_, i) => 1.5 ** (i + 1));
const binned = (values: Float64Array): BinnedValues => new BinnedValues(values, new BinFinder(EDGES));

/** Over many magnitudes, some under the first edge or negative, a third of them one value, a fifth unknown. */
const spread = Float64Array.from({ length: 4_000 }, (_, i) => {
  if (i % 5 === 0) return Number.NaN;
  if (i % 3 === 0) return 12.5;
  return (i % 7 === 0 ? -1 : 1) * 10 ** (12 * (((i * 7_919) % 4_007) / 4_007) - 3);
});

it("counts the values of some rows by their bin, without those that are not known", () => {
  const counts = binned(Float64Array.of(9, 0.5, 1.5, Number.NaN, 2, Number.NaN, 1e300, 9)).count(1, 7);
  expect([counts[0], counts[1], counts[EDGES.length], counts.reduce((sum, n) => sum + n, 0)]).toEqual([
    1, 2, 1, 4,
  ]);
});

it("gives the percentiles that sorting gives, to the last bit, of all rows and of some", () => {
  const column = binned(spread);
  for (const [first, end] of [
    [0, spread.length],
    [1_000, 1_700],
    [3_998, 3_999],
  ] as const) {
    const sorted = sortedValues(spread.subarray(first, end));
    const wanted = [0, 2.5, 50, 50, 95, 99.9, 100];
    const found = column.percentiles(first, end, column.count(first, end), wanted);
    expect(found).toEqual(wanted.map((p) => percentile(sorted, p)));
  }
});

it("has no percentile of rows of which none is known", () => {
  const column = binned(spread);
  expect(column.percentiles(5, 6, column.count(5, 6), [50])).toEqual([Number.NaN]);
});

it("gives the statistics of the plain values", () => {
  const column = binned(spread);
  expect(column.statistics(column.count(0, spread.length))).toEqual(statisticsOf(spread));
});
