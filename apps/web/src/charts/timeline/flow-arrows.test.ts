import { expect, it } from "vitest";
import { boxOf, sceneOf } from "../../../test/scene.ts";
import { blockWindow, commitWindow, type BlockInput } from "../../../test/window.ts";
import { networkArrows, releaseArrow, waitingCommits, waitingRects } from "./flow-arrows.ts";
import type { Scene } from "./scene.ts";

/** Log write 1,000 to 3,000 µs; out 1,500 to 2,000; back 5,000 to 6,000; the commits wake up at 6,000. 10 µs per px. */
const block = (gate: number): BlockInput => ({
  gate,
  localFlushStart: 1_000,
  localFlushEnd: 3_000,
  commitEnd: 6_200,
  hops: [
    {
      sendStart: 1_200,
      sendEnd: 1_500,
      received: 2_000,
      secondaryFlushStart: 2_500,
      secondaryFlushEnd: 4_500,
      ackSent: 5_000,
      ackReceived: 6_000,
      ackProcessed: 6_100,
    },
  ],
});

const BOXES = [
  boxOf("commit", 0, 40),
  boxOf("localFlush", 50, 40),
  boxOf("hop0.wireOut", 100, 60),
  boxOf("hop0.wireBack", 170, 60),
  boxOf("hop0.ackReceive", 240, 20),
];

/** Two commits wait for the block at position 0, one for the other. */
const COMMITS = commitWindow([
  [500, 6_200, 0],
  [700, 6_300, 1],
  [900, 6_200, 0],
]);

const scene = (gate: number, more: Partial<Scene> = {}, commits = COMMITS): Scene =>
  sceneOf({ boxes: BOXES, window: blockWindow([block(gate), block(gate)]), commits, selected: 0, ...more });

it("the ack that released the commits has an arrow from its own lane up to them", () => {
  expect(releaseArrow(scene(2))).toEqual({ x0: 620.5, x1: 620.5, y0: 240, y1: 40 });
});

it("a local log write that released them has the arrow at its end", () => {
  expect(releaseArrow(scene(1))).toEqual({ x0: 300.5, x1: 300.5, y0: 50, y1: 40 });
});

it("there is none where no commit waits, nothing released it, its secondary has no lane, or out of view", () => {
  expect(releaseArrow(scene(2, {}, commitWindow([])))).toBeNull();
  expect(releaseArrow(scene(0))).toBeNull();
  expect(releaseArrow(scene(3))).toBeNull();
  const until = (to: number): Scene => scene(2, { scale: { from: 0, to, width: 1_000 } });
  expect(releaseArrow(until(6_100))).toBeNull();
  expect(releaseArrow(until(6_300))).not.toBeNull();
});

it("beside the commits the way back alone has it, a log write alone, which ends before the ack, has none", () => {
  const below = (key: string): Scene => scene(2, { boxes: [BOXES[0], boxOf(key, 50, 46)] });
  expect(releaseArrow(below("hop0.wireBack"))).toMatchObject({ x0: 600.5, y0: 50, y1: 40 });
  expect(releaseArrow(below("hop0.secondaryFlush"))).toBeNull();
});

it("an instant that no file has makes no arrow", () => {
  const window = blockWindow([{ gate: 1, localFlushStart: 1_000 }]);
  expect(releaseArrow(sceneOf({ boxes: BOXES, window, commits: COMMITS, selected: 0 }))).toBeNull();
});

it("send leads down to receive and back up, over bars only: slopes have their arrows", () => {
  expect(networkArrows(scene(2, { level: 1 }))).toEqual([
    { x0: 150, x1: 200, y0: 100, y1: 160 },
    { x0: 500, x1: 600, y0: 230, y1: 170 },
  ]);
  expect(networkArrows(scene(2, { level: 2 }))).toEqual([]);
});

it("a leg out of view has no arrow", () => {
  const view = { level: 1, scale: { from: 2_100, to: 12_100, width: 1_000 } } as const;
  expect(networkArrows(scene(2, view))).toEqual([{ x0: 290, x1: 390, y0: 230, y1: 170 }]);
});

it("finds the commits that wait for a block, and none for no block", () => {
  const { buffer } = scene(2);
  expect(waitingCommits(buffer, 0)).toEqual([0, 2]);
  expect(waitingCommits(buffer, 1)).toEqual([1]);
  expect(waitingCommits(buffer, -1)).toEqual([]);
});

it("marks each of them where single bars are drawn", () => {
  expect(waitingRects(scene(2)).map(({ x, width }) => [x, width])).toEqual([
    [50, 570],
    [90, 530],
  ]);
  expect(waitingRects(scene(2, { level: 1 }))).toEqual([]);
  // A view in which no commit waits any more, and one with only the other block's commits.
  expect(waitingRects(scene(2, { scale: { from: 6_400, to: 7_400, width: 1_000 } }))).toEqual([]);
  expect(waitingRects(scene(2, { scale: { from: 6_250, to: 7_250, width: 1_000 } }))).toEqual([]);
});
