import { expect, test } from "vitest";
import { sparkPath } from "./spark.ts";

test("a line has a point per value on a scale from 0 to the largest, with room for its stroke", () => {
  expect(sparkPath([0, 50, 100], 96, 26)).toBe("M0,24L48,13.5L96,3");
});

test("a line breaks where nothing was measured, and one value alone is still a point", () => {
  expect(sparkPath([100, null, 100, 100], 96, 26)).toBe("M0,3ZM64,3L96,3");
});

test("a line of nothing is empty", () => {
  expect(sparkPath([], 96, 26)).toBe("");
  expect(sparkPath([null, null], 96, 26)).toBe("");
  expect(sparkPath([0, 0], 96, 26)).toBe("");
});
