import { describe, expect, it } from "vitest";
import { HOP_ANCHORS } from "@aglens/ag-model/replication";
import { drawLog, inOneLine, type Drawn } from "../../../test/draw-log.ts";
import { boxOf, sceneOf } from "../../../test/scene.ts";
import { themeTokens } from "../../../test/tokens.ts";
import { binWindow, blockWindow, type BlockInput } from "../../../test/window.ts";
import { forcedTokens } from "./forced-colors.ts";
import { pointedBar } from "./pointed-bar.ts";
import type { Bars } from "./layout.ts";
import { paintGrounds, paintLanes } from "./paint.ts";
import type { Scene } from "./scene.ts";

const BOXES = [
  boxOf("localFlush", 10, 40),
  boxOf("hop0.wireOut", 60, 40),
  boxOf("hop0.secondaryFlush", 110, 40),
];

const block = (at: number): BlockInput => ({
  localFlushStart: at,
  localFlushEnd: at + 1_000,
  hops: [
    { sendEnd: at + 100, received: at + 600, secondaryFlushStart: at + 700, secondaryFlushEnd: at + 1_700 },
  ],
});

const scene = (more: Partial<Scene> = {}): Scene =>
  sceneOf({ boxes: BOXES, window: blockWindow([block(1_000), block(5_000)]), ...more });

function drawn(paint: (context: CanvasRenderingContext2D) => void): Drawn[] {
  const { context, take } = drawLog();
  paint(context);
  return take();
}

const painted = (more: Partial<Scene> = {}): Drawn[] => drawn((context) => paintLanes(context, scene(more)));

