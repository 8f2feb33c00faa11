import { describe, expect, it } from "vitest";
import { drawLog, inOneLine, type Drawn } from "../../../test/draw-log.ts";
import { boxOf } from "../../../test/scene.ts";
import { NAMED, themeTokens } from "../../../test/tokens.ts";
import { forcedTokens } from "../timeline/forced-colors.ts";
import { edges, nowX, usPerPx, xAt, type LiveView } from "./live-scale.ts";
import { covers, paintAxis, paintLive, paintTrack, type LiveScene, type Track } from "./paint-live.ts";

/** 30 s on 1,000 px, 30 ms per px; now, 100 s of the run, is at 955 px. */
const VIEW: LiveView = { now: 100_000_000, width: 1_000, windowUs: 30_000_000 };
const SECOND = 1_000_000;
const TALL = boxOf("localFlush", 0, 104);
const THIN = boxOf("hop0.send", 110, 20, false);

const sceneOf = (more: Partial<LiveScene> = {}): LiveScene => ({
  view: VIEW,
  tokens: NAMED,
  patterns: false,
  boxes: [TALL],
  height: 104,
  bins: null,
  gauges: [],
  happened: null,
  ends: new Map([
    ["localFlush", VIEW.now],
    ["hop0.send", VIEW.now],
  ]),
  remarks: new Map(),
  plates: new Map(),
  gaps: new Map(),
  marks: [],
  ticks: [],
  held: false,
  ...more,
});

function drawn(paint: (context: CanvasRenderingContext2D) => void): Drawn[] {
  const { context, take } = drawLog();
  paint(context);
  return take();
}

const painted = (more: Partial<LiveScene> = {}, track: Track | null = null, ratio = 1): Drawn[] =>
  drawn((context) => paintLive(context, sceneOf(more), track, ratio));

describe("the place of an instant", () => {
  it("is counted from the line of now", () => {
    expect([nowX(VIEW), usPerPx(VIEW)]).toEqual([955, 30_000]);
    expect([xAt(VIEW, VIEW.now), xAt(VIEW, VIEW.now - 3 * SECOND)]).toEqual([955, 855]);
    expect(edges(VIEW)).toEqual([100_000_000 - 28_650_000, 101_350_000]);
  });
});

describe("a frame of the live picture", () => {
  it("has the lanes' ground with a grid and lines at 10 and 100 ms, and the line of now over all", () => {
    expect(painted({ ticks: [{ at: 97 * SECOND, label: "" }] }).map(inOneLine)).toEqual([
      "fillRect 0 0 1000 104 --surface",
      "fillRect 855 0 1 104 --grid",
      "fillRect 0 54 1000 1 --line",
      "fillRect 0 29 1000 1 --line",
      "fillRect 955 0 1.5 104 --ink",
    ]);
    expect(painted({ boxes: [THIN] }).map(inOneLine)).toEqual([
      "fillRect 0 110 1000 20 --surface",
      "fillRect 955 0 1.5 104 --ink",
    ]);
  });

  it("has no line of now while the view is held", () => {
    expect(painted({ held: true }).some(({ color }) => color === "--ink")).toBe(false);
  });

  it("copies the track to where its first column is, on whole device pixels, up to now", () => {
    const canvas = { width: 2_400, height: 208 } as HTMLCanvasElement;
    // Column 2,380 is 71.4 s: 1.67 px right of the left edge at 71.35 s.
    const track = { canvas, firstColumn: 2_380, columns: 1_200 };
    const [copy] = painted({}, track, 2).filter(({ call }) => call === "drawImage");
    expect(copy).toMatchObject({ at: [1.5, 0, 1_200, 104], clip: ["R 0 0 955 104"] });
    expect(painted({}, track, 1).find(({ call }) => call === "drawImage")?.at[0]).toBe(2);
  });
});

