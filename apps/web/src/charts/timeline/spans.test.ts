import { describe, expect, it } from "vitest";
import { LANES } from "../../../test/scene.ts";
import { binWindow, blockWindow, commitWindow } from "../../../test/window.ts";
import { splitByDatabase } from "../../lanes/split-lanes.ts";
import { layoutLane } from "./layout.ts";
import { buildBuffer, positionOf, type LaneSpans } from "./spans.ts";

const block = (at: number, gate = 2) => ({
  localFlushStart: at,
  localFlushEnd: at + 20,
  commitEnd: at + 90,
  gate,
  hops: [
    {
      sendStart: at,
      sendEnd: at + 5,
      received: at + 10,
      secondaryFlushStart: at + 15,
      secondaryFlushEnd: at + 35,
      ackSent: at + 40,
      ackReceived: at + 50,
      ackProcessed: at + 55,
    },
  ],
});

const barsOf = (spans: LaneSpans | undefined): number[][] =>
  Array.from(spans?.start ?? [], (start, i) => [start, spans!.end[i]]);

describe("bars of lanes", () => {
  const window = blockWindow([block(1_000), block(1_100, 1)], { firstRow: 40 });
  const buffer = buildBuffer(window, commitWindow([]), LANES, []);

  it("lie between the anchors of their lane", () => {
    expect(barsOf(buffer.spans.get("localFlush"))).toEqual([
      [1_000, 1_020],
      [1_100, 1_120],
    ]);
    expect(barsOf(buffer.spans.get("hop0.wireOut"))[0]).toEqual([1_005, 1_010]);
    expect(barsOf(buffer.spans.get("hop0.acknowledge"))[0]).toEqual([1_035, 1_040]);
  });

  it("of an acknowledgment last until the commits woke up that it released", () => {
    expect(barsOf(buffer.spans.get("hop0.ackReceive"))).toEqual([
      [1_050, 1_090],
      [1_150, 1_155],
    ]);
  });

  it("of a hop that a block never took are missing", () => {
    expect(barsOf(buffer.spans.get("hop1.wireOut"))).toEqual([
      [Number.NaN, Number.NaN],
      [Number.NaN, Number.NaN],
    ]);
    const alone = buildBuffer(
      blockWindow([block(0)], { secondaries: 1 }),
      commitWindow([]),
      LANES.filter(({ secondary, figure }) => secondary === 1 && figure === "wireOut"),
      [],
    );
    expect(barsOf(alone.spans.get("hop1.wireOut"))).toEqual([[Number.NaN, Number.NaN]]);
  });

  it("share the window's columns where no clock is moved", () => {
    expect(buffer.spans.get("localFlush")!.start).toBe(window.blocks.localFlushStart);
    expect(buffer.spans.get("hop0.secondaryFlush")!.end).toBe(window.hops[0].secondaryFlushEnd);
  });

  it("know their block, when it begins and the largest end so far", () => {
    const { block: position, time, reach } = buffer.spans.get("localFlush")!;
    expect([[...position], [...time], [...reach]]).toEqual([
      [0, 1],
      [1_000, 1_100],
      [1_090, 1_190],
    ]);
  });
});

describe("a moved clock", () => {
  const window = blockWindow([block(1_000)]);

  it("moves what that secondary wrote, and nothing else", () => {
    const buffer = buildBuffer(window, commitWindow([]), LANES, [300]);
    const bar = (key: string): number[] => barsOf(buffer.spans.get(key))[0];
    expect(bar("hop0.secondaryFlush")).toEqual([1_315, 1_335]);
    expect(bar("hop0.wireOut")).toEqual([1_005, 1_310]);
    expect(bar("hop0.wireBack")).toEqual([1_340, 1_050]);
    expect(bar("localFlush")).toEqual([1_000, 1_020]);
    expect(window.hops[0].received[0]).toBe(1_010);
  });

  it("lets a block reach further, whichever way it is moved", () => {
    const reach = (shift: readonly number[]): number =>
      buildBuffer(window, commitWindow([]), LANES, shift).spans.get("localFlush")!.reach[0];
    expect([reach([]), reach([300]), reach([-300]), reach([100, -400])]).toEqual([
      1_090, 1_390, 1_390, 1_490,
    ]);
  });
});