describe("the ground of lanes", () => {
  const ground = (more: Partial<Scene>): string[] =>
    drawn((context) => paintGrounds(context, scene(more))).map(inOneLine);

  it("is their surface with a grid on whole pixels, and another one where nothing was written", () => {
    expect(ground({ ticks: [100.4] }).slice(0, 2)).toEqual([
      "fillRect 0 10 1000 40 --surface",
      "fillRect 100 10 1 40 --grid",
    ]);
    expect(ground({ idle: true })[0]).toBe("fillRect 0 10 1000 40 --idle");
  });

  it("of tall lanes has lines at 1, 10 and 100 ms while heights are durations", () => {
    const own = (level: Scene["level"]): string[] =>
      drawn((context) => paintGrounds(context, { ...scene(), level, boxes: [BOXES[0]] })).map(inOneLine);
    expect(own(1).slice(1)).toEqual([
      "fillRect 0 40 1000 1 --grid",
      "fillRect 0 30 1000 1 --grid",
      "fillRect 0 20 1000 1 --grid",
    ]);
    expect(own(0)).toHaveLength(4);
    expect(own(2)).toHaveLength(1);
    const thin = { ...BOXES[0], tall: false };
    expect(drawn((context) => paintGrounds(context, { ...scene(), level: 1, boxes: [thin] }))).toHaveLength(
      1,
    );
  });

  it("is idle while a server takes over, below the grid, with a line at both ends through all lanes", () => {
    const switches = [[4_000, 6_000]] as const;
    expect(ground({ switches, ticks: [500], boxes: [BOXES[0]] })).toEqual([
      "fillRect 0 10 1000 40 --surface",
      "fillRect 400 10 200 40 --idle",
      "fillRect 500 10 1 40 --grid",
    ]);
    expect(painted({ switches }).map(inOneLine).slice(-2)).toEqual([
      "fillRect 400 0 1 150 --ink",
      "fillRect 600 0 1 150 --ink",
    ]);
    expect(ground({ switches: [[20_000, 30_000]], boxes: [BOXES[0]] })).toHaveLength(1);
  });

  it("has lines, and a name, on the way to a replica while blocks have not arrived there, unlike idle and lost time", () => {
    const ground = (role: number, more: Partial<Scene> = {}): string[] =>
      drawn((context) =>
        paintGrounds(context, scene({ underWay: [[4_000, 20_000, role, role]], boxes: [BOXES[1]], ...more })),
      ).map(inOneLine);
    // A band of 15 px at the foot of the lane, from 60 to 100 px.
    const lines = (from: number, to: number): string =>
      `stroke ${[86.5, 90.5, 94.5, 98.5].map((y) => `M ${from} ${y} L ${to} ${y}`).join(" ")} --n-out`;
    expect(ground(1).slice(1)).toEqual([
      "fillRect 400 85 600 15 --surface",
      lines(400, 1_000),
      "fillRect 400 85 104 15 --surface",
      expect.stringContaining("Sent, not arrived"),
    ]);
    expect(ground(2)).toHaveLength(1);
    // A tenth of it has no room for a name.
    expect(ground(1, { scale: { from: 0, to: 10_000, width: 100 } }).slice(2)).toEqual([lines(40, 100)]);
    // It is over the bars of blocks that arrived, at every level.
    for (const level of [1, 2] as const) {
      const all = painted({ underWay: [[4_000, 20_000, 1, 1]], level }).map(inOneLine);
      expect(all.filter((line) => line.includes("Sent, not arrived"))).toHaveLength(2);
    }
    // The lane of another stage stays unchanged: its bars are where they happened.
    expect(ground(1, { boxes: [BOXES[2]] })).toHaveLength(1);
  });

  it("has crossed lines where events were lost, and names the state in the lanes of log writes at every level", () => {
    const ground = (state: "lost" | "notRecorded", level: Scene["level"], boxes = BOXES): Drawn[] =>
      drawn((context) =>
        paintGrounds(context, scene({ uncovered: [[0, 2_000, 1, 1, state]], level, boxes })),
      ).filter(({ color, call }) => color === "--hatch" || call === "fillText");
    for (const level of [0, 1, 2, 3] as const) {
      expect(ground("lost", level).map(({ call }) => call)).toEqual(["stroke", "stroke", "fillText"]);
      expect(inOneLine(ground("lost", level)[2])).toContain("Events lost");
      expect(inOneLine(ground("notRecorded", level)[2])).toContain("Not recorded");
      expect(ground("lost", level)[0].path).not.toBe(ground("notRecorded", level)[0].path);
    }
    // A thin lane has the pattern alone.
    const thin = ground("lost", 1, [boxOf("hop0.secondaryFlush", 110, 20, false)]);
    expect(thin.map(({ call }) => call)).toEqual(["stroke"]);
  });

  it("has a small mark where a single event was lost, in the lanes of its bars at every level", () => {
    const lost = [
      {
        replica: 1,
        database: 0,
        secondary: 0,
        anchor: "secondaryFlushEnd" as const,
        events: 3,
        places: [
          [2_000, 2_000],
          [2_030, 2_030],
          [7_000, 7_000],
        ] as [number, number][],
      },
    ];
    for (const level of [0, 1, 2, 3] as const) {
      const marks = painted({ lost, level }).filter(
        ({ color, call }) => color === "--ink-2" && call === "stroke",
      );
      // 1,000 px show 10 ms; two marks that touch are one. The lane from 110 px on is 40 px high.
      expect(marks.map(({ clip }) => clip)).toEqual([["R 197 144 9 6"], ["R 697 144 6 6"]]);
    }
    expect(painted({ lost: [] }).some(({ color }) => color === "--ink-2")).toBe(false);
  });

  it("marks the blocks themselves where a place of many lost events is loaded", () => {
    const window = blockWindow([block(1_000), block(3_000), block(5_000)]);
    // Two bits per anchor: all are measured, except the second block's end of the log write.
    window.hops[0].obtained.fill(0x155555);
    window.hops[0].obtained[1] &= ~(3 << (2 * HOP_ANCHORS.indexOf("secondaryFlushEnd")));
    const lost = [
      {
        replica: 1,
        database: 0,
        secondary: 0,
        anchor: "secondaryFlushEnd" as const,
        events: 900,
        places: [[0, 9_000]] as [number, number][],
      },
    ];
    const marks = drawn((context) => paintLanes(context, sceneOf({ boxes: BOXES, window, lost }))).filter(
      ({ color, call }) => color === "--ink-2" && call === "stroke",
    );
    expect(marks.map(({ clip }) => clip)).toEqual([["R 297 144 6 6"]]);
  });

  it("marks counted events in the lanes of their server's own work, from the event before to the one after", () => {
    const marksOf = (secondary: number) => {
      const places: [number, number][] = [[2_000, 2_030]];
      const lost = [{ replica: secondary + 1, database: -1, secondary, anchor: null, events: 3, places }];
      return painted({ lost })
        .filter(({ color, call }) => color === "--ink-2" && call === "stroke")
        .map(({ clip }) => clip);
    };
    expect(marksOf(-1)).toEqual([["R 197 44 9 6"]]);
    expect(marksOf(0)).toEqual([["R 197 144 9 6"]]);
    expect(marksOf(1)).toEqual([]);
  });

  it("is hatched where a file that the lane needs does not cover the time, cut to the plot", () => {
    const hatched = (replica: number): string[] =>
      drawn((context) => paintGrounds(context, scene({ uncovered: [[-500, 2_000, replica]] })))
        .filter(({ color }) => color === "--hatch")
        .flatMap(({ clip }) => clip);
    expect(hatched(0)).toEqual(["R 0 10 200 40", "R 0 60 200 40"]);
    expect(hatched(1)).toEqual(["R 0 60 200 40", "R 0 110 200 40"]);
    expect(hatched(2)).toEqual([]);
    const beyond = scene({ uncovered: [[10_000, 20_000, 0]] });
    expect(drawn((context) => paintGrounds(context, beyond)).some(({ color }) => color === "--hatch")).toBe(
      false,
    );
  });

  it("draws the hatch 6 px apart over all of its box, and goes on with the grid's color", () => {
    const calls = drawn((context) =>
      paintGrounds(context, {
        ...scene({ uncovered: [[0, 200, 0]] }),
        boxes: [boxOf("localFlush", 0, 10)],
        level: 1,
      }),
    );
    expect(calls[1]).toMatchObject({
      path: "M -10 10 L 0 0 M -4 10 L 6 0 M 2 10 L 12 0 M 8 10 L 18 0 M 14 10 L 24 0",
      lineWidth: 2,
    });
    expect(calls[2].color).toBe("--grid");
  });
});

