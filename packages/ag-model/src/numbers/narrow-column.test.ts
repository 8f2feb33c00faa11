import { expect, it } from "vitest";
import { NarrowColumn } from "./narrow-column.ts";

it("is narrow while its values are there as they came, those that are none too", () => {
  const column = new NarrowColumn(Float32Array, Float64Array);
  column.add(Float64Array.of(1, Number.NaN, 2 ** 24));
  column.add(Float64Array.of(0.5));
  expect(column.values()).toEqual(Float32Array.of(1, Number.NaN, 2 ** 24, 0.5));
});

it("is wide once a value is not, with the values before", () => {
  const column = new NarrowColumn(Float32Array, Float64Array);
  column.add(Float64Array.of(1, Number.NaN));
  column.add(Float64Array.of(3, 2 ** 24 + 1));
  column.add(Float64Array.of(0.1));
  expect(column.values()).toEqual(Float64Array.of(1, Number.NaN, 3, 2 ** 24 + 1, 0.1));
});

it("holds whole numbers the same way", () => {
  const column = new NarrowColumn(Uint16Array, Uint32Array);
  column.add(Uint32Array.of(65_535));
  expect(column.values()).toEqual(Uint16Array.of(65_535));
  column.add(Uint32Array.of(65_536));
  expect(column.values()).toEqual(Uint32Array.of(65_535, 65_536));
});
