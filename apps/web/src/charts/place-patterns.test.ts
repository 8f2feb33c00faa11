import { expect, test } from "vitest";
import { drawLog } from "../../test/draw-log.ts";
import type { Tokens } from "../lanes/palette.ts";
import { PlacedBars } from "./place-patterns.ts";

function bars(): PlacedBars {
  const placed = new PlacedBars();
  placed.add("primary", 0, 0, 4, 8);
  placed.add("network", 4, 0, 4, 8);
  placed.add("secondary", 8, 2, 4, 6);
  placed.add("secondary", 12, 2, 4, 6);
  return placed;
}

test("forced colors cut the bars of each place by its pattern; the primary stays solid", () => {
  const { context, take } = drawLog();
  bars().cut(context, { "--n-out": "CanvasText", "--surface": "Canvas" } as Tokens, 16, 8);
  const cuts = take();
  const clips = (call: string): Set<string> =>
    new Set(cuts.filter((cut) => cut.call === call).flatMap(({ clip }) => clip));
  expect(clips("fillRect")).toEqual(new Set(["R 4 0 4 8"]));
  expect(clips("stroke")).toEqual(new Set(["R 8 2 4 6 R 12 2 4 6"]));
  expect(cuts.every(({ color, alpha }) => color === "Canvas" && alpha === 1)).toBe(true);
});

test("where colors are the product's own, nothing is cut", () => {
  const { context, take } = drawLog();
  bars().cut(context, { "--n-out": "#cf6200", "--surface": "#ffffff" } as Tokens, 16, 8);
  expect(take()).toEqual([]);
});
