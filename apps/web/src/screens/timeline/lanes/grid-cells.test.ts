import { expect, it } from "vitest";
import { cellsAround, stepOf } from "./grid-cells.ts";

it("keeps so many cells around the one in focus, inside what is loaded", () => {
  expect(cellsAround(50, [0, 100], 20)).toEqual([40, 60]);
  expect(cellsAround(3, [0, 100], 20)).toEqual([0, 20]);
  expect(cellsAround(99, [0, 100], 20)).toEqual([80, 100]);
  expect(cellsAround(1, [0, 3], 20)).toEqual([0, 3]);
});

it("arrows walk blocks and lanes, Home and End go to the edges of the view", () => {
  expect(stepOf("ArrowRight", 7, [5, 9])).toEqual({ lane: 0, position: 8 });
  expect(stepOf("ArrowUp", 7, [5, 9])).toEqual({ lane: -1, position: 7 });
  expect(stepOf("Home", 7, [5, 9])).toEqual({ lane: 0, position: 5 });
  expect(stepOf("End", 7, [5, 9])).toEqual({ lane: 0, position: 8 });
  expect(stepOf("w", 7, [5, 9])).toBeNull();
});