describe("what is not there", () => {
  const hatched = (more: Partial<LiveScene>): string[] =>
    painted(more)
      .filter(({ color }) => color === "--hatch")
      .flatMap(({ clip }) => clip);

  it("is hatched after a lane's end, when that is longer ago than the picture's own delay", () => {
    const ending = (behind: number): string[] =>
      hatched({ ends: new Map([["localFlush", VIEW.now - behind]]) });
    expect(ending(200_000)).toEqual([]);
    expect(ending(3 * SECOND)).toEqual(["R 855 0 100 104"]);
    // A lane without any known time yet is completely hatched.
    expect(hatched({ ends: new Map() })).toEqual(["R 0 0 955 104"]);
  });

  it("has the pattern of its state: not recorded, lost, or not arrived yet", () => {
    const paths = (more: Partial<LiveScene>): string[] =>
      painted(more)
        .filter(({ color }) => color === "--hatch")
        .map(({ path = "" }) => path.split(" ").slice(0, 9).join(" "));
    const gap = (state: "lost" | "notRecorded") =>
      paths({
        gaps: new Map([["localFlush", [{ from: 94 * SECOND, to: 97 * SECOND, state, lines: [] }]]]),
      });
    expect(gap("notRecorded")).toEqual(["M 646 104 L 750 0 M 652 104"]);
    expect(gap("lost")).toEqual(["M 651 104 L 755 0 M 651 0"]);
    expect(paths({ ends: new Map([["localFlush", VIEW.now - 3 * SECOND]]) })).toEqual([
      "M 855 1.5 L 955 1.5 M 855 5.5",
    ]);
  });

  it("is hatched over a gap, and not beyond now", () => {
    const state = "lost" as const;
    const gap = (from: number, to: number): string[] =>
      hatched({ gaps: new Map([["localFlush", [{ from, to, state, lines: [] }]]]) });
    expect(gap(94 * SECOND, 97 * SECOND)).toEqual(["R 755 0 100 104"]);
    expect(gap(97 * SECOND, 200 * SECOND)).toEqual(["R 855 0 100 104"]);
    expect(gap(0, 60 * SECOND)).toEqual([]);
  });

  it("shows a gap that lasts as not recorded, and not as events that are still to arrive", () => {
    const gap = { from: 97 * SECOND, to: Number.POSITIVE_INFINITY, state: "notRecorded", lines: [] } as const;
    const strokes = painted({
      ends: new Map([["localFlush", 97 * SECOND]]),
      gaps: new Map([["localFlush", [gap]]]),
    }).filter(({ clip }) => clip.includes("R 855 0 100 104"));
    const alone = painted({ gaps: new Map([["localFlush", [gap]]]) }).filter(({ clip }) => clip.length > 0);
    expect(strokes.map(inOneLine).at(-1)).toBe(alone.map(inOneLine).at(-1));
  });

  it("says in a gap why nothing is known, where a tall lane has room for it beside what is seen of the gap", () => {
    const said = (from: number, box = TALL): string[] =>
      painted({
        boxes: [box],
        gaps: new Map([
          [
            box.lane.key,
            [
              {
                from: from * SECOND,
                to: 94 * SECOND,
                state: "notRecorded",
                lines: ["connection lost", "for 4 s"],
              },
            ],
          ],
        ]),
      })
        .filter(({ call }) => call === "fillText")
        .map(inOneLine);
    // 15 and 7 letters of 6 px in the middle between 622 and 755 px, and of 104 px of height.
    expect(said(90)).toEqual([
      'fillText "connection lost" 644 49 --ink-2',
      'fillText "for 4 s" 668 63 --ink-2',
    ]);
    expect(said(50)[0]).toBe('fillText "connection lost" 333 49 --ink-2');
    // 100 px are not enough for 90 with 8 on each side.
    expect(said(91)).toEqual([]);
    expect(said(90, THIN)).toEqual([]);
  });

  it("is hatched before the run began, or before the first bin", () => {
    const early: LiveView = { ...VIEW, now: 3 * SECOND };
    const ends = new Map([["localFlush", early.now]]);
    expect(hatched({ view: early, ends })).toEqual(["R 0 0 855 104"]);
    const bins = { width: SECOND, firstBin: -1, length: 9, p50: new Map(), max: new Map() };
    expect(hatched({ view: early, ends, bins })).toEqual(["R 0 0 822 104"]);
  });

  it("begins with an ink line where the lane was last heard", () => {
    const lines = (behind: number): string[] =>
      painted({ ends: new Map([["localFlush", VIEW.now - behind]]) })
        .filter(({ call, color, at }) => call === "fillRect" && color === "--ink" && at[0] < 955)
        .map(inOneLine);
    expect(lines(3 * SECOND)).toEqual(["fillRect 855 0 1 104 --ink"]);
    expect(lines(200_000)).toEqual([]);
  });

  it("covers what was drawn there", () => {
    const calls = painted({ ends: new Map([["localFlush", VIEW.now - 3 * SECOND]]) });
    const ground = calls.findIndex(({ at, color }) => color === "--surface" && at[0] === 855);
    expect(calls[ground + 1].color).toBe("--hatch");
  });

  it("has a remark before it in a tall lane, which always has room, and a halo where a slow write reaches up to it", () => {
    const remark = (behind: number, box = TALL, call = "fillText"): Drawn[] =>
      painted({
        boxes: [box],
        ends: new Map([[box.lane.key, VIEW.now - behind]]),
        remarks: new Map([[box.lane.key, "SQL2: connection lost"]]),
      }).filter((each) => each.call === call);
    expect(remark(3 * SECOND, TALL, "strokeText")).toMatchObject([{ color: "--surface", lineWidth: 4 }]);
    // 21 letters of 6 px end 10 px before the hatch.
    expect(remark(3 * SECOND).map(inOneLine)).toEqual(['fillText "SQL2: connection lost" 719 14 --ink-2']);
    expect(remark(28 * SECOND)[0].at[0]).toBe(200 - 126);
    expect(remark(3 * SECOND, THIN)).toEqual([]);
  });

  it("has its remark only where its end is in view, and below names that stand there", () => {
    const remark = (behind: number, more: Partial<LiveScene> = {}): string[] =>
      painted({
        ends: new Map([["localFlush", VIEW.now - behind]]),
        remarks: new Map([["localFlush", "SQL2 is late"]]),
        ...more,
      })
        .filter(({ call, text }) => call === "fillText" && text === "SQL2 is late")
        .map(({ at: [, baseline] }) => String(baseline));
    // "Now" varies a little: an end slightly earlier than the view still counts as in view.
    expect([remark(0), remark(-0.5 * SECOND), remark(-2 * SECOND)]).toEqual([["14"], ["14"], []]);
    const plate = (at: number) => ({
      plates: new Map([["localFlush", [{ at, before: "SQL1, primary", after: "SQL2, primary" }]]]),
    });
    expect(remark(3 * SECOND, plate(95 * SECOND))).toEqual(["30"]);
    expect(remark(3 * SECOND, plate(60 * SECOND))).toEqual(["14"]);
  });
});

