import { expect, it } from "vitest";
import { cellCounts, nearRanks } from "./near-ranks.ts";
import { percentile, percentileOf, sortedValues, statisticsOf } from "./statistics.ts";

/** Over many magnitudes, some negative, a third of them one value. */
const spread = (length: number): Float64Array =>
  Float64Array.from({ length }, (_, i) => {
    const noise = ((i * 7_919) % 40_009) / 40_009;
    if (i % 3 === 0) return 12.5;
    return (i % 7 === 0 ? -1 : 1) * 10 ** (12 * noise - 3) * (1 + noise / 1e9);
  });

it("keeps the values of the ranks asked for, and counts the smaller ones that it leaves out", () => {
  const values = spread(2_000);
  const sorted = values.toSorted();
  const ranks = [0, 17, 17.5, 400, 1_200.25, 1_999];
  const { near, below } = nearRanks(values, cellCounts(values), ranks);
  const ascending = near.toSorted();
  for (const [i, rank] of ranks.entries())
    for (const each of [Math.floor(rank), Math.ceil(rank)])
      expect(ascending[each - below[i]]).toBe(sorted[each]);
  expect(near.length).toBeLessThan(values.length);
});

it("keeps all where all are alike", () => {
  const alike = new Float64Array(9).fill(3);
  expect(nearRanks(alike, cellCounts(alike), [4]).near).toHaveLength(9);
});

it("gives long columns the percentiles that sorting gives, to the last bit, without what is not known", () => {
  const values = spread(50_003).map((value, i) => (i % 5 === 0 ? Number.NaN : value));
  const sorted = sortedValues(values);
  const { p50, p95, p99 } = statisticsOf(values);
  expect([p50, p95, p99]).toEqual([50, 95, 99].map((p) => percentile(sorted, p)));
  for (const p of [0, 0.1, 33, 99.99, 100])
    expect(percentileOf(values.slice(), p)).toBe(percentile(sorted, p));
});