describe("lanes", () => {
  it("are clipped to their box, secondaries' a little above it for what is uncertain", () => {
    const clips = new Map(
      painted().flatMap(({ clip, color }) => (clip.length > 0 ? [[color, clip[0]]] : [])),
    );
    expect(clips.get("--p-disk")).toBe("R 0 10 1000 46");
    expect(clips.get("--n-out")).toBe("R 0 60 1000 46");
    expect(clips.get("--s-disk")).toBe("R 0 104 1000 46");
  });

  it("are painted by their level: stairs and bars, a skyline, or heat", () => {
    const looks = (level: Scene["level"]) => {
      const calls = painted({ level });
      return {
        stairs: calls.some(({ dash }) => dash === "1 2"),
        slopes: calls.some(({ call, color }) => call === "stroke" && color === "--n-out"),
        faint: calls.some(({ alpha, color }) => alpha === 0.3 && color === "--p-disk"),
      };
    };
    expect(looks(2)).toEqual({ stairs: true, slopes: true, faint: false });
    expect(looks(3)).toEqual({ stairs: true, slopes: true, faint: false });
    expect(looks(1)).toEqual({ stairs: false, slopes: false, faint: false });
    expect(looks(0)).toMatchObject({ stairs: false, faint: true });
  });

  it("come before the selection, and that before the ring of the keyboard", () => {
    const order = painted({ selected: 0, focus: { key: "localFlush", block: 0 } }).map(({ color }) => color);
    const last = (color: string): number => order.lastIndexOf(color);
    expect(last("--s-disk")).toBeLessThan(order.indexOf("--select"));
    expect(last("--select")).toBeLessThan(order.indexOf("--focus"));
    expect(painted().some(({ color }) => color === "--select" || color === "--focus")).toBe(false);
  });

  it("show a selected block that is not loaded by its own path", () => {
    const chosen = new Map([["localFlush", [[1_000, 2_000]] as const]]);
    expect(painted({ chosen }).filter(({ color }) => color === "--select")).toHaveLength(1);
  });

  it("have the ring of a stretch too", () => {
    expect(painted({ slot: { key: "localFlush", from: 0, to: 900 } }).at(-1)?.color).toBe("--focus");
  });

  it("without a layout are their ground alone", () => {
    const empty = { ...scene(), layouts: new Map() };
    expect(
      drawn((context) => paintLanes(context, empty)).every(
        ({ call }) => call === "fillRect" || call === "stroke",
      ),
    ).toBe(true);
    expect(drawn((context) => paintLanes(context, empty)).some(({ color }) => color === "--p-disk")).toBe(
      false,
    );
  });

  it("have the same shapes in both themes and in forced colors, each in its own colors", () => {
    const all = { selected: 0, uncertainty: [100], ticks: [300], edges: false };
    const named = painted(all);
    for (const tokens of [themeTokens("light"), themeTokens("dark"), forcedTokens(themeTokens("light"))]) {
      const themed = painted({ ...all, tokens });
      expect(themed.map(({ call, at, path }) => [call, at, path])).toEqual(
        named.map(({ call, at, path }) => [call, at, path]),
      );
      for (const [i, { color }] of themed.entries())
        if (!color.startsWith("gradient")) expect(color).toBe(tokens[named[i].color as "--ink"]);
    }
  });

  it("say the places by patterns where colors are forced: the primary solid, the network dots, the secondary diagonals", () => {
    const tokens = forcedTokens(themeTokens("dark"));
    const cuts = painted({ tokens, patterns: true, level: 1 }).filter(
      ({ color, clip }) => color === "Canvas" && clip.length > 0,
    );
    expect(new Set(cuts.map(({ call, clip }) => `${call} ${clip[0]}`))).toEqual(
      new Set(["fillRect R 0 60 1000 46", "stroke R 0 104 1000 46"]),
    );
  });
});

