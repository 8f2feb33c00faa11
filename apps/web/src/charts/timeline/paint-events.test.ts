import { describe, expect, it } from "vitest";
import { drawLog, inOneLine, type Drawn } from "../../../test/draw-log.ts";
import { boxOf, laneOf, LANES, sceneOf } from "../../../test/scene.ts";
import { blockWindow, type BlockInput } from "../../../test/window.ts";
import type { Bars } from "./layout.ts";
import { marksOf, paintEvents, placeLabel } from "./paint-events.ts";
import type { Scene } from "./scene.ts";

describe("events of a lane", () => {
  it("are those at both ends of a log write, and none of the network's own", () => {
    expect(marksOf(laneOf("localFlush")).map(([, event]) => event)).toEqual([
      "log_flush_start",
      "log_flush_complete",
    ]);
    expect(marksOf(laneOf("hop1.acknowledge"))).toHaveLength(3);
    expect(marksOf(laneOf("hop0.wireOut"))).toEqual([]);
  });

  it("name none where a send begins: none fires there", () => {
    expect(marksOf(laneOf("hop0.send"))).toEqual([
      ["start", "send begins"],
      ["departed", "hadr_capture_log_block"],
      ["end", "hadr_log_block_send_complete"],
    ]);
  });

  it("are marked in every lane that is no network", () => {
    const without = LANES.filter((lane) => marksOf(lane).length === 0).map(({ figure }) => figure);
    expect(new Set(without)).toEqual(new Set(["wireOut", "wireBack"]));
  });
});

/** 2 ms on 1,000 px: 2 µs per px. */
const SCALE = { from: 0, to: 2_000, width: 1_000 };

function drawn(
  key: string,
  blocks: readonly BlockInput[],
  more: Partial<Scene> & { height?: number } = {},
): Drawn[] {
  const { height = 34, ...scene } = more;
  const box = boxOf(key, 100, height, false);
  const { context, take } = drawLog();
  const full = sceneOf({ boxes: [box], window: blockWindow(blocks), scale: SCALE, level: 3, ...scene });
  paintEvents(context, full, box, full.layouts.get(key) as Bars);
  return take();
}

const texts = (calls: readonly Drawn[]): string[] =>
  calls.filter(({ call }) => call === "fillText").map(inOneLine);

