import { describe, expect, it } from "vitest";
import { drawLog, inOneLine, type Drawn } from "../../../test/draw-log.ts";
import { boxOf, laneOf, sceneOf } from "../../../test/scene.ts";
import { themeTokens } from "../../../test/tokens.ts";
import { blockWindow, commitWindow, type BlockInput } from "../../../test/window.ts";
import { forcedTokens } from "./forced-colors.ts";
import { fadeOf } from "./paint-bars.ts";
import { paintBlocks } from "./paint-blocks.ts";
import type { Bars } from "./layout.ts";
import type { Scene } from "./scene.ts";

const thin = (text: string): string => text.replaceAll(" ms", "\u2009ms").replaceAll(" µs", "\u2009µs");

/** Drawing calls of a lane's painter, in order. */
function drawn(scene: Scene, key: string): Drawn[] {
  const { context, take } = drawLog();
  const box = scene.boxes.find(({ lane }) => lane.key === key)!;
  paintBlocks(context, scene, box, scene.layouts.get(key) as Bars);
  return take();
}

const lines = (scene: Scene, key: string): string[] => drawn(scene, key).map(inOneLine);

const flush = (localFlushStart: number, localFlushEnd: number): BlockInput => ({
  localFlushStart,
  localFlushEnd,
});
const WRITE = boxOf("localFlush", 100, 40);

describe("bars of log writes", () => {
  const blocks = [flush(1_000, 3_000), flush(5_000, 5_004), flush(7_000, 7_030), flush(8_000, 8_031)];
  const scene = (more: Partial<Scene> = {}): Scene =>
    sceneOf({ boxes: [WRITE], window: blockWindow(blocks), ...more });

  it("are as long as they took, at least a pixel, wide ones with a hair of space, with their duration where it has room", () => {
    expect(lines(scene(), "localFlush")).toEqual([
      "fillRect 100 100 199.5 40 --p-disk 0.92",
      "fillRect 500 100 1 40 --p-disk 0.92",
      "fillRect 700 100 3 40 --p-disk 0.92",
      "fillRect 800 100 2.6 40 --p-disk 0.92",
      thin('fillText "2.00 ms" 106 124 --on-strong'),
    ]);
  });

  it("dim when another block is selected, and so does the ground of their figures", () => {
    expect(lines(scene({ selected: 1 }), "localFlush")).toEqual([
      "fillRect 100 100 199.5 40 --p-disk 0.5",
      "fillRect 500 100 1 40 --p-disk",
      "fillRect 700 100 3 40 --p-disk 0.5",
      "fillRect 800 100 2.6 40 --p-disk 0.5",
      thin('fillText "2.00 ms" 106 124 --ink'),
    ]);
    expect(lines(scene({ selected: 0 }), "localFlush").at(-1)).toBe(
      thin('fillText "2.00 ms" 106 124 --on-strong'),
    );
  });

  it("say their duration from 60 px in view on, where the lane is 14 px high, inside the plot", () => {
    const words = (from: number, to: number, height = 40): string[] =>
      lines(
        sceneOf({ boxes: [boxOf("localFlush", 100, height)], window: blockWindow([flush(from, to)]) }),
        "localFlush",
      ).filter((line) => line.startsWith("fillText"));
    expect(words(1_000, 1_599)).toEqual([]);
    expect(words(1_000, 1_600)).toHaveLength(1);
    expect(words(1_000, 3_000, 14)).toHaveLength(1);
    expect(words(1_000, 3_000, 13)).toEqual([]);
    // The bars begin 1 ms before the view; 59 and 60 px of them are visible.
    expect(words(-1_000, 590)).toEqual([]);
    expect(words(-1_000, 600)).toEqual([thin('fillText "1.60 ms" 6 124 --on-strong')]);
    expect(words(9_401, 20_000)).toEqual([]);
    expect(words(9_400, 20_000)).toHaveLength(1);
    // A high lane keeps the figure near its top.
    expect(words(1_000, 3_000, 90)).toEqual([thin('fillText "2.00 ms" 106 130 --on-strong')]);
  });

  it("carry a crimson cap above 50 ms", () => {
    const caps = (us: number): string[] =>
      lines(
        sceneOf({
          boxes: [WRITE],
          window: blockWindow([flush(10_000, 10_000 + us)]),
          scale: { from: 0, to: 100_000, width: 1_000 },
        }),
        "localFlush",
      ).filter((line) => line.includes("--c-bad"));
    expect(caps(50_000)).toEqual([]);
    expect(caps(60_000)).toEqual(["fillRect 100 100 600 2.5 --c-bad"]);
  });

  it("stand below each other where they overlap, a pixel apart, and count those that find no room", () => {
    const four = [flush(0, 5_000), flush(1_000, 6_000), flush(2_000, 7_000), flush(3_000, 8_000)];
    const boxes = [boxOf("localFlush", 100, 60)];
    expect(lines(sceneOf({ boxes, window: blockWindow(four) }), "localFlush")).toEqual([
      "fillRect 0 100 499.5 19 --p-disk 0.92",
      "fillRect 100 120 499.5 19 --p-disk 0.92",
      "fillRect 200 140 499.5 19 --p-disk 0.92",
      thin('fillText "5.00 ms" 6 113.5 --on-strong'),
      thin('fillText "5.00 ms" 106 133.5 --on-strong'),
      thin('fillText "5.00 ms" 206 153.5 --on-strong'),
      'fillText "+ 1" 966 155 --ink-2',
    ]);
  });

  it("have a halo around their figures where colors are forced", () => {
    const forced = drawn(scene({ patterns: true, tokens: forcedTokens(themeTokens("dark")) }), "localFlush");
    expect(forced.slice(-2)).toMatchObject([
      { call: "strokeText", color: "CanvasText", lineWidth: 4, at: [106, 124] },
      { call: "fillText", color: "Canvas", at: [106, 124] },
    ]);
    const others = drawn(scene({ patterns: true, selected: 1 }), "localFlush");
    expect(others.at(-2)).toMatchObject({ call: "strokeText", color: "--surface" });
  });
});