describe("a change of roles", () => {
  const plates = (at: number, box = TALL, more: Partial<LiveScene> = {}): string[] =>
    painted({
      ...more,
      boxes: [box],
      ends: new Map([[box.lane.key, VIEW.now]]),
      plates: new Map([[box.lane.key, [{ at, before: "SQL1, primary", after: "SQL2, primary" }]]]),
    })
      .filter(({ call, color, at: [x] }) => color === "--ink" && (call === "fillText" || x !== 955))
      .map(inOneLine);

  it("has the names of before and after at its line", () => {
    // 13 letters of 6 px and 4 px on either side.
    expect(plates(97 * SECOND)).toEqual([
      "fillRect 855 0 1 104 --ink",
      'fillText "SQL1, primary" 769 14 --ink',
      'fillText "SQL2, primary" 864 14 --ink',
    ]);
  });

  it("is a line alone in a thin lane, and nothing outside of the view", () => {
    expect(plates(97 * SECOND, THIN)).toEqual(["fillRect 855 110 1 20 --ink"]);
    expect(plates(60 * SECOND)).toEqual([]);
  });

  it("that comes after what is in view has the name of then at the left edge: beside the lane stands the present one", () => {
    expect(plates(101 * SECOND)).toEqual(['fillText "SQL1, primary" 8 14 --ink']);
    expect(plates(101 * SECOND, THIN)).toEqual([]);
  });

  it("has its names below what marks say in the uppermost lane, and never below the lane", () => {
    const marks = [
      { at: 97 * SECOND, label: "SQL2 becomes primary", byRule: true },
      { at: 96.9 * SECOND, label: "Slow network", byRule: true },
    ];
    const named = (box: typeof TALL, count: number): string[] =>
      plates(97 * SECOND, box, { marks: marks.slice(0, count) }).filter((line) => line.includes(", primary"));
    expect(named(TALL, 1)).toEqual([
      'fillText "SQL1, primary" 769 30 --ink',
      'fillText "SQL2, primary" 864 30 --ink',
    ]);
    expect(named(TALL, 2)[0]).toBe('fillText "SQL1, primary" 769 46 --ink');
    expect(named(boxOf("localFlush", 0, 40), 2)[0]).toBe('fillText "SQL1, primary" 769 36 --ink');
    expect(named(boxOf("localFlush", 110, 104), 2)[0]).toBe('fillText "SQL1, primary" 769 124 --ink');
  });
});

