import { describe, expect, test } from "vitest";
import { modelOf } from "../../test/model.ts";
import { filteredBlocks, type BlockFilter } from "./block-filter.ts";
import {
  commitWindow,
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
const filter = (least: number, limit: number, more: Partial<BlockFilter> = {}): BlockFilter => ({
  stage: "localFlush",
  secondary: 0,
  least,
  limit,
  ...more,
});
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
      ...filteredBlocks(own, filter(least, limit, { stage: "commit" })).rows,
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
    const figures = rangeStatistics(model, whole, wanted);
    expect(figures).toMatchObject({ blocks: 2, commits: 4 });
    expect(figures.stages[0]["localFlush"]).toMatchObject({ n: 2, p50: 3_500, max: 4_000 });
    expect(rangeStatistics(model, whole, filter(0, 1e9))).toEqual(rangeStatistics(model, whole));
  });
});
