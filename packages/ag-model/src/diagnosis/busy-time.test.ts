import { expect, it } from "vitest";
import { busyTimeOf } from "./busy-time.ts";

it("counts what runs between two instants once, also where intervals overlap or touch", () => {
  const busy = busyTimeOf([30, 0, 5, 20], [40, 10, 12, 30]);
  expect(busy(0, 100)).toBe(12 + 20);
  expect(busy(11, 25)).toBe(1 + 5);
  expect(busy(12, 20)).toBe(0);
  expect(busy(-5, 3)).toBe(3);
  expect(busy(39, 39.5)).toBe(0.5);
});

it("counts nothing for intervals without an end, backwards, and for unknown instants", () => {
  const busy = busyTimeOf([0, 10, 30], [Number.NaN, 5, 40]);
  expect(busy(0, 30)).toBe(0);
  expect(busy(40, 30)).toBe(0);
  expect(busy(Number.NaN, 35)).toBe(0);
  expect(busyTimeOf([], [])(0, 9)).toBe(0);
});
