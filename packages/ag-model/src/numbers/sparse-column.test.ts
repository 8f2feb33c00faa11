import { expect, it } from "vitest";
import { packSparse, readSparse } from "./sparse-column.ts";

const read = (column: ReturnType<typeof packSparse>, length: number, absent: number): number[] => {
  const to = new Float64Array(length);
  readSparse(column, absent, to);
  return [...to];
};

it("has every value as it was, of many rows too", () => {
  const values = Float64Array.from({ length: 5_000 }, (_, row) =>
    row % 3 === 1 ? Number.NaN : 1e12 + 0.25 * row,
  );
  expect(read(packSparse(values, Number.NaN), values.length, Number.NaN)).toEqual([...values]);
});

it("takes a number for none", () => {
  const events = Int32Array.of(-1, 7, -1, 0);
  const packed = packSparse(events, -1)!;
  expect([...packed.known]).toEqual([0b1010]);
  expect(read(packed, 4, -1)).toEqual([-1, 7, -1, 0]);
});

it("takes nothing where no row has a value", () => {
  const packed = packSparse(new Uint8Array(10), 0);
  expect(packed).toBeNull();
  expect(read(packed, 3, 0)).toEqual([0, 0, 0]);
});

it("takes a bit of a row whose values are all the same", () => {
  const { known, values } = packSparse(new Uint8Array(1_024).fill(1), 0)!;
  expect([known.length, values.bytes.length]).toEqual([128, 0]);
});
