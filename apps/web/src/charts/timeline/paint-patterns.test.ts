import { expect, test } from "vitest";
import { drawLog, inOneLine } from "../../../test/draw-log.ts";
import { laneOf } from "../../../test/scene.ts";
import { cutOf, paintCut } from "./paint-patterns.ts";

test("bars of an asynchronous secondary are cut, and those of each place where colors are forced", () => {
  expect(cutOf(laneOf("hop0.secondaryFlush"), false)).toBeNull();
  expect(cutOf(laneOf("hop1.secondaryFlush"), false)).toBe("diagonal");
  expect(cutOf(laneOf("hop1.wireOut"), false)).toBe("diagonal");
  // The handling of its acknowledgment on the primary belongs to the primary.
  expect(cutOf(laneOf("hop1.ackReceive"), false)).toBeNull();
  expect(cutOf(laneOf("localFlush"), true)).toBeNull();
  expect(cutOf(laneOf("hop0.wireOut"), true)).toBe("dots");
  expect(cutOf(laneOf("hop1.wireOut"), true)).toBe("dots");
  expect(cutOf(laneOf("hop0.secondaryFlush"), true)).toBe("diagonal");
});

test("dots are 4 px apart, a pixel from the edges", () => {
  const { context, take } = drawLog();
  paintCut(context, "Canvas", "dots", { top: 10, width: 6, height: 6 });
  expect(take().map(inOneLine)).toEqual([
    "fillRect 1 11 1.5 1.5 Canvas",
    "fillRect 5 11 1.5 1.5 Canvas",
    "fillRect 1 15 1.5 1.5 Canvas",
    "fillRect 5 15 1.5 1.5 Canvas",
  ]);
});

test("diagonals are 6 px apart and reach over the whole box", () => {
  const { context, take } = drawLog();
  paintCut(context, "Canvas", "diagonal", { top: 10, width: 8, height: 6 });
  expect(take()).toMatchObject([
    { call: "stroke", color: "Canvas", lineWidth: 1.5, path: "M -6 16 L 0 10 M 0 16 L 6 10 M 6 16 L 12 10" },
  ]);
});
