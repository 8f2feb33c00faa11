import { describe, expect, it } from "vitest";
import { drawLog, inOneLine, type Drawn } from "../../../test/draw-log.ts";
import { boxOf, sceneOf } from "../../../test/scene.ts";
import { binWindow, blockWindow, commitWindow, type BlockInput } from "../../../test/window.ts";
import {
  focusRect,
  paintChosenBars,
  paintFocus,
  paintKept,
  paintSelection,
  paintStairs,
} from "./paint-selection.ts";
import type { Scene } from "./scene.ts";

/** From the local write to the way back: 1,000 µs to 6,000 µs, 100 px to 600 px. */
const block = (at: number): BlockInput => ({
  localFlushStart: at,
  localFlushEnd: at + 2_000,
  hops: [
    {
      sendEnd: at + 500,
      received: at + 1_000,
      secondaryFlushStart: at + 1_500,
      secondaryFlushEnd: at + 3_500,
      ackSent: at + 4_000,
      ackReceived: at + 5_000,
    },
  ],
});

const BOXES = [
  boxOf("commit", 0, 40),
  boxOf("localFlush", 50, 40),
  boxOf("hop0.wireOut", 100, 60),
  boxOf("hop0.secondaryFlush", 170, 40),
  boxOf("hop0.wireBack", 220, 60),
];

const scene = (more: Partial<Scene> = {}, blocks = [block(1_000), block(3_000)]): Scene =>
  sceneOf({ boxes: BOXES, window: blockWindow(blocks), ...more });

function drawn(paint: (context: CanvasRenderingContext2D) => void): Drawn[] {
  const { context, take } = drawLog();
  paint(context);
  return take();
}

describe("the stairs between lanes", () => {
  it("lead from each block's lane to where its next one begins, dotted, but for the selected block", () => {
    const [stairs, ...rest] = drawn((context) => paintStairs(context, scene({ selected: 1 })));
    expect(rest).toEqual([]);
    expect(stairs).toMatchObject({ call: "stroke", color: "--line-2", dash: "1 2", lineWidth: 1 });
    // Into the log write at 100, network out at 150, log write at 250; the way back rises from the lane's top at 500.
    expect(stairs.path).toBe(
      [
        "M 100.5 38 L 100.5 53",
        "M 150.5 88 L 150.5 103",
        "M 250.5 158 L 250.5 173",
        "M 500.5 208 L 500.5 220",
      ].join(" "),
    );
  });

  it("do not lead from one secondary's group to the next, which begins on the primary", () => {
    const two: BlockInput = { ...block(1_000), hops: [block(1_000).hops![0], block(2_000).hops![0]] };
    const boxes = [
      boxOf("localFlush", 0, 40),
      boxOf("hop0.wireBack", 50, 40),
      boxOf("hop1.wireOut", 100, 40),
    ];
    const [stairs] = drawn((context) => paintStairs(context, sceneOf({ boxes, window: blockWindow([two]) })));
    // From the primary's lane to each group, none between the groups.
    expect(stairs.path).toBe("M 500.5 38 L 500.5 50");
  });

  it("out of view, or to what is not known, are skipped", () => {
    const away = block(-2_000);
    const [stairs] = drawn((context) => paintStairs(context, scene({}, [away])));
    expect(stairs.path).toBe("M 200.5 208 L 200.5 220");
    const [unknown] = drawn((context) =>
      paintStairs(context, scene({}, [{ localFlushStart: 1_000, localFlushEnd: 2_000 }])),
    );
    expect(unknown.path).toBe("M 100.5 38 L 100.5 53");
  });
});

