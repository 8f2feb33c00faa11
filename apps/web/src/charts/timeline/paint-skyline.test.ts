import { expect, test } from "vitest";
import { drawLog, inOneLine, type Drawn } from "../../../test/draw-log.ts";
import { boxOf, sceneOf } from "../../../test/scene.ts";
import { blockWindow, commitWindow, type BlockInput } from "../../../test/window.ts";
import type { Bars } from "./layout.ts";
import { paintSkyline } from "./paint-skyline.ts";
import type { Scene } from "./scene.ts";

/** 100 ms on 1,000 px: 100 µs per px. */
const SCALE = { from: 0, to: 100_000, width: 1_000 };
/** 100 px for the four decades from 0.1 ms to 1 s, and 4 px above them. */
const TALL = boxOf("localFlush", 100, 104);

const flush = (localFlushStart: number, us: number): BlockInput => ({
  localFlushStart,
  localFlushEnd: localFlushStart + us,
});

function drawn(blocks: readonly BlockInput[], more: Partial<Scene> & { box?: typeof TALL } = {}): Drawn[] {
  const { box = TALL, ...scene } = more;
  const { context, take } = drawLog();
  const full = sceneOf({ boxes: [box], window: blockWindow(blocks), scale: SCALE, level: 1, ...scene });
  paintSkyline(context, full, box, full.layouts.get(box.lane.key) as Bars);
  return take();
}

const lines = (...given: Parameters<typeof drawn>): string[] => drawn(...given).map(inOneLine);

test("a bar is as high as its duration on the log scale, at least 2 px, and as wide as it lasts", () => {
  expect(lines([flush(1_000, 10_000), flush(20_000, 100), flush(30_000, 400), flush(40_000, 410)])).toEqual([
    "fillRect 10 154 99.25 50 --p-disk",
    "fillRect 200 202 1 2 --p-disk",
    // log10(4) / 4 of 100 px; from 4 px on a narrow space separates neighbors.
    "fillRect 300 188.949 4 15.051 --p-disk",
    "fillRect 400 188.68 3.35 15.32 --p-disk",
  ]);
});

test("a write over 50 ms has a crimson cap a pixel above it", () => {
  const caps = (us: number): string[] => lines([flush(0, us)]).filter((line) => line.includes("--c-bad"));
  expect(caps(50_000)).toEqual([]);
  expect(caps(100_000)).toEqual(["fillRect 0 125.5 999.25 2.5 --c-bad"]);
  // A cap of a bar to the top stays inside its lane.
  expect(caps(1_000_000)).toEqual(["fillRect 0 100.5 9999.25 2.5 --c-bad"]);
  expect(caps(5_000_000)).toEqual(["fillRect 0 100.5 49999.25 2.5 --c-bad"]);
});

test("a cap is at least 2 px wide and never leaves its lane", () => {
  const narrow = { from: 0, to: 60_000_000, width: 1_000 };
  const [, cap] = drawn([flush(0, 60_000)], { scale: narrow, box: boxOf("localFlush", 100, 8) });
  expect([cap.at[2], cap.at[1] >= 100]).toEqual([2, true]);
});

test("a thin lane has full bars of half their strength, with caps at its upper edge", () => {
  expect(lines([flush(1_000, 60_000)], { box: boxOf("localFlush", 100, 20, false) })).toEqual([
    "fillRect 10 100 599.25 20 --p-disk 0.55",
    "fillRect 10 100 599.25 2.5 --c-bad",
  ]);
});

test("bars give way while a block is selected", () => {
  expect(drawn([flush(1_000, 10_000)], { selected: 0 })[0].alpha).toBe(0.55);
  expect(
    drawn([flush(1_000, 10_000)], { selected: 0, box: boxOf("localFlush", 0, 20, false) })[0].alpha,
  ).toBe(0.303);
});

test("where more contrast is wanted soft bars have an edge", () => {
  const send: BlockInput = { hops: [{ sendStart: 1_000, sendEnd: 11_000 }] };
  const box = boxOf("hop0.send", 100, 104);
  expect(lines([send], { box, edges: true })).toContain("strokeRect 10.5 154.5 98.25 49 --p-disk");
});

test("commits that the local write released have a foot, or their whole bar where releases are shown", () => {
  const box = boxOf("commit", 100, 104);
  const blocks = [1, 2, 0].map((gate, i) => ({ commitStart: i * 20_000, gate }));
  const commits = commitWindow([
    [0, 10_000, 0],
    [20_000, 30_000, 1],
    [40_000, 50_000, 2],
  ]);
  const { context, take } = drawLog();
  const marks = (gates: boolean): string[] => {
    const scene = sceneOf({
      boxes: [box],
      window: blockWindow(blocks),
      commits,
      scale: SCALE,
      level: 1,
      gates,
    });
    paintSkyline(context, scene, box, scene.layouts.get("commit") as Bars);
    return take()
      .map(inOneLine)
      .filter((line) => !line.includes("--wait"));
  };
  expect(marks(false)).toEqual(["fillRect 0 201 99.25 3 --p-disk"]);
  expect(marks(true)).toEqual(["fillRect 0 154 99.25 50 --p-disk", "fillRect 200 154 99.25 50 --s-disk"]);
});
