import { runningMaximum } from "@aglens/ag-model/numbers";
import { describe, expect, it } from "vitest";
import { hitTest } from "./hit-test.ts";
import { stackLanes } from "./heights.ts";
import { captureLanes } from "../../lanes/lanes.ts";
import { replicaNamed } from "../../../test/replicas.ts";
import { assignTracks, layoutBlocks, layoutHeat, layoutSkyline, levelOf } from "./layout.ts";
import { xOf } from "../time-scale.ts";
import type { LaneSpans } from "./spans.ts";

function spans(...bars: readonly (readonly [number, number])[]): LaneSpans {
  const start = Float64Array.from(bars, (b) => b[0]);
  const end = Float64Array.from(bars, (b) => b[1]);
  return { start, end, time: start, reach: runningMaximum(end), block: Int32Array.from(bars, (_, i) => i) };
}

describe("levels and scales", () => {
  const scale = (span: number) => ({ from: 0, to: span, width: 1000 });

  it("follows blocks per pixel and the span in view", () => {
    expect(levelOf(5000, scale(60e6), true)).toBe(0);
    expect(levelOf(1000, scale(60e6), true)).toBe(1);
    expect(levelOf(10, scale(60e6), true)).toBe(2);
    expect(levelOf(300, scale(60_000), true)).toBe(2);
    expect(levelOf(3, scale(2_000), true)).toBe(3);
    expect(levelOf(3, scale(2_000), false)).toBe(0);
  });
});

describe("layout", () => {
  const scale = { from: 0, to: 1000, width: 100 };

  it("keeps the longest bar of each pixel in the skyline", () => {
    const layout = layoutSkyline(spans([0, 5], [2, 800], [3, 4], [500, 501]), scale);
    expect([...layout.entry]).toEqual([1, 3]);
    expect([...layout.value]).toEqual([798, 1]);
    expect(layout.width[1]).toBe(1);
  });

  it("finds bars that began before the view and still run", () => {
    const layout = layoutSkyline(spans([0, 900], [10, 20], [600, 610]), { from: 500, to: 1000, width: 50 });
    expect([...layout.entry]).toEqual([0, 2]);
    expect(layout.x[0]).toBe(-50);
  });

  it("never loses an outlier among 50,000 blocks", () => {
    const bars = Array.from({ length: 50_000 }, (_, i) => [i, i + (i === 31_234 ? 400_000 : 5)] as const);
    const all = spans(...bars);
    const whole = { from: 0, to: 50_000, width: 800 };
    const heat = layoutHeat(all, whole);
    expect(heat.max.reduce((a, b) => Math.max(a, b))).toBe(400_000);
    expect(heat.entry[Math.floor(xOf(whole, 31_234))]).toBe(31_234);
    const skyline = layoutSkyline(all, whole);
    expect([...skyline.value]).toContain(400_000);
    expect(skyline.count).toBeLessThanOrEqual(801);
  });

  it("takes the median of a pixel's blocks", () => {
    const heat = layoutHeat(spans([0, 1], [1, 4], [2, 12]), { from: 0, to: 100, width: 10 });
    expect(heat.p50[0]).toBe(3);
    expect(heat.max[0]).toBe(10);
    expect(heat.p50[1]).toBeNaN();
  });

  it("leaves out missing bars", () => {
    expect(layoutBlocks(spans([0, Number.NaN], [5, 10]), scale).count).toBe(1);
  });

  it("puts overlapping bars in at most three tracks and counts the rest", () => {
    expect([...assignTracks([0, 5, 6, 30], [20, 20, 20, 5], 2)]).toEqual([0, 1, 255, 0]);
    const layout = layoutBlocks(spans([0, 500], [10, 500], [20, 500], [30, 500]), scale);
    expect([layout.tracks, layout.hidden]).toEqual([3, 1]);
  });

  it("keeps bars out of each other's fades while there are tracks, and never leaves one out for them", () => {
    const apart = [
      [0, 100],
      [150, 250],
      [300, 400],
    ] as const;
    const sharp = layoutBlocks(spans(...apart), scale);
    expect([...sharp.track]).toEqual([0, 0, 0]);
    const soft = layoutBlocks(spans(...apart), scale, 3, (100 / (scale.to - scale.from)) * scale.width);
    // With 100 µs to either side the first ends where the third begins: two tracks do.
    expect([[...soft.track], soft.hidden]).toEqual([[0, 1, 0], 0]);
    expect([...layoutBlocks(spans(...apart), scale, 2, 10 * scale.width).track]).toEqual([0, 0, 0]);
  });
});

describe("heights and hits", () => {
  const lanes = captureLanes([replicaNamed("SQL1"), replicaNamed("SQL2")]);

  it("leaves to the slopes what log writes do not take", () => {
    const { height } = stackLanes(lanes, {}, 2, 780);
    expect(Math.abs(height - 780)).toBeLessThan(8);
    // Less than all lanes need at least: it scrolls.
    expect(stackLanes(lanes, {}, 2, 100).height).toBeGreaterThan(250);
  });

  it("fills the height there is without overlap", () => {
    const { boxes, height } = stackLanes(lanes, {}, 1, 640);
    expect(height).toBeLessThanOrEqual(640);
    expect(height).toBeGreaterThan(630);
    for (let i = 1; i < boxes.length; i++)
      expect(boxes[i].top).toBeGreaterThanOrEqual(boxes[i - 1].top + boxes[i - 1].height);
  });

  it("lets the user's choice win", () => {
    const { boxes } = stackLanes(lanes, { commit: false, "hop0.acknowledge": true }, 1, 640);
    expect(boxes[0].tall).toBe(false);
    expect(boxes.find((b) => b.lane.key === "hop0.acknowledge")?.tall).toBe(true);
  });

  it("hits the nearest bar within 6 px, the longer one on a tie", () => {
    const { boxes } = stackLanes(lanes, {}, 1, 640);
    const box = boxes[1];
    const layouts = new Map([
      [
        "localFlush",
        layoutSkyline(spans([100, 110], [200, 210], [205, 400]), { from: 0, to: 1000, width: 1000 }),
      ],
    ]);
    const y = box.top + 4;
    expect(hitTest(boxes, layouts, 95, y)?.entry).toBe(0);
    expect(hitTest(boxes, layouts, 90, y)).toBeNull();
    expect(hitTest(boxes, layouts, 207, y)?.entry).toBe(2);
    expect(hitTest(boxes, layouts, 207, -5)).toBeNull();
  });
});
