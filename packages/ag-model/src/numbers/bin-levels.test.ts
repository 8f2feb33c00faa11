import { expect, it } from "vitest";
import { levelFigures } from "./bin-levels.ts";
import { rowsByValue } from "./rows-by-value.ts";

const figures = (values: Float64Array, starts: readonly number[], levels: number) =>
  levelFigures(values, rowsByValue(values), { starts: Float64Array.from(starts), levels }).map(
    ({ max, p50 }) => [[...max], [...p50]],
  );

it("finds the largest and the middle value of each bin, of bins twice as wide, and of the one that is left over", () => {
  const values = Float64Array.of(7, 1, Number.NaN, 4, 2, 2, Number.NaN, 9, 3);
  // Rows 0..2, none, 3..6, 7 and 8.
  expect(figures(values, [0, 3, 3, 7, 8, 9], 3)).toEqual([
    [
      [7, Number.NaN, 4, 9, 3],
      [4, Number.NaN, 2, 9, 3],
    ],
    [
      [7, 9, 3],
      [4, 3, 3],
    ],
    [
      [9, 3],
      [3, 3],
    ],
  ]);
});

it("leaves out rows before the first bin and after the last", () => {
  expect(figures(Float64Array.of(100, 1, 2, 100), [1, 3], 1)).toEqual([[[2], [1.5]]]);
});

it("has no figures for bins without values", () => {
  expect(figures(Float64Array.of(Number.NaN, Number.NaN), [0, 1, 2], 2)).toEqual([
    [
      [Number.NaN, Number.NaN],
      [Number.NaN, Number.NaN],
    ],
    [[Number.NaN], [Number.NaN]],
  ]);
});