describe("bars of an asynchronous secondary", () => {
  it("have a halo of the ground around their figures: they are cut", () => {
    const [block] = [{ hops: [{ secondaryFlushStart: 1_000, secondaryFlushEnd: 3_000 }] }];
    const box = boxOf("hop0.secondaryFlush", 100, 40);
    const boxes = [{ ...box, lane: { ...box.lane, asynchronous: true } }];
    const figures = drawn(sceneOf({ boxes, window: blockWindow([block]) }), "hop0.secondaryFlush").slice(-2);
    expect(figures).toMatchObject([
      { call: "strokeText", color: "--surface", lineWidth: 4 },
      { call: "fillText", color: "--ink" },
    ]);
  });
});

describe("bars on a secondary's clock", () => {
  const write = (secondaryFlushStart: number, secondaryFlushEnd: number): BlockInput => ({
    hops: [{ secondaryFlushStart, secondaryFlushEnd }],
  });
  const scene = (halfUs: number, block: BlockInput, more: Partial<Scene> = {}): Scene =>
    sceneOf({
      boxes: [boxOf("hop0.secondaryFlush", 100, 40)],
      window: blockWindow([block]),
      uncertainty: [halfUs],
      ...more,
    });
  const solid = "color-mix(in srgb, --s-disk 0%, transparent)";

  it("fade over the uncertainty to both sides, with the figure where they are solid", () => {
    // 100 µs are 10 px: the bar from 100 to 300 px reaches from 90 to 310, full from 110 on.
    expect(lines(scene(100, write(1_000, 3_000)), "hop0.secondaryFlush")).toEqual([
      `fillRect 90 100 220 40 gradient 90 0 310 0: 0 ${solid}, 0.091 --s-disk, 0.909 --s-disk, 1 ${solid} 0.92`,
      thin('fillText "2.00 ms" 116 124 --on-strong'),
    ]);
  });

  it("become a smear when they are shorter than it, densest at the estimate", () => {
    const [smear] = drawn(scene(100, write(1_000, 1_100)), "hop0.secondaryFlush");
    expect(smear.at).toEqual([90, 100, 30, 40]);
    expect(smear.color).toContain("0.5 --s-disk, 0.5 --s-disk");
  });

  it("are solid where a fade would not be seen, or the clock is not known", () => {
    for (const half of [10, 0, Number.NaN])
      expect(lines(scene(half, write(1_000, 1_500)), "hop0.secondaryFlush")).toEqual([
        "fillRect 100 100 49.5 40 --s-disk 0.92",
      ]);
    expect(drawn(scene(11, write(1_000, 1_500)), "hop0.secondaryFlush")[0].color).toContain("gradient");
  });

  it("fade to nothing in each theme's own color", () => {
    const [first] = drawn(
      scene(100, write(1_000, 3_000), { tokens: themeTokens("light") }),
      "hop0.secondaryFlush",
    );
    expect(first.color).toContain("0 #0a7a6800, 0.091 #0a7a68, 0.909 #0a7a68, 1 #0a7a6800");
    const [dark] = drawn(
      scene(100, write(1_000, 3_000), { tokens: themeTokens("dark") }),
      "hop0.secondaryFlush",
    );
    expect(dark.color).toContain("#2fc7aa00");
  });

  it("fade by their own secondary's clock, and not on the primary's or the network's lanes", () => {
    const scale = { from: 0, to: 10_000, width: 1_000 };
    const fades = ["localFlush", "hop0.wireOut", "hop0.secondaryAppend", "hop1.acknowledge"].map((key) =>
      fadeOf({ uncertainty: [100, 300], scale }, laneOf(key)),
    );
    expect(fades).toEqual([0, 0, 10, 30]);
    expect(fadeOf({ uncertainty: [100], scale }, laneOf("hop1.acknowledge"))).toBe(0);
  });

  it("have an edge in the strong color of their place where more contrast is wanted and their own is soft", () => {
    const ack = { hops: [{ secondaryFlushEnd: 1_000, ackSent: 1_500 }] };
    const boxes = [boxOf("hop0.acknowledge", 100, 40)];
    const edges = (wanted: boolean): string[] =>
      lines(sceneOf({ boxes, window: blockWindow([ack]), edges: wanted }), "hop0.acknowledge");
    expect(edges(true)).toEqual([
      "fillRect 100 100 49.5 40 --s-work 0.92",
      "strokeRect 100.5 100.5 49 39 --s-disk 0.92",
    ]);
    expect(edges(false)).toHaveLength(1);
    expect(lines(scene(0, write(1_000, 1_500), { edges: true }), "hop0.secondaryFlush")).toHaveLength(1);
  });
});

