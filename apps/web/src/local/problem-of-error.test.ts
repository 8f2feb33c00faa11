import { expect, test } from "vitest";
import { problemOfError } from "./problem-of-error.ts";

test.each([
  // Chromium, Safari, Firefox.
  [new RangeError("Array buffer allocation failed"), "too-big"],
  [new RangeError("Out of memory"), "too-big"],
  ["out of memory", "too-big"],
  [new RangeError("Offset is outside the bounds of the DataView"), "internal"],
  [new RangeError("Maximum call stack size exceeded"), "internal"],
  [new RangeError("Invalid count value: -1"), "internal"],
])("%s is the problem %s", (error, code) => {
  expect(problemOfError(error).code).toBe(code);
});
