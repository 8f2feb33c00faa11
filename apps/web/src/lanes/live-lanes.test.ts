import { describe, expect, it } from "vitest";
import { columnsOf, drawnLanes, figureOf } from "./live-lanes.ts";
import { stripColumns } from "../charts/live/run-strip.tsx";

describe("columns of bins", () => {
  const bins = { width: 100, firstBin: 10, length: 4 };
  const p50 = Float64Array.of(1, 2, 3, 4);
  const max = Float64Array.of(10, 90, 30, 40);

  it("keep the largest of all bins in a column, and a median", () => {
    // Columns of 200 µs from 1,000 on: bins 10 and 11, then 12 and 13.
    const columns = columnsOf(bins, p50, max, 5, 3, 200);
    expect([...columns.max]).toEqual([90, 40, Number.NaN]);
    expect([...columns.p50]).toEqual([2, 4, Number.NaN]);
  });

  it("repeat a bin that is wider than a column", () => {
    const columns = columnsOf(bins, p50, max, 20, 4, 50);
    expect([...columns.p50]).toEqual([1, 1, 2, 2]);
  });

  it("stay on the same bins wherever the view begins", () => {
    const whole = columnsOf(bins, p50, max, 14, 8, 70);
    const later = columnsOf(bins, p50, max, 16, 6, 70);
    expect([...later.max]).toEqual([...whole.max].slice(2));
  });
});

describe("a pause between log blocks", () => {
  // One bin and one column are 40 ms: four empty ones are 160 ms.
  const none = Number.NaN;
  const p50 = Float64Array.of(1, none, none, none, 5, none, none, none, none, 9, none);
  const max = Float64Array.of(10, none, none, none, 50, none, none, none, none, 90, none);
  const columns = columnsOf({ width: 40_000, firstBin: 0, length: 11 }, p50, max, 0, 11, 40_000);

  it("goes on with the median when it is short, without an outlier of its own", () => {
    expect(columns.p50.slice(0, 5)).toEqual(Float64Array.from([1, 1, 1, 1, 5]));
    expect(columns.max.slice(0, 5)).toEqual(Float64Array.from([10, 1, 1, 1, 50]));
  });

  it("stays empty when it is longer than 150 ms, and where nothing has come yet", () => {
    expect(columns.p50.slice(5)).toEqual(Float64Array.from([none, none, none, none, 9, none]));
    expect(columns.max.slice(5)).toEqual(Float64Array.from([none, none, none, none, 90, none]));
  });
});

describe("lanes", () => {
  it("have the timeline's colours and heights by what they measure", () => {
    const lane = (key: string, place: "primary" | "network" | "secondary", secondary: number) => ({
      key,
      label: key,
      heading: "",
      place,
      secondary,
      replica: secondary,
    });
    const lanes = drawnLanes(
      [lane("commit", "primary", -1), lane("localFlush", "primary", -1), lane("hop1.wireOut", "network", 1)],
      () => ({ asynchronous: true, roundTripUs: 24_000 }),
    );
    expect(lanes.map((l) => l.colour)).toEqual(["--wait", "--p-disk", "--n-out"]);
    expect(lanes.map((l) => l.asynchronous)).toEqual([false, false, true]);
    // 24 ms of round trip are distance: a leg may take half of that.
    expect(lanes.map((l) => l.limitUs)).toEqual([20_000, 10_000, 12_000]);
    expect(lanes.map((l) => l.opensPlace)).toEqual([true, false, true]);
    expect(figureOf("hop1.wireOut")).toBe("wireOut");
  });
});

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