describe("bars of commits", () => {
  const scene = (
    gates: readonly number[],
    commits: readonly (readonly [number, number])[],
    shown = false,
  ): Scene =>
    sceneOf({
      boxes: [boxOf("commit", 100, 40)],
      window: blockWindow(gates.map((gate, i) => ({ commitStart: 1_000 * (i + 1), gate }))),
      commits: commitWindow(commits.map(([start, end], row) => [start, end, row] as const)),
      gates: shown,
    });

  it("end in the color of what released them: the local write, a secondary, or nothing that is known", () => {
    const commits = [
      [1_000, 1_500],
      [3_000, 3_500],
      [5_000, 5_500],
      [7_000, 7_500],
    ] as const;
    expect(lines(scene([1, 2, 3, 0], commits), "commit")).toEqual([
      "fillRect 100 100 49.5 40 --wait 0.75",
      "fillRect 146 100 4 40 --p-disk",
      "fillRect 300 100 49.5 40 --wait 0.75",
      "fillRect 346 100 4 40 --s-disk",
      "fillRect 500 100 49.5 40 --wait 0.75",
      "fillRect 546 100 4 40 --s-disk",
      "fillRect 700 100 49.5 40 --wait 0.75",
    ]);
  });

  it("are colored whole where that is asked for", () => {
    expect(lines(scene([1], [[1_000, 1_500]], true), "commit")).toEqual([
      "fillRect 100 100 49.5 40 --wait 0.75",
      "fillRect 100 100 50 40 --p-disk",
    ]);
  });

  it("have figures that are readable on the color of what released them, chosen or not", () => {
    const words = (gate: number, shown: boolean, selected = -1): unknown => {
      const calls = drawn({ ...scene([gate], [[1_000, 2_000]], shown), selected }, "commit");
      return calls.find(({ call }) => call === "fillText")?.color;
    };
    expect(words(2, true)).toBe("--on-strong");
    expect(words(1, true, 5)).toBe("--on-strong");
    expect(words(0, true)).toBe("--ink");
    expect(words(2, false)).toBe("--ink");
  });

  it("have no mark where it would be all of them", () => {
    expect(lines(scene([1], [[1_000, 1_059]]), "commit")).toHaveLength(1);
    expect(lines(scene([1], [[1_000, 1_060]]), "commit")).toHaveLength(2);
  });

  it("of a block that is not loaded have none either", () => {
    const unknown = sceneOf({
      boxes: [boxOf("commit", 100, 40)],
      window: blockWindow([{ commitStart: 1_000, gate: 1 }]),
      commits: commitWindow([[1_000, 1_500, -1]]),
    });
    expect(lines(unknown, "commit")).toEqual(["fillRect 100 100 49.5 40 --wait 0.75"]);
  });
});

