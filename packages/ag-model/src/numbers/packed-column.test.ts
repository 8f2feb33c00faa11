import { describe, expect, test } from "vitest";
import { columnOfChunks, joinedChunks, packColumn, type PackedColumn } from "./packed-column.ts";

const packed = (values: readonly number[]): PackedColumn =>
  packColumn(values.length, (room, from) => room.set(values.slice(from, from + room.length)));

const valuesOf = (column: PackedColumn): number[] =>
  Array.from({ length: column.length }, (_, row) => column.at(row));

const counting = (length: number, from: number, step: number): number[] =>
  Array.from({ length }, (_, i) => from + i * step);

describe("a packed column has every value as it was", () => {
  test.each([
    ["of nothing", []],
    ["of one", [7.25]],
    ["of a full chunk and one more", counting(257, -3, 1)],
    ["of large numbers", counting(600, 2 ** 52, 1_000)],
    ["with the same part after the point", counting(300, 1e6 + 0.25, 3)],
    ["with parts after the point that do not go with each other", counting(300, 0.1, 0.7)],
    ["with values far from each other", [0, 2 ** 32 - 1, 2 ** 32, -1, 2 ** 53, -(2 ** 53)]],
    ["with values that are none", [1, Number.NaN, 3, Infinity, -Infinity, Number.NaN]],
    ["of none but such", [Number.NaN, Number.NaN]],
    ["of tiny differences", [1, 1 + Number.EPSILON, 1 - Number.EPSILON]],
  ])("%s", (_, values) => {
    const column = packed(values);
    expect(column.length).toBe(values.length);
    expect(valuesOf(column)).toEqual(values);
  });
});

test("values that are close take a byte each, or two or four; equal ones none, others eight", () => {
  const widths = (step: number): number[] => [...packed(counting(512, 9e9, step)).parts.width];
  // 255 steps within a chunk of 256 values.
  expect([0, 1, 2, 257, 258, 0xff_ff_ff, 0x1_00_00_00 + 0x1_02_02, 0.5].map(widths)).toEqual([
    [0, 0],
    [1, 1],
    [2, 2],
    [2, 2],
    [4, 4],
    [4, 4],
    [8, 8],
    [8, 8],
  ]);
  expect(packed(counting(512, 9e9, 1)).parts.bytes.length).toBe(512);
});

test("rows with a value are found in every chunk that has it", () => {
  const column = packed([...counting(300, 0, 1), ...counting(300, 0, 1), Number.NaN, 12]);
  expect(column.rowsOf(12)).toEqual([12, 312, 601]);
  expect(column.rowsOf(299)).toEqual([299, 599]);
  expect([column.rowsOf(300), column.rowsOf(1.5)]).toEqual([[], []]);
});

test("columns that are kept together come apart again, also from bytes at an odd place", () => {
  const all = [counting(257, 5, 1), [], [1.5, Number.NaN], counting(1_000, -1e6, 300)];
  const joined = joinedChunks(all.map(packed));
  const odd = new Uint8Array(joined.bytes.length + 3);
  odd.set(joined.bytes, 3);
  for (const bytes of [joined.bytes, odd.subarray(3)]) {
    let chunk = 0;
    for (const values of all) {
      const end = chunk + Math.ceil(values.length / 256);
      expect(valuesOf(columnOfChunks({ ...joined, bytes }, chunk, end, values.length))).toEqual(values);
      chunk = end;
    }
  }
});
