import { expect, test } from "vitest";
import { selectedRows, withKept, withToggled } from "./selected-rows.ts";

test("a block is added beside those that are selected, and is the one at hand then", () => {
  expect(withToggled({ block: null, kept: [] }, 7)).toEqual({ block: 7, kept: [] });
  expect(withToggled({ block: 7, kept: [] }, 9)).toEqual({ block: 9, kept: [7] });
  expect(withToggled({ block: 9, kept: [7] }, 3)).toEqual({ block: 3, kept: [7, 9] });
});

test("of five the one that was selected first is let go", () => {
  expect(withToggled({ block: 4, kept: [1, 2, 3] }, 5)).toEqual({ block: 5, kept: [2, 3, 4] });
});

test("a selected block is taken out: the last of the others is at hand where it was", () => {
  expect(withToggled({ block: 9, kept: [3, 7] }, 3)).toEqual({ block: 9, kept: [7] });
  expect(withToggled({ block: 9, kept: [3, 7] }, 9)).toEqual({ block: 7, kept: [3] });
  expect(withToggled({ block: 9, kept: [] }, 9)).toEqual({ block: null, kept: [] });
});

test("the block at hand is kept for the next one, and let go again", () => {
  expect(withKept({ block: 9, kept: [3] })).toEqual({ block: 9, kept: [3, 9] });
  expect(withKept({ block: 9, kept: [3, 9] })).toEqual({ block: 9, kept: [3] });
  expect(withKept({ block: null, kept: [3] })).toEqual({ block: null, kept: [3] });
  expect(selectedRows({ block: 9, kept: [3, 9] })).toEqual([3, 9]);
  expect(selectedRows({ block: 4, kept: [3, 9] })).toEqual([3, 9, 4]);
  expect(selectedRows({ block: null, kept: [] })).toEqual([]);
});
