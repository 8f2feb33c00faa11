import { describe, expect, it } from "vitest";
import { pixelColumns } from "./bin-columns.ts";

describe("columns of bins", () => {
  const bins = { width: 100, firstBin: 10, length: 4 };
  const p50 = Float64Array.of(1, 2, 3, 4);
  const max = Float64Array.of(10, 90, 30, 40);

  it("keep the largest of all bins in a column, and a median", () => {
    // Columns of 200 µs from 1,000 on: bins 10 and 11, then 12 and 13.
    const columns = pixelColumns(bins, { p50, max }, 5, 3, 200);
    expect([...columns.max]).toEqual([90, 40, Number.NaN]);
    expect([...columns.p50]).toEqual([2, 4, Number.NaN]);
  });

  it("repeat a bin that is wider than a column", () => {
    const columns = pixelColumns(bins, { p50, max }, 20, 4, 50);
    expect([...columns.p50]).toEqual([1, 1, 2, 2]);
  });

  it("stay on the same bins wherever the view begins", () => {
    const whole = pixelColumns(bins, { p50, max }, 14, 8, 70);
    const later = pixelColumns(bins, { p50, max }, 16, 6, 70);
    expect([...later.max]).toEqual([...whole.max].slice(2));
  });
});

describe("a pause between log blocks", () => {
  // One bin and one column are 40 ms: four empty ones are 160 ms.
  const none = Number.NaN;
  const p50 = Float64Array.of(1, none, none, none, 5, none, none, none, none, 9, none);
  const max = Float64Array.of(10, none, none, none, 50, none, none, none, none, 90, none);
  const columns = pixelColumns({ width: 40_000, firstBin: 0, length: 11 }, { p50, max }, 0, 11, 40_000);

  it("goes on with the median when it is short, without an outlier of its own", () => {
    expect(columns.p50.slice(0, 5)).toEqual(Float64Array.from([1, 1, 1, 1, 5]));
    expect(columns.max.slice(0, 5)).toEqual(Float64Array.from([10, 1, 1, 1, 50]));
  });

  it("stays empty when it is longer than 150 ms, and where nothing has come yet", () => {
    expect(columns.p50.slice(5)).toEqual(Float64Array.from([none, none, none, none, 9, none]));
    expect(columns.max.slice(5)).toEqual(Float64Array.from([none, none, none, none, 90, none]));
  });
});