describe("the selected block", () => {
  it("has stairs in ink and a frame around its local write", () => {
    const [stairs, frame, ...rest] = drawn((context) => paintSelection(context, scene({ selected: 0 })));
    expect(stairs).toMatchObject({ call: "stroke", color: "--select", lineWidth: 1.25 });
    expect(stairs.path).toContain("M 250.5 158 L 250.5 173");
    expect(frame).toMatchObject({
      call: "strokeRect",
      at: [99, 49, 202, 42],
      color: "--select",
      lineWidth: 1.5,
    });
    expect(rest).toEqual([]);
  });

  it("has a bracket over the end of each secondary's write, as wide as its clock is uncertain", () => {
    const calls = drawn((context) => paintSelection(context, scene({ selected: 0, uncertainty: [100] })));
    // The write ends at 450 px; ±10 px.
    expect(calls[1]).toMatchObject({
      call: "stroke",
      lineWidth: 1.25,
      path: "M 440 165.5 L 440 171.5 M 460 165.5 L 460 171.5 M 440 168.5 L 460 168.5",
    });
    expect(inOneLine(calls[2])).toBe('fillText "±0.10\u2009ms" 465 171.5 --ink-2');
  });

  it("has no bracket that would not be seen", () => {
    const brackets = (halfUs: number, at = 1_000): number =>
      drawn((context) =>
        paintSelection(context, scene({ selected: 0, uncertainty: [halfUs] }, [block(at)])),
      ).filter(({ path }) => path?.startsWith("M 4") === true || path?.includes("165.5") === true).length;
    expect([19, 20].map((half) => brackets(half))).toEqual([0, 1]);
    expect([Number.NaN, 0].map((half) => brackets(half))).toEqual([0, 0]);
    // The write ends at 10.2 ms: its bracket from 10.1 ms on is out of view.
    expect(brackets(100, 6_700)).toBe(0);
    expect(brackets(100, 6_500)).toBe(1);
  });

  it("has its figure inside the plot, and none where the bracket ends outside", () => {
    const figure = (at: number): string[] =>
      drawn((context) => paintSelection(context, scene({ selected: 0, uncertainty: [100] }, [block(at)])))
        .filter(({ call }) => call === "fillText")
        .map(inOneLine);
    // The write ends at 945 px, the bracket at 955.
    expect(figure(5_950)).toEqual(['fillText "±0.10\u2009ms" 948 163.5 --ink-2']);
    expect(figure(6_450)).toEqual([]);
  });

  it("is drawn again over a skyline, each bar at full strength with a frame", () => {
    const calls = drawn((context) => paintSelection(context, scene({ selected: 0, level: 1 })));
    // 2 ms: log10(20) / 4 of 36 px.
    expect(calls.slice(0, 2).map(inOneLine)).toEqual([
      "fillRect 100 78.291 200 11.709 --p-disk",
      "strokeRect 99.5 77.791 201 12.709 --select",
    ]);
    // Out from 1.5 ms to 2 ms, back from 5 ms to 6 ms: a line with a head each.
    expect(calls.slice(-4).map(({ call }) => call)).toEqual(["stroke", "fill", "stroke", "fill"]);
    expect(calls.filter(({ call }) => call === "stroke").map(({ path }) => path)).toEqual([
      expect.stringContaining("M 250.5 158"),
      "M 150 100 L 200 160",
      "M 500 280 L 600 220",
    ]);
  });

  it("frames its commits, and a dashed arrow leads up to them from what released them", () => {
    const commits = commitWindow([
      [500, 1_500, 1],
      [1_000, 9_000, 0],
    ]);
    const calls = drawn((context) =>
      paintSelection(
        context,
        sceneOf({ boxes: BOXES, window: blockWindow([{ ...block(1_000), gate: 1 }]), commits, selected: 0 }),
      ),
    );
    expect(calls.slice(1, 4)).toMatchObject([
      { call: "strokeRect", color: "--select", lineWidth: 1.5 },
      { call: "stroke", dash: "3 3", path: "M 300.5 50 L 300.5 40" },
      { call: "fill", color: "--select" },
    ]);
    expect([calls[1].at[0], calls[1].at[2]]).toEqual([99, 802]);
  });

  it("has its commits drawn too", () => {
    const commits = commitWindow([
      [500, 1_500, 1],
      [1_000, 9_000, 0],
    ]);
    const box = BOXES[0];
    const full = sceneOf({
      boxes: BOXES,
      window: blockWindow([block(1_000), block(3_000)]),
      commits,
      level: 1,
      selected: 0,
    });
    const [bar, frame, ...rest] = drawn((context) => paintChosenBars(context, full, box));
    expect([bar.at[0], bar.at[2], bar.color]).toEqual([100, 800, "--wait"]);
    expect(frame.color).toBe("--select");
    expect(rest).toEqual([]);
  });

  it("is drawn from its own path where the window has bins, within the view", () => {
    const chosen = new Map([
      [
        "localFlush",
        [
          [1_000, 3_000],
          [-900, -100],
          [10_100, 11_000],
        ] as const,
      ],
      ["hop0.wireOut", [[Number.NaN, 3_000]] as const],
    ]);
    const bins = sceneOf({
      boxes: BOXES,
      window: binWindow({ localFlush: { max: [2_000], p50: [2_000] } }),
      level: 0,
      chosen,
    });
    const calls = BOXES.flatMap((box) => drawn((context) => paintChosenBars(context, bins, box)));
    expect(calls.map(({ call, at }) => [call, at[0], at[2]])).toEqual([
      ["fillRect", 100, 200],
      ["strokeRect", 99.5, 201],
    ]);
  });

  it("is at least 2 px wide", () => {
    const short = sceneOf({
      boxes: BOXES,
      window: blockWindow([{ localFlushStart: 1_000, localFlushEnd: 1_001 }]),
      selected: 0,
      level: 1,
    });
    expect(drawn((context) => paintChosenBars(context, short, BOXES[1]))[0].at[2]).toBe(2);
  });
});

