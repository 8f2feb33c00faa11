import { describe, expect, it } from "vitest";
import { modelOf } from "../../test/model.ts";
import {
  commitsAround,
  effectOf,
  onEveryPath,
  onLocalPath,
  onPathOf,
  rowsWithin,
  shareOfCommits,
  totalCommitTime,
} from "./effect.ts";

/** Four blocks with two commits each; they take 1, 2, 3 and 4 ms more than 4,290 µs. */
const model = modelOf(
  [1_000, 2_000, 3_000, 4_000].map((us, i) => ({
    at: i * 100_000,
    hops: [{ flush: 3_000 + us }],
    commits: 2,
  })),
);

it("commits around rows are those of the blocks in them, and all others", () => {
  const { inside, outside } = commitsAround(model, [[1, 3]]);
  expect([inside.n, inside.mean, outside.n, outside.mean]).toEqual([4, 6_790, 4, 6_790]);
  const { inside: first, outside: rest } = commitsAround(model, [[0, 1]]);
  expect([first.n, first.mean, rest.n, rest.mean]).toEqual([2, 5_290, 6, 7_290]);
  expect(effectOf(commitsAround(model, [[0, 4]]))).toEqual({
    p50Inside: 6_790,
    p50Outside: null,
    p95Inside: 8_290,
    p95Outside: null,
  });
  const without = modelOf([{ at: 0 }, { at: 1 }]);
  without.commits.block[1] = -1;
  expect(commitsAround(without, [[0, 2]]).outside.n).toBe(1);
});

describe("the share of commit latency that a time takes", () => {
  // Eight commits of 6,790 µs on average.
  const total = 8 * 6_790;

  it("counts each block's time for each of its commits", () => {
    expect(totalCommitTime(model)).toBe(total);
    expect(shareOfCommits(model, Float64Array.of(100, 0, 0, 400), onEveryPath)).toBeCloseTo(
      1_000 / total,
      12,
    );
  });

  it("counts blocks only on whose path it was, that is known and more than nothing", () => {
    const gates = modelOf([{ at: 0 }, { at: 100_000, localFlush: 9_000 }]);
    const all = 4_290 + 9_090;
    const us = Float64Array.of(10, 20);
    expect(shareOfCommits(gates, us, onLocalPath)).toBeCloseTo(20 / all, 12);
    expect(shareOfCommits(gates, us, onPathOf(0))).toBeCloseTo(10 / all, 12);
    expect(shareOfCommits(gates, us, onPathOf(1))).toBe(0);
    expect(shareOfCommits(gates, Float64Array.of(Number.NaN, -50), onEveryPath)).toBe(0);
    const unknown = modelOf([{ at: 0 }, { at: 100_000 }]);
    unknown.blocks.commitEnd[0] = Number.NaN;
    expect(shareOfCommits(unknown, us, onEveryPath)).toBeCloseTo(20 / 4_290, 12);
  });

  it("is never more than all of it, and unknown without a commit", () => {
    expect(shareOfCommits(model, new Float64Array(4).fill(1e6), onEveryPath)).toBe(1);
    const quiet = modelOf([{ at: 0, commits: 0 }]);
    expect(totalCommitTime(quiet)).toBe(0);
    expect(shareOfCommits(quiet, Float64Array.of(1), onEveryPath)).toBeNaN();
  });
});

it("rows within a window are those of the blocks that begin in it, at either end too", () => {
  // Blocks at 0, 100, 200 and 300 ms.
  expect(rowsWithin(model, 100_000, 200_000)).toEqual([1, 3]);
  expect(rowsWithin(model, 100_001, 199_999)).toEqual([2, 2]);
  expect(rowsWithin(model, -1, 1e9)).toEqual([0, 4]);
  expect(rowsWithin(model, 300_001, 1e9)).toEqual([4, 4]);
});
