import { describe, expect, it } from "vitest";
import { drawLog, inOneLine, type Drawn } from "../../../test/draw-log.ts";
import { boxOf, sceneOf } from "../../../test/scene.ts";
import { blockWindow, type BlockInput } from "../../../test/window.ts";
import type { Bars } from "./layout.ts";
import { paintBlocks } from "./paint-blocks.ts";
import { isClear, slopeLabel } from "./paint-slopes.ts";
import type { Scene } from "./scene.ts";

const out = (sendEnd: number, received: number): BlockInput => ({ hops: [{ sendEnd, received }] });
const back = (ackSent: number, ackReceived: number): BlockInput => ({ hops: [{ ackSent, ackReceived }] });

function drawn(key: string, blocks: readonly BlockInput[], more: Partial<Scene> = {}): Drawn[] {
  const { context, take } = drawLog();
  const box = boxOf(key, 200, 100);
  const scene = sceneOf({ boxes: [box], window: blockWindow(blocks), ...more });
  paintBlocks(context, scene, box, scene.layouts.get(key) as Bars);
  return take();
}

const figures = (calls: readonly Drawn[]): string[] =>
  calls.filter(({ call }) => call === "fillText").map((each) => inOneLine(each).replace("\u2009", " "));

describe("legs of the network", () => {
  it("fall from the primary to the secondary with an arrowhead at their end", () => {
    const [area, line, head] = drawn("hop0.wireOut", [out(1_000, 3_000)]);
    expect(inOneLine(area)).toBe("fill M 100 200 L 300 200 L 300 300 --n-out 0.16");
    expect(line).toMatchObject({
      call: "stroke",
      path: "M 100 200 L 300 300",
      color: "--n-out",
      alpha: 0.9,
      lineWidth: 1.5,
    });
    expect(line.dash).toBeUndefined();
    // Both wings are 6 px from the tip, to either side of the line.
    const [tip, ...wings] = head
      .path!.split(/[ML] /u)
      .slice(1)
      .map((point) => point.trim().split(" ").map(Number));
    expect([tip, head.color]).toEqual([[300, 300], "--n-out"]);
    expect(wings.map(([x, y]) => Number(Math.hypot(x - 300, y - 300).toFixed(2)))).toEqual([6, 6]);
    expect(wings.map(([x, y]) => Math.sign(100 * (x - 300) - 200 * (y - 300)))).toEqual(
      [1, -1].map((n) => -n),
    );
  });

  it("rise back", () => {
    const [area, line] = drawn("hop0.wireBack", [back(1_000, 3_000)]);
    expect(inOneLine(area)).toBe("fill M 100 300 L 300 200 L 300 300 --n-back 0.16");
    expect(line.path).toBe("M 100 300 L 300 200");
  });

  it("of an asynchronous secondary are dashed", () => {
    const asynchronous = [{ hops: [{}, { sendEnd: 1_000, received: 3_000 }] }];
    const strokes = drawn("hop1.wireOut", asynchronous).filter(({ call }) => call === "stroke");
    expect(strokes.map(({ dash }) => dash)).toEqual(["5 3"]);
  });

  it("of the selected block are strong, others give way", () => {
    const looks = drawn("hop0.wireOut", [out(1_000, 3_000), out(4_000, 6_000)], { selected: 1 })
      .filter(({ call, at }) => call !== "fillText" && at.length === 0)
      .map(({ call, alpha, lineWidth }) => [call, alpha, lineWidth]);
    expect(looks).toEqual([
      ["fill", 0.1, undefined],
      ["stroke", 0.6, 1.5],
      ["fill", 0.6, undefined],
      ["fill", 0.3, undefined],
      ["stroke", 1, 2.5],
      ["fill", 1, undefined],
    ]);
  });

  it("are all drawn, however many lie over each other", () => {
    const many = Array.from({ length: 5 }, (_, i) => out(1_000 + i, 9_000));
    expect(drawn("hop0.wireOut", many).filter(({ call }) => call === "stroke")).toHaveLength(5);
  });
});

