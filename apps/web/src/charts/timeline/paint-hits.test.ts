import { describe, expect, test } from "vitest";
import { drawLog, type Drawn } from "../../../test/draw-log.ts";
import { boxOf, LANES, sceneOf } from "../../../test/scene.ts";
import { blockWindow, commitWindow, type BlockInput } from "../../../test/window.ts";
import { layoutLane, type Bars, type Heat } from "./layout.ts";
import { onlyRows, thresholdTop, widened } from "./paint-hits.ts";
import { paintLanes } from "./paint.ts";
import type { Hits, Scene } from "./scene.ts";
import { buildBuffer } from "./spans.ts";

const BOX = boxOf("localFlush", 10, 40);
/** Log writes by begin and duration, µs, on 1 s and 1,000 px. */
const writes = (...periods: [number, number][]): BlockInput[] =>
  periods.map(([at, us]) => ({ localFlushStart: at, localFlushEnd: at + us }));
const ALL = writes([100_000, 60_000], [500_000, 60_000]);
const scale = { from: 0, to: 1_000_000, width: 1_000 };
const buffer = (given: BlockInput[]) => buildBuffer(blockWindow(given), commitWindow([]), LANES, []);

function hitsOf(given: BlockInput[], more: Partial<Hits> = {}): Hits {
  const own = buffer(given);
  return {
    buffer: own,
    layouts: new Map([["localFlush", widened(layoutLane(own, BOX.lane, scale, 1))]]),
    threshold: null,
    ...more,
  };
}

function painted(more: Partial<Scene>): Drawn[] {
  const { context, take } = drawLog();
  paintLanes(context, sceneOf({ boxes: [BOX], window: blockWindow(ALL), scale, level: 1, ...more }));
  return take();
}

const bars = (drawn: Drawn[]) => drawn.filter(({ color }) => color === "--p-disk");

describe("hits over other blocks", () => {
  const drawn = painted({ hits: hitsOf(ALL.slice(1)) });

  test("all blocks are drawn, covered to a fifth of their color, and the hits again over them", () => {
    const cover = drawn.findIndex(({ color, alpha }) => color === "--surface" && alpha < 1);
    expect(drawn[cover]).toMatchObject({ at: [0, 10, 1_000, 40], alpha: 0.8 });
    expect(bars(drawn.slice(0, cover)).map(({ at: [x] }) => x)).toEqual([100, 500]);
    expect(bars(drawn.slice(cover)).map(({ at: [x] }) => x)).toEqual([500]);
  });

  test("only hits have caps", () => {
    const caps = (of: Drawn[]) => of.filter(({ color }) => color === "--c-bad").map(({ at: [x] }) => x);
    expect(caps(painted({}))).toEqual([100, 500]);
    expect(caps(drawn)).toEqual([500]);
  });

  test("a hit is at least 2 px wide, another block as wide as it is long", () => {
    const short = writes([100_000, 100], [500_000, 100]);
    const own = painted({
      ...sceneOf({ boxes: [BOX], window: blockWindow(short), scale, level: 1 }),
      hits: hitsOf(short.slice(1)),
    });
    expect(bars(own).map(({ at: [x, , width] }) => [x, width])).toEqual([
      [100, 1],
      [500, 1],
      [500, 2],
    ]);
  });

  test("where each block has its own bar, hits keep their place and only they have figures", () => {
    const scene = sceneOf({
      boxes: [BOX],
      window: blockWindow(ALL),
      scale: { ...scale, width: 4_000 },
      level: 2,
    });
    const among = onlyRows(scene.layouts.get("localFlush") as Bars, scene.buffer, "localFlush", new Set([1]));
    expect([among.count, among.x[0]]).toEqual([1, 2_000]);
    const hits: Hits = { buffer: scene.buffer, layouts: new Map([["localFlush", among]]), threshold: null };
    const { context, take } = drawLog();
    paintLanes(context, { ...scene, hits });
    const figures = take().filter(({ call }) => call === "fillText");
    expect(figures.map(({ at: [x] }) => x)).toEqual([2_006]);
  });
});

test("columns of hits go on into an empty one, and not into one that has its own", () => {
  const none = Number.NaN;
  const heat: Heat = {
    kind: "heat",
    max: Float64Array.of(none, 5, none, none, 7, 9),
    p50: Float64Array.of(none, 4, none, none, 6, 8),
    entry: Int32Array.of(-1, 2, -1, -1, 3, 4),
  };
  const wide = widened(heat) as Heat;
  expect([...wide.max]).toEqual([none, 5, 5, none, 7, 9]);
  expect([...wide.entry]).toEqual([-1, 2, 2, -1, 3, 4]);
});

test("the threshold is a line in tall lanes of its stage, while heights are durations", () => {
  const threshold = { us: 100_000, lanes: ["localFlush"] };
  // 10 ms are half of the height, 100 ms three quarters (docs/contribute/design.md 8).
  expect(thresholdTop(BOX, 1, threshold)).toBe(20);
  expect(thresholdTop(BOX, 2, threshold)).toBeNull();
  expect(thresholdTop({ ...BOX, tall: false }, 1, threshold)).toBeNull();
  expect(thresholdTop(boxOf("commit", 10, 40), 1, threshold)).toBeNull();
  const line = painted({ hits: hitsOf(ALL.slice(1), { threshold }) }).find(({ dash }) => dash === "3 3");
  expect(line).toMatchObject({ call: "stroke", color: "--ink", path: "M 0 20.5 L 1000 20.5" });
});
