import { expect, test } from "vitest";
import type { BinWindow, BlockWindow } from "@aglens/contract";
import { hitTicks } from "./hit-ticks.ts";

const scale = { from: 0, to: 1_000, width: 100 };
const blocksAt = (...periods: [number, number][]): BlockWindow =>
  ({
    detail: "blocks",
    blocks: {
      length: periods.length,
      time: Float64Array.from(periods, ([from]) => from),
      timeEnd: Float64Array.from(periods, ([, to]) => to),
    },
  }) as BlockWindow;

test("a hit is as wide as its block, and at least 2 px", () => {
  expect(hitTicks(blocksAt([100, 101], [500, 600]), scale)).toEqual([
    [10, 2],
    [50, 10],
  ]);
});

test("ticks that touch are one, what is off the strip has none, what crosses its edge is cut", () => {
  expect(hitTicks(blocksAt([100, 150], [110, 300], [305, 310]), scale)).toEqual([
    [10, 20],
    [30, 2],
  ]);
  expect(hitTicks(blocksAt([-50, -10], [-50, 20], [980, 1_500], [1_000, 1_100]), scale)).toEqual([
    [0, 2],
    [98, 2],
  ]);
});

test("bins with hits are ticks as wide as the bin", () => {
  const bins = {
    detail: "bins",
    from: 0,
    to: 1_000,
    length: 4,
    count: Uint32Array.of(0, 3, 0, 1),
  } as BinWindow;
  expect(hitTicks(bins, scale)).toEqual([
    [25, 25],
    [75, 25],
  ]);
});
