import { expect, test } from "vitest";
import { binWindow, blockWindow, commitWindow } from "../../../test/window.ts";
import { nearestBlockEdge } from "./block-edges.ts";
import { buildBuffer } from "./spans.ts";

const buffer = buildBuffer(
  blockWindow([
    { localFlushStart: 1_000, localFlushEnd: 3_000 },
    { localFlushStart: 3_500, localFlushEnd: 9_000 },
  ]),
  commitWindow([]),
  [],
  [],
);

test("the nearest first or last instant of a block within the distance, else the instant itself", () => {
  expect(nearestBlockEdge(buffer, 1_090, 100)).toBe(1_000);
  expect(nearestBlockEdge(buffer, 900, 100)).toBe(1_000);
  expect(nearestBlockEdge(buffer, 899, 100)).toBe(899);
  expect(nearestBlockEdge(buffer, 3_200, 400)).toBe(3_000);
  expect(nearestBlockEdge(buffer, 3_300, 400)).toBe(3_500);
  expect(nearestBlockEdge(buffer, 9_050, 100)).toBe(9_000);
});

test("without single blocks nothing snaps", () => {
  expect(nearestBlockEdge(null, 5, 100)).toBe(5);
  const bins = buildBuffer(binWindow({ localFlush: { max: [1], p50: [1] } }), commitWindow([]), [], []);
  expect(nearestBlockEdge(bins, 5, 1e6)).toBe(5);
});
