import { describe, expect, test } from "vitest";
import { modelOf } from "../../test/model.ts";
import { Gate } from "../replication/shapes/tables.ts";
import {
  countOfFiltered,
  filteredBlocks,
  filteredRows,
  type BlockCondition,
  type BlockFilter,
  type Comparison,
  type FilterStage,
} from "./block-filter.ts";
import {
  commitWindow,
  countHits,
  hitsOf,
  rangeStatistics,
  slowestBlocks,
  windowOf,
  type BinWindow,
  type BlockWindow,
} from "./index.ts";

// Log writes of the primary of 1, 2, ... 8 ms, a second apart, two commits each.
const model = modelOf(
  Array.from({ length: 8 }, (_, i) => ({ at: i * 1e6, localFlush: (i + 1) * 1_000, commits: 2 })),
  { duration: 8e6 },
);
const whole = { from: 0, to: 8e6 };
const filter = (amount: number, limit: number, stage: FilterStage = "localFlush"): BlockFilter => [
  { kind: "duration", stage, secondary: 0, comparison: { sign: "..", amount, limit } },
];
const rowsOf = (each: BlockFilter): number[] => [...filteredBlocks(model, each).rows];

describe("a filter by duration", () => {
  test("takes what is at its lower edge, and not what is at its upper one", () => {
    expect(rowsOf(filter(3_000, 5_000))).toEqual([2, 3]);
    expect(rowsOf(filter(3_000.001, 5_000.001))).toEqual([3, 4]);
    expect(rowsOf(filter(9_000, 1e6))).toEqual([]);
  });

  test("leaves out blocks without that duration", () => {
    const damaged = modelOf([{ at: 0 }, { at: 1e6 }]);
    damaged.blocks.localFlushStart[0] = Number.NaN;
    expect([...filteredBlocks(damaged, filter(-1e9, 1e9)).rows]).toEqual([1]);
  });

  test("of commits takes a block with one such commit, whatever the other takes", () => {
    const own = modelOf([
      { at: 0, commits: 2 },
      { at: 1e6, commits: 2 },
    ]);
    // The second commit of the first block takes 20 ms longer than the first.
    const short = own.commits.end[0] - own.commits.start[0];
    own.commits.end[1] += 20_000;
    const commits = (least: number, limit: number) => [
      ...filteredBlocks(own, filter(least, limit, "commit")).rows,
    ];
    expect(commits(short + 10_000, short + 30_000)).toEqual([0]);
    expect(commits(short, short + 1)).toEqual([0, 1]);
  });
});

describe("the blocks of a filter", () => {
  const wanted = filter(3_000, 5_000);

  test("come alone in a window, with their rows in the capture, and with their commits", () => {
    const window = windowOf(model, { ...whole, limit: 100, bins: 10, filter: wanted }) as BlockWindow;
    expect([window.detail, ...window.row]).toEqual(["blocks", 2, 3]);
    expect([...window.blocks.time]).toEqual([2e6, 3e6]);
    const { commits } = commitWindow(model, { ...whole, limit: 100, filter: wanted });
    expect([...commits.block]).toEqual([2, 2, 3, 3]);
    const part = windowOf(model, {
      from: 2.5e6,
      to: 8e6,
      limit: 100,
      bins: 10,
      filter: wanted,
    }) as BlockWindow;
    expect([...part.row]).toEqual([3]);
  });

  test("are the only ones that bins count", () => {
    const bins = windowOf(model, { ...whole, limit: 1, bins: 16, filter: wanted }) as BinWindow;
    expect(bins.detail).toBe("bins");
    expect([...bins.count].reduce((a, b) => a + b)).toBe(2);
    const binUs = (bins.to - bins.from) / bins.length;
    const at = (us: number): number => Math.floor((us - bins.from) / binUs);
    expect([bins.slowest[at(2e6)], bins.slowest[at(3e6)], bins.slowest[at(4e6)]]).toEqual([2, 3, 0xffffffff]);
    expect(bins.max["localFlush"][at(3e6)]).toBe(4_000);
    expect(bins.max["commit"][at(4e6)]).toBeNaN();
  });

  test("are the only ones among the slowest and in the figures of a range", () => {
    const options = {
      ...whole,
      sort: "localFlush",
      descending: true,
      secondary: 0,
      limit: 5,
      offset: 0,
    } as const;
    const slowest = slowestBlocks(model, { ...options, filter: wanted });
    expect([slowest.total, ...slowest.rows.map(({ row }) => row)]).toEqual([2, 3, 2]);
    expect(
      slowestBlocks(model, { ...options, offset: 1, filter: wanted }).rows.map(({ row }) => row),
    ).toEqual([2]);
    const figures = rangeStatistics(model, whole, { filter: wanted });
    expect(figures).toMatchObject({ blocks: 2, commits: 4 });
    expect(figures.stages[0]["localFlush"]).toMatchObject({ n: 2, p50: 3_500, max: 4_000 });
    expect(rangeStatistics(model, whole, { filter: filter(0, 1e9) })).toEqual(rangeStatistics(model, whole));
  });
});

