import { runningMaximum } from "@aglens/ag-model/numbers";
import { describe, expect, it } from "vitest";
import { laneOf, LANES } from "../../../test/scene.ts";
import { binWindow, blockWindow, commitWindow } from "../../../test/window.ts";
import { xOf } from "../time-scale.ts";
import {
  assignTracks,
  blocksInView,
  isCrowded,
  layoutBins,
  layoutBlocks,
  layoutHeat,
  layoutLane,
  layoutSkyline,
  levelOf,
  type Heat,
} from "./layout.ts";
import { buildBuffer, type LaneSpans } from "./spans.ts";

const none = Number.NaN;

function spans(...bars: readonly (readonly [number, number])[]): LaneSpans {
  const start = Float64Array.from(bars, (b) => b[0]);
  const end = Float64Array.from(bars, (b) => b[1]);
  return { start, end, time: start, reach: runningMaximum(end), block: Int32Array.from(bars, (_, i) => i) };
}

/** 10 µs per px. */
const SCALE = { from: 0, to: 1_000, width: 100 };

describe("the level of detail", () => {
  const scale = (span: number) => ({ from: 0, to: span, width: 1_000 });

  it("is heat above 4 blocks per px, a skyline below, single blocks under 0.02", () => {
    expect([4_001, 4_000, 20].map((blocks) => levelOf(blocks, scale(60e6), true))).toEqual([0, 1, 1]);
    expect([19, 0].map((blocks) => levelOf(blocks, scale(60e6), true))).toEqual([2, 2]);
  });

  it("is single blocks below 100 ms in view, with their events below 3 ms", () => {
    expect([100_000, 99_999, 3_000, 2_999].map((span) => levelOf(300, scale(span), true))).toEqual([
      1, 2, 2, 3,
    ]);
  });

  it("never draws more than 2,000 blocks one by one", () => {
    expect([2_000, 2_001].map((blocks) => levelOf(blocks, scale(50_000), true))).toEqual([2, 1]);
  });

  it("is heat where there are bins only", () => {
    expect(levelOf(3, scale(2_000), false)).toBe(0);
  });

  it("is left at once where more than 0.06 blocks per px would be drawn one by one", () => {
    expect([60, 61].map((blocks) => isCrowded(blocks, scale(60e6)))).toEqual([false, true]);
  });
});

describe("a skyline", () => {
  it("keeps the longest bar of each pixel", () => {
    const layout = layoutSkyline(spans([0, 5], [2, 800], [3, 4], [500, 501]), SCALE);
    expect([...layout.entry]).toEqual([1, 3]);
    expect([...layout.value]).toEqual([798, 1]);
    expect([...layout.x]).toEqual([0.2, 50]);
    expect([...layout.width]).toEqual([79.8, 1]);
    expect(layout).toMatchObject({ kind: "bars", count: 2, tracks: 1, hidden: 0 });
  });

  it("keeps the first of two that are as long", () => {
    expect([...layoutSkyline(spans([0, 5], [1, 6]), SCALE).entry]).toEqual([0]);
  });

  it("keeps all that began before the view and still run", () => {
    const view = { from: 500, to: 1_000, width: 50 };
    const layout = layoutSkyline(spans([0, 900], [10, 20], [30, 500], [31, 499], [600, 610]), view);
    expect([...layout.entry]).toEqual([0, 2, 4]);
    expect(layout.x[0]).toBe(-50);
  });

  it("leaves out what begins where the view ends", () => {
    expect(layoutSkyline(spans([999, 1_010], [1_000, 1_010]), SCALE).count).toBe(1);
  });

  it("keeps a bar that a raw clock has turned around, as a negative duration", () => {
    const turned = { ...spans([500, 300]), time: Float64Array.of(300), reach: Float64Array.of(500) };
    const layout = layoutSkyline(turned, SCALE);
    expect([layout.x[0], layout.width[0], layout.value[0]]).toEqual([30, 20, -200]);
  });

  it("leaves out missing bars", () => {
    expect(layoutSkyline(spans([100, none], [200, 300]), SCALE).count).toBe(1);
  });
});

describe("an outlier", () => {
  const bars = Array.from({ length: 50_000 }, (_, i) => [i, i + (i === 31_234 ? 400_000 : 5)] as const);
  const all = spans(...bars);
  const whole = { from: 0, to: 50_000, width: 800 };

  it("among 50,000 blocks is in the heat, in its pixel", () => {
    const heat = layoutHeat(all, whole);
    expect(heat.max.reduce((a, b) => Math.max(a, b))).toBe(400_000);
    expect(heat.entry[Math.floor(xOf(whole, 31_234))]).toBe(31_234);
  });

  it("is in the skyline, which has about a bar per pixel", () => {
    const skyline = layoutSkyline(all, whole);
    expect([...skyline.value]).toContain(400_000);
    expect(skyline.count).toBeLessThanOrEqual(801);
  });
});

