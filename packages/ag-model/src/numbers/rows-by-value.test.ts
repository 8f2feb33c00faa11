import { expect, it } from "vitest";
import { rowsByValue } from "./rows-by-value.ts";

/** Rows as a sort by comparison orders them. */
const compared = (values: Float64Array): number[] =>
  [...values.keys()]
    .filter((row) => !Number.isNaN(values[row]))
    .toSorted((a, b) => values[a] - values[b] || a - b);

it("puts rows in order of their value, equal ones in order of their rows, and leaves out those without", () => {
  const values = Float64Array.of(3, -0, Number.NaN, 0, -2.5, 3, -1e300, 5e-324, Infinity, -2.5, 1e-9);
  expect([...rowsByValue(values)]).toEqual([6, 4, 9, 1, 3, 7, 10, 0, 5, 8]);
  expect(rowsByValue(Float64Array.of(Number.NaN))).toHaveLength(0);
});

it("does so for columns that are sorted in buckets", () => {
  const values = Float64Array.from({ length: 40_000 }, (_, row) => {
    const noise = ((row * 7_919) % 40_009) / 40_009;
    // Spread over many magnitudes, negative ones too; a third is one value, some are missing.
    if (row % 3 === 0) return 12.5;
    if (row % 101 === 0) return Number.NaN;
    return (row % 2 === 0 ? 1 : -1) * 10 ** (12 * noise - 3) * (1 + noise / 1e9);
  });
  expect([...rowsByValue(values)]).toEqual(compared(values));
});