describe("conditions", () => {
  // Two secondaries, with log writes, sizes, gates and databases set explicitly.
  const two = modelOf(
    [
      { at: 0, localFlush: 60_000, hops: [{ flush: 5_000 }, { flush: 10_000 }] },
      { at: 1e6, localFlush: 1_000, hops: [{ flush: 10_001 }, { flush: 50_000 }] },
      { at: 2e6, localFlush: 1_000, hops: [{ flush: 20_001 }, { flush: 50_001 }] },
      { at: 3e6, localFlush: 1_000, hops: [{ flush: 1_000 }, { flush: 1_000 }] },
    ],
    { secondaries: 2, duration: 4e6 },
  );
  two.blocks.size.set([512, 1_024, 61_440, Number.NaN]);
  two.blocks.gate.set([Gate.localFlush, Gate.ofSecondary(0), Gate.ofSecondary(1), Gate.unknown]);
  two.blocks.database.set([0, 0, 1, 1]);
  two.blocks.blockId.set([0x2200000167n, 0x22000001f7n, 0x2300000001n, 0x2300000002n]);
  const rows = (...conditions: BlockCondition[]): number[] => [...filteredBlocks(two, conditions).rows];
  const write = (comparison: Comparison, secondary: number | null = 1): BlockCondition => ({
    kind: "duration",
    stage: "secondaryFlush",
    secondary,
    comparison,
  });

  test("against one amount leave out or take what equals it", () => {
    expect(rows(write({ sign: ">", amount: 50_000 }))).toEqual([2]);
    expect(rows(write({ sign: ">=", amount: 50_000 }))).toEqual([1, 2]);
    expect(rows(write({ sign: "<", amount: 10_000 }))).toEqual([3]);
    expect(rows(write({ sign: "<=", amount: 10_000 }))).toEqual([0, 3]);
  });

  test("against nothing take what is more, and leave out what is nothing", () => {
    const idle = modelOf([{ at: 0, commitQueue: 0 }, { at: 1e6 }]);
    const queued = (sign: ">" | ">=" | "<" | "<="): number[] => {
      const comparison = { sign, amount: 0 };
      const condition = { kind: "duration", stage: "commitQueue", secondary: null, comparison } as const;
      return [...filteredBlocks(idle, [condition]).rows];
    };
    expect([queued(">"), queued(">="), queued("<"), queued("<=")]).toEqual([[1], [0, 1], [], [0]]);
  });

  test("without a replica take any secondary's, and log writes also the primary's", () => {
    expect(rows(write({ sign: ">", amount: 20_000 }, null))).toEqual([1, 2]);
    const any = { kind: "duration", stage: "logWrite", secondary: null } as const;
    expect(rows({ ...any, comparison: { sign: ">", amount: 50_000 } })).toEqual([0, 2]);
  });

  test("by size, gate, database, LSN", () => {
    expect(rows({ kind: "size", comparison: { sign: ">", amount: 512 } })).toEqual([1, 2]);
    expect(rows({ kind: "gate", secondary: null })).toEqual([0]);
    expect(rows({ kind: "gate", secondary: 1 })).toEqual([2]);
    expect(rows({ kind: "database", database: 1 })).toEqual([2, 3]);
    expect(rows({ kind: "lsn", first: "00000022:000001f7", last: "00000023:00000001" })).toEqual([1, 2]);
  });

  test("by the class of a log write, whose limits belong to the better class", () => {
    const writes = (writeClass: "good" | "reasonable" | "busy" | "bad", replica: number | null) =>
      rows({ kind: "class", writeClass, replica });
    expect(writes("good", 1)).toEqual([0, 3]);
    expect(writes("reasonable", 1)).toEqual([1]);
    expect(writes("busy", 2)).toEqual([1]);
    expect(writes("bad", 2)).toEqual([2]);
    expect(writes("bad", 0)).toEqual([0]);
    expect(writes("bad", null)).toEqual([0, 2]);
  });

  test("have to hold together", () => {
    const slow = write({ sign: ">", amount: 20_000 }, null);
    expect(rows(slow, { kind: "gate", secondary: 1 })).toEqual([2]);
    expect(rows(slow, { kind: "gate", secondary: null })).toEqual([]);
  });
});

