import { expect, test } from "vitest";
import { clipped, timeAt, xOf } from "./time-scale.ts";

const scale = { from: 2_000_000, to: 12_000_000, width: 500 };

test("instants lie on pixels in proportion, also outside of the plot", () => {
  expect([2e6, 7e6, 12e6, 0, 14e6].map((at) => xOf(scale, at))).toEqual([0, 250, 500, -100, 600]);
  expect([0, 250, 500].map((x) => timeAt(scale, x))).toEqual([2e6, 7e6, 12e6]);
  expect(xOf(scale, Number.NaN)).toBeNaN();
});

test("a stretch is cut to the plot", () => {
  expect(clipped(scale, 4e6, 6e6)).toEqual([100, 100]);
  expect(clipped(scale, 0, 3e6)).toEqual([0, 50]);
  expect(clipped(scale, 11e6, 99e6)).toEqual([450, 50]);
  expect(clipped(scale, 0, 2e6)).toBeNull();
  expect(clipped(scale, 12e6, 13e6)).toBeNull();
});
