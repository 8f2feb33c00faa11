import { expect, it } from "vitest";
import { columnScale, gapsOf, heightScale, labelledColumns } from "./columns.ts";

it("columns share the width, and a place belongs to one of those in view", () => {
  const scale = columnScale(900, [10, 100]);
  expect([scale.slot, scale.left(10), scale.middle(11), scale.left(100)]).toEqual([10, 0, 15, 900]);
  expect([-5, 0, 9.9, 10, 899, 2_000].map(scale.at)).toEqual([10, 10, 10, 11, 99, 99]);
});

it("heights are logarithmic from 0.3 ms to 1 s, and leave room over a lane that has changed", () => {
  const { y } = heightScale(104, false);
  expect([y(100), y(300), y(1e6), y(5e6)]).toEqual([103, 103, 4, 4]);
  // The middle of three and a half decades.
  expect(y(Math.sqrt(300 * 1e6))).toBeCloseTo(53.5, 6);
  expect(heightScale(104, true).y(1e6)).toBe(18);
});

it("gaps are the columns in view without a capture", () => {
  expect(gapsOf([0, 1, 4, 5, 8], [0, 10])).toEqual([
    [2, 4],
    [6, 8],
    [9, 10],
  ]);
  expect(gapsOf([0, 1, 4, 5, 8], [3, 6])).toEqual([[3, 4]]);
  expect(gapsOf([], [3, 6])).toEqual([[3, 6]]);
  expect(gapsOf([3, 4, 5], [3, 6])).toEqual([]);
});

it("labels have room for their words, in days, weeks and four weeks, up to the newest column", () => {
  expect(labelledColumns(columnScale(810, [0, 90]), 60)).toEqual([
    5, 12, 19, 26, 33, 40, 47, 54, 61, 68, 75, 82, 89,
  ]);
  expect(labelledColumns(columnScale(810, [0, 10]), 60)).toHaveLength(10);
  expect(labelledColumns(columnScale(200, [0, 90]), 60)).toEqual([5, 33, 61, 89]);
});