describe("tracks", () => {
  it("are given to the first that is free at a bar's start", () => {
    expect([...assignTracks([0, 5, 6, 30], [20, 20, 20, 5], 2)]).toEqual([0, 1, 255, 0]);
    // An overlap of half a pixel does not count.
    expect([...assignTracks([0, 19.5], [20, 20], 3)]).toEqual([0, 0]);
    expect([...assignTracks([0, 19.4], [20, 20], 3)]).toEqual([0, 1]);
  });

  it("are given by start, whatever the order of the bars", () => {
    expect([...assignTracks([30, 0, 5], [5, 20, 20], 2)]).toEqual([0, 0, 1]);
  });

  it("of single blocks are at most three; the rest is counted", () => {
    const layout = layoutBlocks(spans([0, 500], [10, 500], [20, 500], [30, 500], [600, 700]), SCALE);
    expect([layout.tracks, layout.hidden, [...layout.track]]).toEqual([3, 1, [0, 1, 2, 255, 0]]);
  });

  it("of what is in view only are needed", () => {
    expect(
      layoutBlocks(spans([0, 400], [10, 400], [500, 600]), { from: 450, to: 1_000, width: 55 }),
    ).toMatchObject({
      count: 1,
      tracks: 1,
    });
  });

  it("leave out missing bars", () => {
    expect(layoutBlocks(spans([0, none], [5, 10]), SCALE).count).toBe(1);
  });

  it("keep bars out of each other's fades while there are enough, and never leave one out for them", () => {
    const apart = [
      [0, 100],
      [150, 250],
      [300, 400],
    ] as const;
    expect([...layoutBlocks(spans(...apart), SCALE).track]).toEqual([0, 0, 0]);
    // With 100 µs to either side the first ends where the third begins: two tracks do.
    const soft = layoutBlocks(spans(...apart), SCALE, 3, 10);
    expect([[...soft.track], soft.hidden]).toEqual([[0, 1, 0], 0]);
    expect([...layoutBlocks(spans(...apart), SCALE, 2, 1_000).track]).toEqual([0, 0, 0]);
  });
});

describe("heat of blocks", () => {
  it("has each pixel's largest and middle duration, of what begins in it", () => {
    const heat = layoutHeat(spans([0, 1], [1, 4], [2, 12], [10, 11]), { from: 0, to: 100, width: 10 });
    expect([heat.p50[0], heat.max[0], heat.entry[0]]).toEqual([3, 10, 2]);
    expect([heat.p50[1], heat.max[1], heat.entry[1]]).toEqual([1, 1, 3]);
    expect([heat.p50[2], heat.max[2], heat.entry[2]]).toEqual([none, none, -1]);
  });

  it("has the upper of two middle ones, and passes over what is missing", () => {
    expect(layoutHeat(spans([0, 7], [1, 3], [2, none]), { from: 0, to: 100, width: 10 }).p50[0]).toBe(7);
    const first = layoutHeat(spans([0, none], [1, 3]), { from: 0, to: 100, width: 10 });
    expect([first.max[0], first.entry[0]]).toEqual([2, 1]);
  });

  it("of a replica that is behind has each bar in the pixel in which it begins, not its block", () => {
    // Blocks of 5 and 15 µs, 40 µs late; blocks that begin in view count, whenever they were written.
    const late = { ...spans([45, 47], [55, 61], [none, none]), time: Float64Array.of(5, 15, 25) };
    const heat = layoutHeat(late, { from: 40, to: 60, width: 2 });
    expect([[...heat.max], [...heat.p50], [...heat.entry]]).toEqual([
      [2, 6],
      [2, 6],
      [0, 1],
    ]);
    expect([...layoutHeat(late, { from: 0, to: 20, width: 2 }).entry]).toEqual([-1, -1]);
  });

  it("begins where the view does", () => {
    const heat = layoutHeat(spans([0, 90], [50, 51], [60, 64]), { from: 50, to: 150, width: 10 });
    expect([heat.max[0], heat.max[1]]).toEqual([1, 4]);
  });

  it("takes the median of an even sample of many", () => {
    // 1, 2, ... 1,000 µs in one pixel: the sample's middle is near 500.
    const many = spans(...Array.from({ length: 1_000 }, (_, i) => [i / 1_000, i / 1_000 + i + 1] as const));
    expect(Math.abs(layoutHeat(many, { from: 0, to: 10, width: 10 }).p50[0] - 500)).toBeLessThan(34);
  });
});