describe("what is drawn and what is pointed at", () => {
  it("are the same bars", () => {
    const full = scene({ level: 2 });
    const bars = drawn((context) => paintLanes(context, full)).filter(
      ({ call, color, clip }) => call === "fillRect" && clip.length > 0 && /disk/u.test(color),
    );
    expect(bars).toHaveLength(4);
    for (const { at, color } of bars) {
      const pointed = pointedBar(full.boxes, full.layouts, at[0] + at[2] / 2, at[1] + at[3] / 2)!;
      expect(pointed.box.lane.color).toBe(color);
      expect(pointed.left).toBeCloseTo(at[0], 9);
      expect(pointed.right - pointed.left).toBeCloseTo(at[2] + 0.5, 9);
    }
  });

  it("are the same tracks", () => {
    const crowd = scene();
    const overlapping = sceneOf({
      boxes: BOXES,
      window: blockWindow([block(1_000), block(1_100), block(1_200)]),
    });
    expect((crowd.layouts.get("localFlush") as Bars).tracks).toBe(1);
    const bars = drawn((context) => paintLanes(context, overlapping)).filter(
      ({ color, clip }) => color === "--p-disk" && clip.length > 0,
    );
    const entries = bars.map(
      ({ at }) => pointedBar(overlapping.boxes, overlapping.layouts, at[0] + 50, at[1] + 6)?.entry,
    );
    expect(entries).toEqual([0, 1, 2]);
  });

  it("are the same columns of bins, the slowest near the pointer", () => {
    const none = Number.NaN;
    const max = [none, 9_000, none, none, none, none, none, none, none, 90_000];
    const bins = sceneOf({
      boxes: [BOXES[0]],
      window: binWindow({ localFlush: { max, p50: max } }),
      scale: { from: 0, to: 10_000, width: 10 },
      level: 0,
    });
    const [first] = drawn((context) => paintLanes(context, bins)).filter(({ alpha }) => alpha === 0.3);
    const firstColumn = Number(/^M (\d+) /u.exec(first.path ?? "")?.[1]);
    expect(pointedBar(bins.boxes, bins.layouts, firstColumn + 0.5, 30)).toMatchObject({
      left: 1,
      right: 2,
      value: 9_000,
      entry: -1,
    });
    expect(pointedBar(bins.boxes, bins.layouts, 4.9, 30)?.value).toBe(9_000);
    expect(pointedBar(bins.boxes, bins.layouts, 5.1, 30)).toBeNull();
    expect(pointedBar(bins.boxes, bins.layouts, 6, 30)?.value).toBe(90_000);
  });
});