describe("figures of slopes", () => {
  it("are written on the middle of the line with a halo, those of rising ones below it", () => {
    const calls = drawn("hop0.wireOut", [out(1_000, 3_000)]);
    expect(figures(calls)).toEqual(['fillText "2.00 ms" 208 250 --n-ink']);
    expect(calls.at(-2)).toMatchObject({
      call: "strokeText",
      at: [208, 250],
      color: "--surface",
      lineWidth: 3,
    });
    expect(figures(drawn("hop0.wireBack", [back(1_000, 3_000)]))).toEqual([
      'fillText "2.00 ms" 208 258 --n-ink',
    ]);
  });

  it("need more than 90 px of their line in view, but for the selected block", () => {
    expect(figures(drawn("hop0.wireOut", [out(1_000, 1_900)]))).toEqual([]);
    expect(figures(drawn("hop0.wireOut", [out(1_000, 1_910)]))).toHaveLength(1);
    expect(figures(drawn("hop0.wireOut", [out(1_000, 1_100)], { selected: 0 }))).toEqual([
      'fillText "100 µs" 116 250 --n-ink',
    ]);
  });

  it("are not written over each other, the selected block's first", () => {
    const blocks = [out(1_000, 3_000), out(1_200, 3_200), out(5_000, 7_100)];
    expect(figures(drawn("hop0.wireOut", blocks))).toEqual([
      'fillText "2.00 ms" 208 250 --n-ink',
      'fillText "2.10 ms" 613 250 --n-ink',
    ]);
    expect(figures(drawn("hop0.wireOut", blocks, { selected: 1 }))).toEqual([
      'fillText "2.00 ms" 228 250 --n-ink',
      'fillText "2.10 ms" 613 250 --n-ink',
    ]);
  });

  it("are none where a raw clock turns cause and effect around", () => {
    expect(figures(drawn("hop0.wireOut", [out(3_000, 1_000)], { selected: 0 }))).toEqual([]);
  });

  it("stay inside the lane and the plot", () => {
    // The visible part of a leg from -100 to 20 ms is the full plot; its middle is 105 / 120 of the way down.
    const [line] = figures(
      drawn("hop0.wireOut", [out(-100_000, 20_000)], { scale: { from: 0, to: 10_000, width: 1_000 } }),
    );
    expect(line).toBe('fillText "120 ms" 508 287.5 --n-ink');
    expect(figures(drawn("hop0.wireOut", [out(9_900, 9_990)], { selected: 0 }))).toEqual([
      'fillText "90 µs" 940 250 --n-ink',
    ]);
    expect(figures(drawn("hop0.wireOut", [out(9_000, 900_000)]))).toEqual([
      'fillText "891 ms" 940 214 --n-ink',
    ]);
  });
});

it("a slope's figure belongs to what is in view of it", () => {
  // The part from 0 to 500 of a slope from -300 to 500 px is visible; its middle is 550 / 800 of the way down.
  expect(slopeLabel({ x0: -300, x1: 500, y0: 100, y1: 180 }, 800)).toEqual({ x: 258, y: 155, visible: 500 });
  expect(slopeLabel({ x0: 100, x1: 120, y0: 100, y1: 180 }, 800)).toEqual({ x: 126, y: 140, visible: 20 });
  expect(slopeLabel({ x0: 900, x1: 1000, y0: 100, y1: 180 }, 800)).toBeNull();
  expect(slopeLabel({ x0: -900, x1: -100, y0: 100, y1: 180 }, 800)).toBeNull();
  expect(slopeLabel({ x0: Number.NaN, x1: 100, y0: 100, y1: 180 }, 800)).toBeNull();
});

it("two figures keep 56 px beside or 14 px below each other", () => {
  const taken = [{ x: 100, y: 50 }];
  expect([155, 156].map((x) => isClear(taken, { x, y: 50 }))).toEqual([false, true]);
  expect([45, 44].map((x) => isClear(taken, { x, y: 50 }))).toEqual([false, true]);
  expect([63, 64].map((y) => isClear(taken, { x: 100, y }))).toEqual([false, true]);
  expect(isClear([], { x: 0, y: 0 })).toBe(true);
});