describe("what the hits of a filter cost", () => {
  // 36 ms of log writes in total, 6 and 7 ms are hits; a commit of block i waits for its write and the work before and
  // after it.
  const wanted = filter(6_000, 8_000);

  test("is named per condition and for all, with what lies off view", () => {
    const waits = [...model.commits.start].map((start, i) => model.commits.end[i] - start);
    const all = waits.reduce((sum, us) => sum + us, 0);
    const waited = waits.slice(10, 14).reduce((sum, us) => sum + us, 0);
    const hits = hitsOf(model, { filter: wanted, from: 5.5e6, to: 5.9e6 });
    expect(hits).toMatchObject({ blocks: 2, commits: 4, before: 1, after: 1, first: 5e6, waitedUs: waited });
    expect(hits.last).toBe(model.blocks.timeEnd[6]);
    expect(hits.waitedShare).toBeCloseTo(waited / all, 12);
    expect(hits.conditions).toEqual([{ blocks: 2, share: 13_000 / 36_000, largest: 8_000 }]);
    expect(countHits(model, wanted)).toEqual({ blocks: 2, commits: 4 });
  });

  test("of two conditions at once are no fewer when each is counted again", () => {
    const [few, many] = [filter(5_000, 7_000), filter(1_000, 6_000)];
    expect(countHits(model, [...many, ...few]).blocks).toBe(1);
    expect([countHits(model, many).blocks, countHits(model, few).blocks]).toEqual([5, 2]);
  });

  test("of none is nothing, and the largest value is still named", () => {
    const none = hitsOf(model, { filter: filter(9_000, 1e9), ...whole });
    expect(none).toMatchObject({ blocks: 0, before: 0, after: 0, first: null, last: null, waitedUs: 0 });
    expect(none.conditions).toEqual([{ blocks: 0, share: 0, largest: 8_000 }]);
  });

  test("each condition is counted alone", () => {
    const both: BlockFilter = [...wanted, { kind: "gate", secondary: null }];
    const released = [...model.blocks.gate].filter((gate) => gate === Gate.localFlush).length;
    const { conditions } = hitsOf(model, { filter: both, ...whole });
    expect(conditions.map(({ blocks }) => blocks)).toEqual([2, released]);
  });
});

test("hits that run into a range are counted as those that begin in it", () => {
  const hits = filteredBlocks(model, filter(3_000, 6_000));
  const range = { before: Uint32Array.of(1, 2), first: 3, end: 6 };
  expect([...filteredRows(hits, range)]).toEqual([2, 3, 4]);
  expect(countOfFiltered(hits, range)).toBe(3);
});

test("hits come in the order they begin when they are asked for by time", () => {
  const options = { ...whole, descending: false, secondary: 0, limit: 5, offset: 0 } as const;
  const { rows } = slowestBlocks(model, { ...options, sort: "time", filter: filter(6_000, 9_000) });
  expect(rows.map(({ row }) => row)).toEqual([5, 6, 7]);
});