describe("wake-ups", () => {
  const BOX = boxOf("hop0.ackReceive", 400, 24);
  const back = (ackReceived: number, ackProcessed: number, more: BlockInput): BlockInput => ({
    hops: [{ ackReceived, ackProcessed }],
    ...more,
  });
  const scene = (block: BlockInput, more: Partial<Scene> = {}): Scene =>
    sceneOf({ boxes: [BOX], window: blockWindow([block]), ...more });

  it("are gray from the acknowledgment that released the commits to their end", () => {
    const block = back(4_900, 5_000, { gate: 2, commitEnd: 5_200 });
    expect(lines(scene(block), "hop0.ackReceive")).toEqual([
      "fillRect 490 400 29.5 24 --p-work 0.92",
      "fillRect 500 400 20 24 --surface",
      "fillRect 500 400 20 24 --wait 0.92",
    ]);
  });

  it("begin at the local write where that released the commits, with a dotted line while the acknowledgment waited", () => {
    const block = back(6_000, 6_100, { gate: 1, localFlushEnd: 7_000, commitEnd: 7_100 });
    const calls = drawn(scene(block), "hop0.ackReceive");
    expect(calls.map(inOneLine)).toEqual([
      "fillRect 600 400 9.5 24 --p-work 0.92",
      "fillRect 700 400 10 24 --surface",
      "fillRect 700 400 10 24 --wait 0.92",
      "stroke M 610 417.5 L 700 417.5 --ink-3 0.6",
    ]);
    expect(calls.at(-1)?.dash).toBe("2 2");
  });

  it("have no dotted line when the local write was done first", () => {
    const block = back(6_000, 7_000, { gate: 1, localFlushEnd: 6_500, commitEnd: 7_100 });
    expect(drawn(scene(block), "hop0.ackReceive").some(({ call }) => call === "stroke")).toBe(false);
  });

  it("of another secondary's release, or of none that is known, are not drawn", () => {
    for (const gate of [3, 0])
      expect(lines(scene(back(4_900, 5_000, { gate, commitEnd: 5_200 })), "hop0.ackReceive")).toEqual([
        "fillRect 490 400 9.5 24 --p-work 0.92",
      ]);
  });

  it("whose end is not known are not drawn, those shorter than a pixel are one", () => {
    const widths = (commitEnd: number): number[] =>
      drawn(scene(back(4_900, 5_000, { gate: 2, commitEnd })), "hop0.ackReceive")
        .filter(({ color }) => color === "--wait")
        .map(({ at }) => at[2]);
    expect(widths(Number.NaN)).toEqual([]);
    expect(widths(5_001)).toEqual([1]);
    expect(widths(4_999)).toEqual([]);
  });

  it("of the selected block say how long its acknowledgment waited, where that has room", () => {
    // "ack waited 4.00 ms for the local write" has 38 letters of 6 px: 228.
    const block = (localFlushEnd: number): BlockInput =>
      back(1_000, 1_000, { gate: 1, localFlushEnd, commitEnd: localFlushEnd });
    const words = (localFlushEnd: number, selected = 0): string[] =>
      lines(scene(block(localFlushEnd), { selected }), "hop0.ackReceive").filter((line) =>
        line.includes("waited"),
      );
    expect(words(5_000)).toEqual([thin('fillText "ack waited 4.00 ms for the local write" 104 411 --ink-2')]);
    expect(words(3_200)).toEqual([]);
    expect(words(5_000, -1)).toEqual([]);
  });
});
