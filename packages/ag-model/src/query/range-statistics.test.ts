import { describe, expect, test } from "vitest";
import { modelOf, withPauses } from "../../test/model.ts";
import { rangeStatistics, slowCommits, slowestBlocks } from "./index.ts";

// Log writes of the primary of 1, 2, ... 8 ms, a second apart, two commits each.
const model = modelOf(
  Array.from({ length: 8 }, (_, i) => ({ at: i * 1e6, localFlush: (i + 1) * 1_000, commits: 2 })),
  { duration: 8e6 },
);

test("the rest beside a stretch has every block and commit that does not overlap it, once", () => {
  const rest = rangeStatistics(model, { from: 0, to: 8e6 }, { except: { from: 2e6, to: 4e6 } });
  expect([rest.blocks, rest.commits]).toEqual([6, 12]);
  // 1, 2, 5, 6, 7 and 8 ms.
  expect(rest.stages[0]?.localFlush).toMatchObject({ n: 6, mean: (29 / 6) * 1_000, max: 8_000 });
  expect(rest.gates.reduce((sum, n) => sum + n, 0)).toBe(12);
});

test("a block that reaches into the stretch is no part of the rest", () => {
  // The write of 3 ms ends 1 ms after the excluded range begins.
  const rest = rangeStatistics(
    model,
    { from: 0, to: 8e6 },
    { except: { from: 2e6 + 2_000, to: 2e6 + 2_500 } },
  );
  expect(rest.blocks).toBe(7);
});

test("it combines with a filter, and is nothing where the stretch covers all", () => {
  const slow = [
    {
      kind: "duration" as const,
      stage: "localFlush" as const,
      secondary: 0,
      comparison: { sign: ">" as const, amount: 2_500 },
    },
  ];
  // 3 to 8 ms without those of 3 and 4 ms.
  expect(
    rangeStatistics(model, { from: 0, to: 8e6 }, { filter: slow, except: { from: 2e6, to: 4e6 } }).blocks,
  ).toBe(4);
  const none = rangeStatistics(model, { from: 2e6, to: 4e6 }, { except: { from: 0, to: 8e6 } });
  expect([none.blocks, none.commits, none.commitLatency.n]).toEqual([0, 0, 0]);
});

describe("what a server stood still for", () => {
  // Sent after 250 µs; the secondary was unresponsive for nearly all of the second block's 2 s on the way out.
  const still = withPauses(
    modelOf([{ at: 0 }, { at: 1e6, hops: [{ wireOut: 2e6 }] }, { at: 4e6 }], { duration: 5e6 }),
    [[1, 1_000_300, 3_000_000]],
  );
  const whole = { from: 0, to: 5e6 };

  test("is told apart in the means of a range", () => {
    const { stages, paused } = rangeStatistics(still, whole);
    expect(stages[0].wireOut.mean).toBe((300 + 2e6 + 300) / 3);
    expect(paused).toEqual([{ replica: 1, stages: { wireOut: 2e6 / 3 } }]);
    expect(rangeStatistics(still, { from: 3.5e6, to: 5e6 }).paused).toEqual([null]);
  });

  test("is told apart in the rest beside a stretch, and of a filter's blocks", () => {
    const beside = (from: number, to: number) =>
      rangeStatistics(still, whole, { except: { from, to } }).paused;
    expect(beside(0, 900_000)).toEqual([{ replica: 1, stages: { wireOut: 1e6 } }]);
    expect(beside(1e6, 2e6)).toEqual([null]);
  });

  test("is said of a slow block and of its commits", () => {
    const order = { ...whole, descending: true, secondary: 0, limit: 2, offset: 0 };
    const { rows } = slowestBlocks(still, { ...order, sort: "remoteHarden" });
    expect(rows.map(({ row, paused }) => [row, paused])).toEqual([
      [1, { replica: 1, stages: { wireOut: 2e6 } }],
      [0, null],
    ]);
    const commits = slowCommits(still, { ...order, order: "waited" }).rows;
    expect(commits.map(({ paths }) => paths[0].paused)).toEqual([
      { replica: 1, stages: { wireOut: 2e6 } },
      null,
    ]);
  });
});
