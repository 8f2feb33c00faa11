import { expect, it } from "vitest";
import { GrowingColumn } from "./growing-column.ts";

it("keeps its values while it grows", () => {
  const column = new GrowingColumn(Int16Array);
  for (let i = 0; i < 1_000; i++) {
    expect(column.more(1)).toBe(i);
    column.room[i] = i + 1;
  }
  column.add([7, 8]);
  expect([...column.values()]).toEqual([...Array.from({ length: 1_000 }, (_, i) => i + 1), 7, 8]);
});

it("grows no more where room was made for all", () => {
  const column = new GrowingColumn(Float64Array);
  column.add([1, 2]);
  column.reserve(5);
  const { room } = column;
  column.add([3, 4, 5]);
  expect(column.room).toBe(room);
  column.reserve(3);
  expect([...column.values()]).toEqual([1, 2, 3, 4, 5]);
});
