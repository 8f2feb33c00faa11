import { expect, test } from "vitest";
import { drawLog, inOneLine, type Drawn } from "../../../test/draw-log.ts";
import { boxOf } from "../../../test/scene.ts";
import { NAMED } from "../../../test/tokens.ts";
import { paintHeat, type HeatScene } from "./paint-heat.ts";

const none = Number.NaN;
/** 100 px for four decades. */
const TALL = boxOf("localFlush", 0, 104);
const THIN = boxOf("hop0.send", 50, 18, false);
const SCENE: HeatScene = { selected: -1, chosen: null, tokens: NAMED, patterns: false, scale: { width: 4 } };

function drawn(p50: readonly number[], max: readonly number[], box = TALL, scene = SCENE): Drawn[] {
  const { context, take } = drawLog();
  paintHeat(context, scene, box, { p50: Float64Array.from(p50), max: Float64Array.from(max) });
  return take();
}

const lines = (...given: Parameters<typeof drawn>): string[] => drawn(...given).map(inOneLine);

test("a tall lane has a pale fill up to the median, strokes up to the maximum, and the median as a line", () => {
  expect(lines([10_000, none, 100, 100], [40_000, 1_000, none, 100])).toEqual([
    "fill M 0 104 L 0 54 L 1 54 L 1 104 Z M 2 104 L 2 102 L 3 102 L 3 102 L 4 102 L 4 104 Z --p-disk 0.3",
    // From 10 ms up to 40 ms: log10(4) / 4 of 100 px; 1 ms alone from the floor up.
    "fill M 0 54 L 0 38.949 L 1 38.949 L 1 79 L 2 79 L 2 104 L 1 104 L 1 54 Z --p-disk 0.62",
    // 1.5 px around the median; the line starts again after a gap.
    "fill M 0 54.75 L 0 53.25 L 1 53.25 L 1 54.75 Z M 2 102.75 L 2 101.25 L 3 101.25 L 3 101.25 L 4 101.25 L 4 102.75 Z --p-disk",
  ]);
});

test("the line of medians stays whole where it rises and falls", () => {
  // 79, 54 and 79 px from the lane's top.
  const [, line] = drawn([1_000, 10_000, 1_000], [none, none, none]);
  expect(line.path).toBe("M 0 79.75 L 0 53.25 L 1 53.25 L 1 53.25 L 2 53.25 L 2 78.25 L 3 78.25 L 3 79.75 Z");
});

test("a maximum over the lane's cap is crimson at its top, 1 px above it, inside the lane", () => {
  const caps = (us: number): string[] => lines([none], [us]).filter((line) => line.includes("--c-bad"));
  expect(caps(50_000)).toEqual([]);
  expect(caps(100_000)).toEqual(["fillRect 0 25.5 1 2.5 --c-bad"]);
  expect(caps(1_000_000)).toEqual(["fillRect 0 0.5 1 2.5 --c-bad"]);
});

test("a thin lane is as strong as the maximum of two pixels, on a log scale from 10 µs to 100 ms", () => {
  const strengths = lines([none, none, none, none, none], [10, none, 100, 1_000, none], THIN);
  expect(strengths).toEqual(["fillRect 0 50 2 18 --p-work 0.18", "fillRect 2 50 2 18 --p-work 0.59"]);
  const alphas = [1, 10, 100_000, 9_000_000].map((us) => drawn([none], [us], THIN)[0].alpha);
  expect(alphas).toEqual([0.18, 0.18, 1, 1]);
});

test("a thin lane's caps are at its upper edge", () => {
  expect(lines([none, none], [none, 1_001], THIN).at(-1)).toBe("fillRect 1 50 1 2.5 --c-bad");
  expect(lines([none, none], [none, 1_000], THIN).at(-1)).not.toContain("--c-bad");
});

test("lanes give way to a selected block, whether it is loaded or not", () => {
  expect(drawn([none], [1_000], TALL, { ...SCENE, selected: 3 })[0].alpha).toBe(0.372);
  expect(drawn([none], [1_000], TALL, { ...SCENE, chosen: new Map() })[0].alpha).toBe(0.372);
  // Caps keep their strength.
  expect(drawn([none], [100_000], TALL, { ...SCENE, selected: 3 }).at(-1)).toMatchObject({
    color: "--c-bad",
    alpha: 1,
  });
});

test("lanes of an asynchronous secondary are cut", () => {
  const calls = drawn([100, 100, 100, 100], [100, 100, 100, 100], boxOf("hop1.secondaryFlush", 0, 12));
  expect(calls.find(({ color }) => color === "--surface")).toMatchObject({
    call: "stroke",
    lineWidth: 1.5,
    // 45 degrees over the entire lane, 6 px apart.
    path: "M -12 12 L 0 0 M -6 12 L 6 0 M 0 12 L 12 0",
  });
});
