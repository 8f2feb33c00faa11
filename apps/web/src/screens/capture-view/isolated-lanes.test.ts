import { expect, test } from "vitest";
import { toggledLanes } from "./capture-lanes.ts";

test("lanes are added, and taken back only where all of them were isolated", () => {
  expect(toggledLanes([], ["a", "b"])).toEqual(["a", "b"]);
  expect(toggledLanes(["a"], ["a", "b"])).toEqual(["a", "b"]);
  expect(toggledLanes(["c", "a", "b"], ["a", "b"])).toEqual(["c"]);
});
