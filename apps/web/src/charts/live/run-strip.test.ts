import { describe, expect, it } from "vitest";
import { stripColumns } from "./run-strip.tsx";

describe("the strip of the whole run", () => {
  it("has the slowest commit of each pixel and the place that took most", () => {
    const bins = {
      width: 1e6,
      firstBin: 0,
      length: 4,
      max: new Map([["commit", Float64Array.of(5_000, 40_000, Number.NaN, 9_000)]]),
      p50: new Map([
        ["localFlush", Float64Array.of(3_000, 3_000, Number.NaN, 3_000)],
        ["hop0.wireOut", Float64Array.of(1_000, 10_000, Number.NaN, 2_000)],
        ["hop0.wireBack", Float64Array.of(1_000, 10_000, Number.NaN, 2_000)],
      ]),
    };
    // Two pixels of two seconds each.
    expect(stripColumns(bins, 4e6, 2)).toEqual([
      { x: 0, us: 40_000, place: "network" },
      { x: 1, us: 9_000, place: "network" },
    ]);
    expect(stripColumns(bins, 4e6, 4).map((c) => c.place)).toEqual(["primary", "network", "network"]);
  });

  it("has no place while the secondary, which took most, was not read", () => {
    const bins = {
      width: 1e6,
      firstBin: 0,
      length: 2,
      max: new Map([["commit", Float64Array.of(9_000, 9_000)]]),
      p50: new Map([
        ["localFlush", Float64Array.of(3_000, 3_000)],
        ["hop0.wireOut", Float64Array.of(1_000, Number.NaN)],
        ["hop0.secondaryFlush", Float64Array.of(5_000, Number.NaN)],
        ["hop0.unseen", Float64Array.of(7_000, 7_000)],
      ]),
    };
    expect(stripColumns(bins, 2e6, 2).map((column) => column.place)).toEqual(["secondary", "none"]);
  });
});