describe("the ring of the keyboard", () => {
  const ring = (more: Partial<Scene>, blocks?: BlockInput[]): Drawn[] =>
    drawn((context) => paintFocus(context, scene(more, blocks)));

  it("stands 2 px away from the bar", () => {
    expect(ring({ focus: { key: "localFlush", block: 0 } })).toMatchObject([
      { call: "strokeRect", at: [97, 47, 206, 46], color: "--focus", lineWidth: 2, alpha: 1 },
    ]);
  });

  it("follows a bar into its track, a slope over its lane, a skyline bar to its height", () => {
    const overlapping = [block(1_000), block(1_500)];
    const at = (more: Partial<Scene>): readonly number[] => ring(more, overlapping)[0].at;
    // Two tracks of 20 px, bars of 19.
    expect(at({ focus: { key: "localFlush", block: 1 } })).toEqual([147, 67, 206, 25]);
    expect(at({ focus: { key: "hop0.wireOut", block: 1 } })).toEqual([197, 97, 56, 66]);
    expect(at({ focus: { key: "localFlush", block: 0 }, level: 1 })).toEqual([97, 75.291, 206, 17.709]);
  });

  it("is none for a block out of view or without this lane", () => {
    expect(ring({ focus: { key: "localFlush", block: 0 } }, [block(-5_000)])).toEqual([]);
    expect(ring({ focus: { key: "localFlush", block: 0 } }, [block(10_001)])).toEqual([]);
    expect(ring({ focus: { key: "hop0.send", block: 0 } })).toEqual([]);
    expect(
      ring({ focus: { key: "hop0.wireOut", block: 0 } }, [{ localFlushStart: 1, localFlushEnd: 2 }]),
    ).toEqual([]);
    expect(ring({})).toEqual([]);
  });

  it("turns a leg around that a raw clock has turned", () => {
    const turned: BlockInput = { hops: [{ sendEnd: 3_000, received: 1_000 }] };
    expect(focusRect(scene({ focus: { key: "hop0.wireOut", block: 0 } }, [turned]))).toMatchObject({
      x: 100,
      width: 200,
    });
  });

  it("frames a stretch of a lane where no single blocks are loaded", () => {
    expect(ring({ slot: { key: "localFlush", from: 2_000, to: 4_000 } })).toMatchObject([
      { call: "strokeRect", at: [200, 50, 200, 40] },
    ]);
  });
});

describe("the blocks beside the selected one", () => {
  const kept = [new Map([["localFlush", [[2_000, 4_000]] as const]])];

  it("have a frame around each of their bars where bars are drawn one by one", () => {
    const frames = drawn((context) => paintKept(context, scene({ kept })));
    // 2,000 to 4,000 µs are 200 to 400 px; the lane is from 50 to 90.
    expect(frames).toMatchObject([{ call: "strokeRect", color: "--select", at: [199.5, 50.5, 201, 39] }]);
  });

  it("are painted over the skyline otherwise", () => {
    const calls = drawn((context) => paintKept(context, scene({ kept, level: 1 }))).map(({ call }) => call);
    expect(calls).toEqual(["fillRect", "strokeRect"]);
  });

  it("are not drawn where they are out of view", () => {
    const far = [new Map([["localFlush", [[20_000, 24_000]] as const]])];
    expect(drawn((context) => paintKept(context, scene({ kept: far })))).toEqual([]);
  });
});
