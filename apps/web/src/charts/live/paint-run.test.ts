import { describe, expect, it } from "vitest";
import { drawLog, inOneLine } from "../../../test/draw-log.ts";
import { NAMED, themeTokens } from "../../../test/tokens.ts";
import { forcedTokens } from "../timeline/forced-colors.ts";
import { paintRun, stripColumns, type Run } from "./paint-run.ts";

const ALL_AWAITED: ReadonlySet<number> = new Set();

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
        ["hop0.secondaryFlush", Float64Array.of(1_500, 3_000, Number.NaN, 1_500)],
        // The entire path, which is not one of its own parts.
        ["hop0.remoteHarden", Float64Array.of(3_500, 23_000, Number.NaN, 5_500)],
      ]),
    };
    // Two pixels of two seconds each.
    expect(stripColumns(bins, 4e6, 2, ALL_AWAITED)).toEqual([
      { x: 0, us: 40_000, place: "network" },
      { x: 1, us: 9_000, place: "network" },
    ]);
    expect(stripColumns(bins, 4e6, 4, ALL_AWAITED).map((c) => c.place)).toEqual([
      "primary",
      "network",
      "network",
    ]);
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
        ["hop0.remoteHarden", Float64Array.of(7_500, 7_500)],
      ]),
    };
    expect(stripColumns(bins, 2e6, 2, ALL_AWAITED).map((column) => column.place)).toEqual([
      "secondary",
      "none",
    ]);
  });
});

describe("a secondary that no commit waits for", () => {
  const bins = {
    width: 1e6,
    firstBin: 0,
    length: 1,
    max: new Map([
      ["commit", Float64Array.of(8_000)],
      ["hop0.remoteHarden", Float64Array.of(7_000)],
      ["hop11.remoteHarden", Float64Array.of(500_000)],
    ]),
    p50: new Map([
      ["localFlush", Float64Array.of(3_000)],
      ["hop0.secondaryFlush", Float64Array.of(4_000)],
      ["hop11.wireOut", Float64Array.of(250_000)],
    ]),
  };

  it("has no part in the strip of commits, however slow it is", () => {
    expect(stripColumns(bins, 1e6, 1, new Set([11]))).toEqual([{ x: 0, us: 8_000, place: "secondary" }]);
    expect(stripColumns(bins, 1e6, 1, ALL_AWAITED)).toEqual([{ x: 0, us: 500_000, place: "network" }]);
  });
});

describe("the strip on its canvas", () => {
  const bins = {
    width: 1e6,
    firstBin: 0,
    length: 2,
    max: new Map([["commit", Float64Array.of(10_000, 1_000_000)]]),
    p50: new Map([
      ["localFlush", Float64Array.of(3_000, 3_000)],
      ["hop0.wireOut", Float64Array.of(1_000, 10_000)],
    ]),
  };
  const drawn = (more: Partial<Run>): string[] => {
    const { context, take } = drawLog();
    paintRun(context, NAMED, 100, 42, {
      bins: null,
      now: 10e6,
      view: [2e6, 4e6],
      gaps: [],
      marks: [],
      unawaited: ALL_AWAITED,
      ...more,
    });
    return take().map(inOneLine);
  };

  it("frames what the lanes show", () => {
    expect(drawn({})).toEqual(["fillRect 0 0 100 42 --sunken", "strokeRect 20.75 0.75 18.5 40.5 --ink"]);
  });

  it("frames it at least 6 px wide, inside the strip", () => {
    expect(drawn({ view: [2e6, 2.1e6] }).at(-1)).toBe("strokeRect 20.75 0.75 4.5 40.5 --ink");
    expect(drawn({ view: [10e6, 11e6] }).at(-1)).toBe("strokeRect 94.75 0.75 4.5 40.5 --ink");
    expect(drawn({ view: [-5e6, 1e6] }).at(-1)).toBe("strokeRect 0.75 0.75 8.5 40.5 --ink");
  });

  it("has the slowest commits in the colors of their places, hatched gaps and marks", () => {
    const lines = drawn({
      bins: { ...bins, width: 5e6 },
      gaps: [{ from: 9e6, to: 9.1e6, state: "notRecorded" }],
      marks: [{ at: 5e6, byRule: false }],
    });
    expect(lines[1]).toBe("fillRect 90 0 2 42 --sunken");
    expect(lines[2]).toMatch(/^stroke .+ --hatch$/u);
    expect(lines[3]).toBe("fillRect 0 22 1 20 --p-disk");
    expect(lines[53]).toBe("fillRect 50 2 1 40 --n-out");
    expect(lines.at(-2)).toBe("fillRect 50 0 1 42 --ink");
  });

  it("has a mark of a rule dotted", () => {
    const lines = drawn({ marks: [{ at: 5e6, byRule: true }] }).slice(1, -1);
    expect(lines).toEqual([0, 6, 12, 18, 24, 30, 36].map((top) => `fillRect 50 ${top} 1 3 --ink`));
  });

  it("hatches a gap at least 2 px wide", () => {
    const { context, take } = drawLog();
    const gaps = [{ from: 9e6, to: 9.1e6, state: "lost" }] as const;
    paintRun(context, NAMED, 100, 42, {
      bins: null,
      now: 10e6,
      view: [0, 1e6],
      gaps,
      marks: [],
      unawaited: ALL_AWAITED,
    });
    expect(take()[2].clip).toEqual(["R 90 0 2 42"]);
  });

  it("draws each state of time without bars in its own pattern, and idle time plain", () => {
    const strokeOf = (state: Run["gaps"][number]["state"]): string | undefined =>
      drawn({ gaps: [{ from: 5e6, to: 6e6, state }] }).find((line) => line.startsWith("stroke "));
    const strokes = (["notRecorded", "lost", "notArrived"] as const).map(strokeOf);
    expect(new Set(strokes).size).toBe(3);
    expect(drawn({}).some((line) => line.startsWith("stroke "))).toBe(false);
  });

  it("says places by patterns where colors are forced", () => {
    const { context, take } = drawLog();
    const tokens = forcedTokens(themeTokens("dark"));
    paintRun(context, tokens, 2, 42, {
      bins: { ...bins, width: 5e6 },
      now: 10e6,
      view: [0, 1e6],
      gaps: [],
      marks: [],
      unawaited: ALL_AWAITED,
    });
    expect(
      take()
        .filter(({ clip }) => clip.length > 0)
        .every(({ clip }) => clip[0] === "R 1 2 1 40"),
    ).toBe(true);
  });
});