describe("commits", () => {
  const blocks = [block(0), block(100), block(200)];
  const spansOf = (
    commits: Parameters<typeof commitWindow>[0],
    rows = blockWindow(blocks, { firstRow: 7 }),
  ): LaneSpans => buildBuffer(rows, commitWindow(commits), LANES, []).spans.get("commit")!;

  it("are in the order of their start, with the position of their block in the window", () => {
    const spans = spansOf([
      [30, 90, 9],
      [10, 95, 7],
      [20, 60, 12],
      [25, 50, 6],
    ]);
    expect(barsOf(spans)).toEqual([
      [10, 95],
      [20, 60],
      [25, 50],
      [30, 90],
    ]);
    expect([...spans.block]).toEqual([0, -1, -1, 2]);
    expect([...spans.reach]).toEqual([95, 95, 95, 95]);
  });

  it("that come in order are taken as they are", () => {
    const given = commitWindow([
      [10, 20, 7],
      [10, 30, 8],
    ]);
    const { spans } = buildBuffer(blockWindow(blocks, { firstRow: 7 }), given, LANES, []);
    expect(spans.get("commit")!.start).toBe(given.commits.start);
    expect([...spans.get("commit")!.block]).toEqual([0, 1]);
  });

  it("find their block where rows are missing in the window too", () => {
    const rows = { ...blockWindow(blocks), row: Uint32Array.of(3, 8, 9) };
    expect([
      ...spansOf(
        [
          [10, 20, 8],
          [11, 20, 4],
          [12, 20, 9],
        ],
        rows,
      ).block,
    ]).toEqual([1, -1, 2]);
  });

  it("have none in an empty window", () => {
    expect([...spansOf([[10, 20, 8]], blockWindow([])).block]).toEqual([-1]);
  });
});

describe("a window of bins", () => {
  const buffer = buildBuffer(
    binWindow({ localFlush: { max: [1], p50: [1] } }),
    commitWindow([[10, 20, 3]]),
    LANES,
    [],
  );

  it("has bars of its commits only, whose blocks are not loaded", () => {
    expect([...buffer.spans.keys()]).toEqual(["commit"]);
    expect([...buffer.spans.get("commit")!.block]).toEqual([-1]);
    expect([buffer.blocks, buffer.bins?.length]).toEqual([null, 1]);
  });

  it("knows no block's position", () => {
    expect(positionOf(buffer, 3)).toBe(-1);
  });
});

describe("the position of a row", () => {
  const buffer = buildBuffer(
    blockWindow([block(0), block(100)], { firstRow: 40 }),
    commitWindow([]),
    LANES,
    [],
  );

  it("is its place in the window, -1 outside of it", () => {
    expect([40, 41, 42, null].map((row) => positionOf(buffer, row))).toEqual([0, 1, -1, -1]);
    expect(positionOf(null, 40)).toBe(-1);
  });
});

describe("lanes of one database", () => {
  const split = splitByDatabase(LANES, [
    { index: 0, name: "Sales1" },
    { index: 1, name: "Sales2" },
  ]);
  const isKnown = (spans: LaneSpans | undefined): boolean[] =>
    barsOf(spans).map(([from]) => !Number.isNaN(from));

  it("have its bars alone, each at the place that its block has in the window", () => {
    const window = blockWindow([block(1_000), block(1_100)]);
    window.blocks.database.set([0, 1]);
    // The second commit begins first: its database has to move with it.
    const commits = commitWindow([
      [1_190, 1_200, 1],
      [1_080, 1_090, 0],
    ]);
    commits.commits.database.set([1, 0]);
    const { spans } = buildBuffer(window, commits, split, []);
    expect(isKnown(spans.get("localFlush.db0"))).toEqual([true, false]);
    expect(isKnown(spans.get("localFlush.db1"))).toEqual([false, true]);
    expect(isKnown(spans.get("hop0.wireOut"))).toEqual([true, true]);
    expect(isKnown(spans.get("commit.db0"))).toEqual([true, false]);
    expect(isKnown(spans.get("commit.db1"))).toEqual([false, true]);
  });

  it("are drawn from its own bins where the window has bins", () => {
    const all = binWindow({ localFlush: { max: [9], p50: [4] } });
    const own = binWindow({ localFlush: { max: [7], p50: [3] } });
    const buffer = buildBuffer(all, commitWindow([]), split, [], { binsOf: new Map([[1, own]]) });
    const scale = { from: 0, to: 10_000, width: 1 };
    const maxOf = (key: string): number | undefined => {
      const lane = split.find((each) => each.key === key);
      const layout = lane && layoutLane(buffer, lane, scale, 0);
      return layout?.kind === "heat" ? layout.max[0] : undefined;
    };
    expect(maxOf("localFlush.db1")).toBe(7);
  });
});
