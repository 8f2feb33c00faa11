import { describe, expect, it } from "vitest";
import { boxOf, sceneOf } from "../../../test/scene.ts";
import { binWindow, blockWindow, commitWindow, type BlockInput } from "../../../test/window.ts";
import { rowOf } from "./pointed-row.ts";
import { pointedBar, laneAt } from "./pointed-bar.ts";

const BOX = boxOf("localFlush", 100, 60);
const flush = (localFlushStart: number, localFlushEnd: number): BlockInput => ({
  localFlushStart,
  localFlushEnd,
});

const sceneWith = (...blocks: readonly BlockInput[]) =>
  sceneOf({ boxes: [BOX], window: blockWindow(blocks, { firstRow: 500 }) });

const entryAt = (scene: ReturnType<typeof sceneWith>, x: number, y = 110): number | null =>
  pointedBar(scene.boxes, scene.layouts, x, y)?.entry ?? null;

describe("the lane at a height", () => {
  it("begins at its top edge and ends before its bottom edge", () => {
    expect([99, 100, 159.9, 160].map((y) => laneAt([BOX], y)?.lane.key)).toEqual([
      undefined,
      "localFlush",
      "localFlush",
      undefined,
    ]);
  });
});

describe("the bar at a place", () => {
  it("is the nearest within 6 px to either side", () => {
    // 100 to 200 px and 300 to 301 px.
    const scene = sceneWith(flush(1_000, 2_000), flush(3_000, 3_001));
    expect([93.9, 94, 150, 206, 206.1].map((x) => entryAt(scene, x))).toEqual([null, 0, 0, 0, null]);
    expect([294, 300.5, 307].map((x) => entryAt(scene, x))).toEqual([1, 1, 1]);
    const [left, right] = [sceneWith(flush(1_000, 2_000), flush(2_040, 2_100)), 202.5];
    expect(entryAt(left, right)).toBe(1);
    expect(entryAt(left, 201)).toBe(0);
  });

  it("is the longer of two that are as near", () => {
    const scene = sceneWith(flush(1_000, 1_500), flush(900, 4_000));
    // They overlap, so each has its own track.
    expect(new Set([entryAt(scene, 120, 110), entryAt(scene, 120, 150)])).toEqual(new Set([0, 1]));
    const slopes = sceneOf({
      boxes: [boxOf("hop0.wireOut", 100, 60)],
      window: blockWindow([
        { hops: [{ sendEnd: 1_000, received: 1_500 }] },
        { hops: [{ sendEnd: 900, received: 4_000 }] },
      ]),
    });
    expect(pointedBar(slopes.boxes, slopes.layouts, 120, 110)?.entry).toBe(1);
    expect(pointedBar(slopes.boxes, slopes.layouts, 120, 155)?.entry).toBe(1);
  });

  it("is that of the pointed track, and never one that found no track", () => {
    const four = sceneWith(flush(0, 5_000), flush(100, 5_100), flush(200, 5_200), flush(300, 9_000));
    expect([105, 125, 145].map((y) => entryAt(four, 300, y))).toEqual([0, 1, 2]);
    // The fourth bar is hidden; the pointer hits nothing outside of the others.
    expect(entryAt(four, 700)).toBeNull();
  });

  it("has its edges and its duration", () => {
    const scene = sceneWith(flush(1_000, 2_000));
    expect(pointedBar(scene.boxes, scene.layouts, 150, 110)).toMatchObject({
      box: BOX,
      left: 100,
      right: 200,
      value: 1_000,
    });
  });

  it("is none between lanes and in a lane without a layout", () => {
    const scene = sceneWith(flush(1_000, 2_000));
    expect(pointedBar(scene.boxes, scene.layouts, 150, 99)).toBeNull();
    expect(pointedBar(scene.boxes, new Map(), 150, 110)).toBeNull();
  });
});

describe("the column at a place", () => {
  const none = Number.NaN;
  const max = [none, none, 7_000, none, none, none, 9_000, none, none, none];
  const scene = sceneOf({
    boxes: [BOX],
    window: binWindow({ localFlush: { max, p50: max } }),
    scale: { from: 0, to: 10_000, width: 10 },
    level: 0,
  });
  const pointed = (x: number): number | null => pointedBar(scene.boxes, scene.layouts, x, 110)?.value ?? null;

  it("is the slowest of seven, at the edges of as many as there are", () => {
    expect([0, 0.5, 2.5, 3.5, 4.5, 5.5, 9.5].map(pointed)).toEqual([
      7_000, 7_000, 7_000, 9_000, 9_000, 9_000, 9_000,
    ]);
    expect(pointed(-1)).toBe(7_000);
    expect(pointed(-2)).toBeNull();
  });

  it("is none where nothing is near", () => {
    const empty = sceneOf({
      boxes: [BOX],
      window: binWindow({ localFlush: { max: [none], p50: [none] } }),
      level: 0,
    });
    expect(pointedBar(empty.boxes, empty.layouts, 1, 110)).toBeNull();
  });
});

describe("the row of what is pointed at", () => {
  it("is that of its block in the capture", () => {
    const scene = sceneWith(flush(1_000, 2_000), flush(5_000, 6_000));
    expect(rowOf(pointedBar(scene.boxes, scene.layouts, 550, 110)!, scene.buffer)).toBe(501);
  });

  it("is none for a commit whose block is not loaded, and for bins", () => {
    const commits = sceneOf({
      boxes: [boxOf("commit", 100, 60)],
      window: blockWindow([flush(1_000, 2_000)]),
      commits: commitWindow([[1_000, 2_000, 77]]),
    });
    expect(rowOf(pointedBar(commits.boxes, commits.layouts, 150, 110)!, commits.buffer)).toBeNull();
    const bins = sceneOf({
      boxes: [BOX],
      window: binWindow({ localFlush: { max: [9_000], p50: [9_000] } }),
      level: 0,
    });
    expect(rowOf(pointedBar(bins.boxes, bins.layouts, 1, 110)!, bins.buffer)).toBeNull();
  });
});
