import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  barHeight,
  barsPath,
  binAt,
  cumulativePath,
  cumulativeShares,
  durationAxis,
  markLabels,
  mostShareOf,
  outlinePath,
} from "./histogram.ts";

// Three decades, one bin each.
const EDGES = [10, 100, 1_000, 10_000];

describe("an axis of durations", () => {
  it("gives each decade as much room, and keeps what lies outside at its ends", () => {
    const { x } = durationAxis(EDGES, "log", 300);
    expect([5, 10, 100, 1_000, 10_000, 1e9].map((us) => Math.round(x(us)))).toEqual([
      0, 0, 100, 200, 300, 300,
    ]);
    expect([0, -4].map(x)).toEqual([0, 0]);
  });

  it("gives each µs as much room on the linear scale", () => {
    const { x, ticks } = durationAxis([0, 500, 1_000], "linear", 200);
    expect([0, 250, 1_000].map(x)).toEqual([0, 50, 200]);
    expect(ticks.map(({ label }) => label)).toContain("500 µs");
  });

  it("finds the bin under the pointer, the nearest one outside", () => {
    const axis = durationAxis(EDGES, "log", 300);
    expect([-5, 0, 99, 100.5, 299, 300, 900].map((px) => binAt(axis, px))).toEqual([0, 0, 0, 1, 2, 2, 2]);
  });

  it("finds each bin at its own middle", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 125 }), fc.integer({ min: 50, max: 2_000 }), (bins, width) => {
        const axis = durationAxis(
          Array.from({ length: bins + 1 }, (_, i) => 10 ** (1 + i / 25)),
          "log",
          width,
        );
        for (let bin = 0; bin < bins; bin++) {
          const middle = (axis.x(axis.edges[bin]) + axis.x(axis.edges[bin + 1])) / 2;
          expect(binAt(axis, middle)).toBe(bin);
        }
      }),
      { numRuns: 20 },
    );
  });
});

describe("bars", () => {
  const axis = durationAxis(EDGES, "log", 300);
  const place = { axis, ground: 50, height: 40 };

  it("are as tall as the square root of their share of the fullest bin of both ranges", () => {
    expect(
      mostShareOf([
        { n: 10, counts: [1, 5] },
        { n: 4, counts: [4, 0] },
      ]),
    ).toBe(1);
    expect(barHeight(1, 4, 1)).toBe(0.5);
    expect([barHeight(0, 0, 1), barHeight(0, 5, 0)]).toEqual([0, 0]);
  });

  it("of one block are seen however many others there are, and an empty bin has none", () => {
    expect(barsPath(place, [0.001, 0, 1])).toBe("M0 50v-2h99.25v2zM200 50v-40h99.25v40z");
    expect(outlinePath(place, [0.5, 0, 1])).toBe("M0 50V30H100V50H200V10H300V50");
  });
});

describe("cumulative shares", () => {
  it("begin with what lies under the first bin", () => {
    expect(cumulativeShares({ n: 10, under: 1, counts: [4, 0, 5] })).toEqual([0.5, 0.5, 1]);
    expect(cumulativeShares({ n: 0, under: 0, counts: [0] })).toEqual([0]);
  });

  it("end where all values are reached", () => {
    const axis = durationAxis(EDGES, "log", 300);
    expect(cumulativePath({ axis, ground: 50, height: 40 }, [0.5, 1, 1])).toBe("M100 30L200 10");
  });
});

describe("names of percentiles", () => {
  const at = (name: string, place: number) => ({ name, at: place });
  it("stand beside their lines, together where these are close, and inside the plot", () => {
    expect(markLabels([at("p50", 10), at("p95", 100), at("p99", 125.9)], 300)).toEqual([
      { text: "p50", x: 13, anchor: "start" },
      { text: "p95, p99", x: 128.9, anchor: "start" },
    ]);
    expect(markLabels([at("p95", 100), at("p99", 126)], 300)).toHaveLength(2);
    // Two names need the room of two.
    expect(markLabels([at("p50", 10), at("p95", 30), at("p99", 81)], 300).map(({ text }) => text)).toEqual([
      "p50, p95, p99",
    ]);
    expect(markLabels([at("p50", 10), at("p95", 30), at("p99", 82)], 300)).toHaveLength(2);
    expect(markLabels([at("p50", 290)], 300)).toEqual([{ text: "p50", x: 287, anchor: "end" }]);
    // The last name has no room after its line, and none before it next to the other name.
    expect(markLabels([at("p95", 240), at("p99", 280)], 300)).toEqual([
      { text: "p95, p99", x: 237, anchor: "end" },
    ]);
    expect(markLabels([at("p95", 220), at("p99", 280)], 300)).toHaveLength(2);
    expect(markLabels([], 300)).toEqual([]);
  });
});