describe("ticks of events", () => {
  const write = (localFlushStart: number, localFlushEnd: number): BlockInput => ({
    localFlushStart,
    localFlushEnd,
  });

  it("stand at their instants with their names outside the bar, on a halo", () => {
    const calls = drawn("localFlush", [write(601, 1_000)]);
    // log_flush_start has 15 letters of 6 px, and ends 4 px left of the tick at 300.5.
    expect(calls.map(inOneLine)).toEqual([
      "fillRect 301 100 1 34 --ink",
      "fillRect 500 100 1 34 --ink",
      'strokeText "log_flush_start" 206.5 130 --surface',
      'fillText "log_flush_start" 206.5 130 --ink-2',
      'strokeText "log_flush_complete" 504 130 --surface',
      'fillText "log_flush_complete" 504 130 --ink-2',
    ]);
    expect(calls[3].font).toBe("400 9.5px --mono");
  });

  it("of the selected block are named first, in ink", () => {
    const crowd = [write(600, 1_000), write(610, 1_010)];
    const names = (selected: number): string[] => texts(drawn("localFlush", crowd, { selected, height: 14 }));
    expect(names(0)[0]).toContain('"log_flush_start" 206 110 --ink');
    expect(names(0)[0]).not.toContain("--ink-2");
    // The other block's tick is 5 px right of it: its own name begins left of both.
    expect(names(1)[0]).toMatch(/--ink$/u);
  });

  it("stand where the bar's own clock puts them, also when that is moved", () => {
    const ack: BlockInput = {
      hops: [{ secondaryFlushEnd: 400, ackBuilt: 500, ackDeparted: 600, ackSent: 800 }],
    };
    const box = boxOf("hop0.acknowledge", 100, 34, false);
    const scene = sceneOf({ boxes: [box], window: blockWindow([ack]), scale: SCALE, level: 3 });
    const spans = scene.buffer.spans.get("hop0.acknowledge")!;
    const moved = new Map([
      [
        "hop0.acknowledge",
        { ...spans, start: spans.start.map((at) => at + 100), end: spans.end.map((at) => at + 100) },
      ],
    ]);
    const xs = (buffer: Scene["buffer"]): number[] => {
      const { context, take } = drawLog();
      paintEvents(context, { ...scene, buffer }, box, scene.layouts.get("hop0.acknowledge") as Bars);
      return take()
        .filter(({ call }) => call === "fillRect")
        .map(({ at }) => at[0]);
    };
    expect(xs(scene.buffer)).toEqual([250, 300, 400]);
    expect(xs({ ...scene.buffer, spans: moved })).toEqual([300, 350, 450]);
  });

  it("out of view, or whose instant is missing, are skipped", () => {
    expect(drawn("localFlush", [write(-10, 2_010)])).toEqual([]);
    const partly: BlockInput = { hops: [{ secondaryFlushEnd: 400, ackSent: 800 }] };
    expect(drawn("hop0.acknowledge", [partly]).filter(({ call }) => call === "fillRect")).toHaveLength(1);
  });

  it("have a row of names for each 11 px of a thin lane, of half of a tall one", () => {
    const rows = (height: number, tall: boolean): number => {
      const box = boxOf("localFlush", 100, height, tall);
      const crowd = Array.from({ length: 12 }, (_, i) => write(800 + 2 * i, 1_200 + 2 * i));
      const scene = sceneOf({ boxes: [box], window: blockWindow(crowd), scale: SCALE, level: 3 });
      const { context, take } = drawLog();
      paintEvents(context, scene, box, { ...(scene.layouts.get("localFlush") as Bars) });
      const lines = take().filter(({ call }) => call === "fillText");
      return new Set(lines.map(({ at }) => at[1])).size;
    };
    expect(rows(13, false)).toBe(1);
    expect(rows(24, false)).toBe(2);
    expect(rows(48, true)).toBe(2);
  });
});

describe("the place of a name", () => {
  it("is right of its tick, else left, else in the next row", () => {
    expect(placeLabel([[]], 100, 50, 800)).toEqual({ left: 104, row: 0 });
    expect(placeLabel([[[120, 130]]], 100, 50, 800)).toEqual({ left: 46, row: 0 });
    expect(placeLabel([[[60, 130]], []], 100, 50, 800)).toEqual({ left: 104, row: 1 });
    expect(placeLabel([[]], 100, 50, 800, "left")).toEqual({ left: 46, row: 0 });
  });

  it("lies inside the plot, or nowhere", () => {
    expect(placeLabel([[]], 790, 50, 800)).toEqual({ left: 736, row: 0 });
    expect(placeLabel([[]], 746, 50, 800)).toEqual({ left: 750, row: 0 });
    expect(placeLabel([[]], 747, 50, 800)).toEqual({ left: 693, row: 0 });
    expect(placeLabel([[]], 56, 50, 800, "left")).toEqual({ left: 2, row: 0 });
    expect(placeLabel([[]], 55, 50, 800, "left")).toEqual({ left: 59, row: 0 });
    expect(placeLabel([[[0, 800]]], 100, 50, 800)).toBeNull();
    expect(placeLabel([[]], 20, 50, 40)).toBeNull();
  });

  it("touches no other", () => {
    // The name would reach from 104 to 154.
    expect(placeLabel([[[154, 200]]], 100, 50, 800)?.left).toBe(46);
    expect(placeLabel([[[155, 200]]], 100, 50, 800)?.left).toBe(104);
    expect(placeLabel([[[90, 104]]], 100, 50, 800)?.left).not.toBe(104);
    expect(placeLabel([[[97, 103]]], 100, 50, 800)?.left).toBe(104);
  });
});