describe("gauges", () => {
  const gauge = (
    steps: readonly (readonly [number, number, number])[],
    scale = 100,
    missed: readonly (readonly [number, number])[] = [],
  ): Drawn[] =>
    painted({
      boxes: [],
      gauges: [
        {
          top: 200,
          height: 43,
          color: "--wait",
          scale,
          steps: steps.map(([from, to, value]) => ({ from: from * SECOND, to: to * SECOND, value })),
          missed: missed.map(([from, to]) => [from * SECOND, to * SECOND]),
        },
      ],
    }).filter(({ clip }) => clip.length > 0);

  it("are filled steps under one line, as high as their value on the scale", () => {
    const calls = gauge([
      [91, 94, 50],
      [94, 97, 100],
    ]);
    expect(calls.map(inOneLine)).toEqual([
      "fillRect 655 223 100 20 --wait 0.3",
      "fillRect 755 203 100 40 --wait 0.3",
      "stroke M 655 223 L 755 223 L 755 203 L 855 203 --wait",
    ]);
    expect(calls[0].clip).toEqual(["R 0 200 955 43"]);
  });

  it("are hatched where no poll was answered, up to now at most", () => {
    const none = gauge([[91, 94, 50]]).map(inOneLine);
    const hatched = gauge([[91, 94, 50]], 100, [[94, 97]]).map(inOneLine);
    expect(hatched.length).toBeGreaterThan(none.length);
    expect(hatched.slice(-none.length)).toEqual(none);
    // Time outside of the view is not hatched.
    expect(gauge([[91, 94, 50]], 100, [[120, 130]]).map(inOneLine)).toEqual(none);
  });

  it("are one line over a short pause between polls, and break over a missed one", () => {
    const path = (from: number): string =>
      gauge([
        [91, 94, 50],
        [from, 98, 50],
      ]).at(-1)!.path!;
    expect(path(94.4)).toBe("M 655 223 L 755 223 L 755 223 L 888 223");
    expect(path(94.6)).toBe("M 655 223 L 755 223 M 775 223 L 888 223");
  });

  it("leave a pixel for nothing, and stay inside their box", () => {
    expect(gauge([[91, 94, 0]])[0].at).toEqual([655, 242, 100, 1]);
    expect(gauge([[91, 94, 900]])[0].at).toEqual([655, 203, 100, 40]);
  });

  it("out of view are not drawn", () => {
    expect(
      gauge([
        [10, 20, 50],
        [120, 130, 50],
      ]).filter(({ call }) => call === "fillRect"),
    ).toEqual([]);
  });
});

describe("marks", () => {
  const mark = (at: number, label: string, byRule = true): Drawn[] =>
    painted({ boxes: [], marks: [{ at: at * SECOND, label, byRule }] }).filter(({ at: [x] }) => x !== 955);

  it("of a person are solid", () => {
    expect(mark(97, "", false)[0].dash).not.toBe("3 3");
    expect(mark(97, "", true)[0].dash).toBe("3 3");
  });

  it("are a dashed line with their label on a ground of its own", () => {
    const calls = mark(97, "failover");
    expect(calls[0]).toMatchObject({
      call: "stroke",
      path: "M 855.5 0 L 855.5 104",
      dash: "3 3",
      color: "--ink",
    });
    expect(calls.slice(1).map(inOneLine)).toEqual([
      "fillRect 858 2 56 15 --surface",
      'fillText "failover" 862 13 --ink',
    ]);
  });

  it("have their labels below each other where they would cover each other, and side by side where not", () => {
    const labels = (...at: readonly number[]): (readonly number[])[] =>
      painted({
        boxes: [],
        marks: at.map((second) => ({ at: second * SECOND, label: "failover", byRule: true })),
      })
        .filter(({ call }) => call === "fillText")
        .map(({ at: [x, y] }) => [x, y]);
    // 56 px wide; 30 ms a pixel.
    expect(labels(95, 97)).toEqual([
      [795, 13],
      [862, 13],
    ]);
    expect(labels(97, 96, 96.5)).toEqual([
      [829, 13],
      [845, 29],
      [862, 45],
    ]);
  });

  it("keep their label before now", () => {
    expect(mark(99.9, "failover")[1].at[0]).toBe(899);
  });

  it("without a label are a line, out of view nothing", () => {
    expect(mark(97, "")).toHaveLength(1);
    expect(mark(10, "x")).toEqual([]);
    expect(mark(100.1, "x")).toEqual([]);
  });
});

