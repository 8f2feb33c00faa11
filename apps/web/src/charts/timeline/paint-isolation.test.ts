import { describe, expect, test } from "vitest";
import { drawLog, type Drawn } from "../../../test/draw-log.ts";
import { boxOf, laneOf, sceneOf } from "../../../test/scene.ts";
import { binWindow, blockWindow, commitWindow } from "../../../test/window.ts";
import { isolatedColumns } from "./isolated-columns.ts";
import { paintLanes } from "./paint.ts";
import type { Scene } from "./scene.ts";

const BOXES = [boxOf("commit", 0, 40), boxOf("localFlush", 50, 40), boxOf("hop0.secondaryFlush", 100, 40)];
const scale = { from: 0, to: 1_000_000, width: 1_000 };
// A block whose commit waits 200 ms, of which SQL2 writes for 60 ms.
const window = blockWindow([
  {
    localFlushStart: 100_000,
    localFlushEnd: 160_000,
    hops: [{ secondaryFlushStart: 150_000, secondaryFlushEnd: 210_000 }],
  },
]);
const commits = commitWindow([[80_000, 280_000, 0]]);

function painted(more: Partial<Scene>): Drawn[] {
  const { context, take } = drawLog();
  paintLanes(context, sceneOf({ boxes: BOXES, window, commits, scale, level: 1, ...more }));
  return take();
}

describe("an isolated lane", () => {
  const drawn = painted({ isolated: ["hop0.secondaryFlush"] });

  test("keeps its colors and caps, all others keep 28 % and have no caps", () => {
    const covers = drawn.filter(({ color, alpha }) => color === "--surface" && alpha < 1);
    expect(covers.map(({ at, alpha }) => [at[1], alpha])).toEqual([
      [0, 0.72],
      [50, 0.72],
    ]);
    const caps = (of: Drawn[]) =>
      of.filter(({ color }) => color === "--c-bad").map(({ at: [, y] }) => y > 90);
    expect(caps(painted({}))).toContain(false);
    expect(caps(drawn)).toEqual([true]);
  });

  test("stands in the commits where it ran in time, as high as the commit's bar", () => {
    const gray = drawn.find(({ color }) => color === "--wait")!;
    const part = drawn.findLast(({ color }) => color === "--s-disk")!;
    expect([part.at[0], part.at[2]]).toEqual([150, 60]);
    expect([part.at[1], part.at[3]]).toEqual([gray.at[1], gray.at[3]]);
  });

  test("of a commit under a pixel has the strength of its part", () => {
    const far = painted({ isolated: ["hop0.secondaryFlush"], scale: { from: 0, to: 1e9, width: 1_000 } });
    const part = far.findLast(({ color }) => color === "--s-disk")!;
    expect([part.at[2], part.alpha]).toEqual([1, 0.3]);
  });

  test("of none, nothing is set back", () => {
    expect(painted({}).filter(({ color, alpha }) => color === "--surface" && alpha < 1)).toEqual([]);
  });
});

describe("the minimap of isolated lanes", () => {
  const lanes = [laneOf("localFlush"), laneOf("hop0.secondaryFlush")];
  const of = (isolated: typeof lanes) => isolatedColumns(window, isolated, 10, scale)!;

  test("has the longest of them where the block begins, with its place", () => {
    const { slowest, place } = of(lanes);
    expect([slowest[1], place[1]]).toEqual([60_000, "primary"]);
    expect(slowest[2]).toBeNaN();
    expect(of(lanes.slice(1)).place[1]).toBe("secondary");
  });

  test("of the commits alone is none of its own", () => {
    expect(isolatedColumns(window, [laneOf("commit")], 10, scale)).toBeNull();
  });

  test("of bins has their largest", () => {
    const bins = binWindow({ localFlush: { max: [5, 7], p50: [1, 1] } }, { to: 1_000_000 });
    expect([...isolatedColumns(bins, lanes.slice(0, 1), 2, scale)!.slowest]).toEqual([5, 7]);
  });
});