describe("heat of bins", () => {
  const lane = laneOf("hop0.wireOut");
  const heatOf = (max: readonly number[], width: number, p50 = max, range = { from: 0, to: 12_000 }): Heat =>
    layoutBins(binWindow({ "hop0.wireOut": { max, p50 } }, { from: 0, to: 12_000 }), lane, {
      ...range,
      width,
    });
  const list = (values: Float64Array): number[] => [...values];

  it("takes in each pixel just the bins that lie in it", () => {
    // Three bins of a second per pixel: the slow fourth one is the second pixel's alone.
    const max = [1, 1, 1, 900, 1, 1, 1, 1, 1, 1, 1, 700];
    expect(list(heatOf(max, 4).max)).toEqual([1, 900, 1, 700]);
    // Also where the edges are no round numbers.
    const odd = layoutBins(binWindow({ "hop0.wireOut": { max, p50: max } }, { from: 0.1, to: 8.5 }), lane, {
      from: 0.1,
      to: 8.5,
      width: 4,
    });
    expect(list(odd.max)).toEqual([1, 900, 1, 700]);
  });

  it("takes a bin that two pixels cut into both", () => {
    expect(list(heatOf([1, 900, 1], 2, [1, 900, 1]).max)).toEqual([900, 900]);
  });

  it("repeats a bin that is wider than a pixel", () => {
    expect(list(heatOf([3, 5], 4).max)).toEqual([3, 3, 5, 5]);
  });

  it("has nothing where no bin is", () => {
    expect(list(heatOf([3, 5], 4, [3, 5], { from: 6_000, to: 18_000 }).max)).toEqual([5, 5, none, none]);
    expect(list(heatOf([3, 5], 4, [3, 5], { from: -12_000, to: 12_000 }).max)).toEqual([none, none, 3, 5]);
    expect(list(heatOf([none, 5], 2).max)).toEqual([none, 5]);
  });

  it("takes the middle of the medians, so that a single slow bin does not lift the line", () => {
    expect(list(heatOf([9, 9, 9], 1, [2, 900, 3]).p50)).toEqual([3]);
    expect(list(heatOf([9, 9, 9, 9], 1, [2, 900, 3, none]).p50)).toEqual([3]);
    expect(list(heatOf([9, 9, 9, 9], 1, [2, 900, 3, 4]).p50)).toEqual([3]);
  });

  it("finds a lane's figures by its own key, those of the primary by their name", () => {
    const window = binWindow({
      localFlush: { max: [4], p50: [4] },
      "hop0.ackWakeUp": { max: [6], p50: [6] },
    });
    const scale = { from: 0, to: 10_000, width: 1 };
    expect(list(layoutBins(window, laneOf("localFlush"), scale).max)).toEqual([4]);
    expect(list(layoutBins(window, laneOf("hop0.ackReceive"), scale).max)).toEqual([6]);
    expect(list(layoutBins(window, laneOf("hop1.wireOut"), scale).max)).toEqual([none]);
  });

  it("knows no entry", () => {
    expect([...heatOf([3, 5], 2).entry]).toEqual([-1, -1]);
  });
});

describe("a lane", () => {
  const blocks = blockWindow([{ localFlushStart: 1_000, localFlushEnd: 3_000 }]);
  const buffer = buildBuffer(
    blocks,
    commitWindow(Array.from({ length: 15 }, (_, i) => [i, 9_000, 0] as const)),
    LANES,
    [],
  );
  const bins = buildBuffer(binWindow({ localFlush: { max: [7], p50: [7] } }), commitWindow([]), LANES, []);
  const scale = { from: 0, to: 10_000, width: 10 };

  it("is laid out by its level", () => {
    const kinds = ([0, 1, 2, 3] as const).map(
      (level) => layoutLane(buffer, laneOf("localFlush"), scale, level).kind,
    );
    expect(kinds).toEqual(["heat", "bars", "bars", "bars"]);
  });

  it("of commits has up to twelve tracks", () => {
    expect(layoutLane(buffer, laneOf("commit"), scale, 2)).toMatchObject({ tracks: 12, hidden: 3 });
  });

  it("of bins is heat at every level", () => {
    const heat = layoutLane(bins, laneOf("localFlush"), scale, 2) as Heat;
    expect([heat.kind, heat.max[0]]).toEqual(["heat", 7]);
  });

  it("that the buffer does not know is empty", () => {
    const unknown = layoutLane(buffer, { ...laneOf("localFlush"), key: "hop9.send" }, scale, 2) as Heat;
    expect([unknown.kind, unknown.max.every(Number.isNaN)]).toEqual(["heat", true]);
  });
});

describe("blocks in view", () => {
  it("are those that begin in it", () => {
    const at = (from: number, to: number): number =>
      blocksInView(
        buildBuffer(
          blockWindow([0, 100, 200].map((start) => ({ localFlushStart: start, localFlushEnd: start + 500 }))),
          commitWindow([]),
          LANES,
          [],
        ),
        { from, to, width: 10 },
      );
    expect([at(0, 200), at(0, 201), at(100, 200), at(101, 150)]).toEqual([2, 3, 1, 0]);
  });

  it("of bins are the sum of those that touch it", () => {
    const bins = buildBuffer(
      binWindow(
        { localFlush: { max: [1, 1, 1, 1], p50: [1, 1, 1, 1] } },
        { from: 0, to: 400, count: [1, 10, 100, 1_000] },
      ),
      commitWindow([]),
      LANES,
      [],
    );
    const inView = (from: number, to: number): number => blocksInView(bins, { from, to, width: 10 });
    expect([inView(0, 400), inView(100, 200), inView(100, 201), inView(99, 200)]).toEqual([
      1_111, 10, 110, 11,
    ]);
  });
});