describe("the axis of the live picture", () => {
  const axis = (ticks: LiveScene["ticks"]): string[] =>
    drawn((context) => paintAxis(context, sceneOf({ ticks }), 36, 76)).map(inOneLine);

  it("has clock times in the middle over their ticks", () => {
    expect(axis([{ at: 97 * SECOND, label: "02:16:55" }])).toEqual([
      "fillRect 855 30 1 6 --line",
      'fillText "02:16:55" 831 22 --ink-2',
    ]);
  });

  it("leaves out labels that would leave the plot, or run under the time of now", () => {
    // Up to 917 - 4 px are free.
    expect(axis([{ at: 98 * SECOND, label: "02:16:56" }])).toHaveLength(2);
    expect(axis([{ at: 98.2 * SECOND, label: "02:16:56" }])).toHaveLength(1);
    expect(axis([{ at: 71.5 * SECOND, label: "02:16:30" }])).toHaveLength(1);
  });
});

describe("the track", () => {
  const bins = {
    width: SECOND,
    firstBin: 0,
    length: 4,
    p50: new Map([["localFlush", Float64Array.of(10_000, 10_000, Number.NaN, 10_000)]]),
    max: new Map([["localFlush", Float64Array.of(100_000, 10_000, Number.NaN, 10_000)]]),
  };
  /** A second per px. */
  const view: LiveView = { now: 4 * SECOND, width: 10, windowUs: 10 * SECOND };

  const paintedTrack = (ratio = 1, more: Partial<LiveScene> = {}) => {
    const { context, take } = drawLog();
    const canvas = { width: 0, height: 0, getContext: () => context } as unknown as HTMLCanvasElement;
    const track = paintTrack(canvas, sceneOf({ view, bins, ...more }), SECOND / 2, 4, ratio);
    return { track, canvas, calls: take() };
  };

  it("is drawn on a grid of columns that is fixed in time", () => {
    const { track, calls } = paintedTrack();
    expect([track.firstColumn, track.columns]).toEqual([0, 4]);
    expect(calls[0]).toMatchObject({ alpha: 0.3, color: "--p-disk", clip: ["R 0 0 4 104"] });
    // Two columns side by side, one without blocks, one more.
    const starts = [...(calls[0]?.path ?? "").matchAll(/M (\d)/gu)].map(([, x]) => Number(x));
    expect(starts).toEqual([0, 3]);
    expect(calls[0]?.path).toMatch(/^M 0 104 L 0 54 L 1 54 L 1 \S+ L 2 \S+ L 2 104 Z M 3 104/u);
  });

  it("is as fine as the screen", () => {
    const { canvas } = paintedTrack(1.5);
    expect([canvas.width, canvas.height]).toEqual([6, 156]);
  });

  it("is empty before the first bins", () => {
    expect(paintedTrack(1, { bins: null }).calls).toEqual([]);
  });

  it("has patterns where colors are forced", () => {
    const { calls } = paintedTrack(1, {
      boxes: [boxOf("hop0.secondaryFlush", 0, 104)],
      patterns: true,
      tokens: forcedTokens(themeTokens("light")),
    });
    expect(calls.some(({ call, color }) => call === "stroke" && color === "Canvas")).toBe(true);
  });

  it("covers a view whose left edge and whose now it holds", () => {
    const track: Track = { canvas: {} as HTMLCanvasElement, firstColumn: -6, columns: 10 };
    // From -6 s (now is 10 px from the left) to now.
    expect(edges(view)[0]).toBe(-6 * SECOND);
    expect(covers(track, view)).toBe(true);
    expect(covers({ ...track, firstColumn: -5 }, view)).toBe(false);
    expect(covers({ ...track, columns: 9 }, view)).toBe(false);
  });
});
