import { expect, it } from "vitest";
import { columnScale, heightScale } from "./columns.ts";
import { lanePaths, outlinePath } from "./lane-paths.ts";

const columns = columnScale(40, [1, 5]);
/** y is 100 for 1 ms and 0 for 1 s. */
const heights = { height: 100, y: (us: number) => 100 - (100 * Math.log10(us / 1e3)) / 3 };

it("a bar from p50 to p95, a line at p50, a stroke to p99 and a dot at the maximum, 8 of 10 px wide", () => {
  const figures = { columns: [0, 2], p50: [9, 1e3], p95: [9, 1e4], p99: [9, 1e5], max: [9, 1e6] };
  expect(lanePaths(figures, columns, heights)).toEqual({
    bars: "M11 66.7h8V100h-8z",
    medians: "M11 100h8",
    strokes: "M15 66.7V33.3",
    dots: "M14 -1h2v2h-2z",
  });
});

it("nothing is drawn of what a capture does not have", () => {
  const nothing = { columns: [2], p50: [null], p95: [null], p99: [null], max: [null] };
  expect(lanePaths(nothing, columns, heights)).toEqual({ bars: "", medians: "", strokes: "", dots: "" });
});

it("an outline goes in steps over columns that follow each other and is broken by a gap", () => {
  expect(outlinePath([1, 2, 4], [1e3, 1e6, 1e3], columns, heights)).toBe("M0 100H10V0H20M30 100H40");
  expect(outlinePath([1, 2], [null, 1e3], columns, heightScale(100, false))).toMatch(/^M10 /u);
});
