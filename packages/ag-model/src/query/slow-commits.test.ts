import { expect, test } from "vitest";
import { modelOf, withCommitMode } from "../../test/model.ts";
import { slowCommits } from "./index.ts";

// A healthy path takes 4,200 µs after 50 µs in the queue, and a commit wakes up 40 µs after it.
const model = modelOf([
  { at: 0 },
  { at: 50_000, hops: [{ flush: 100_000 }] },
  { at: 400_000, localFlush: 20_000 },
]);
const ALL = {
  from: 0,
  to: Infinity,
  order: "waited",
  secondary: 0,
  limit: 10,
  offset: 0,
} as const;

test("commits are ordered by their wait, with what released them, its other side and the largest stage", () => {
  const { total, rows } = slowCommits(model, ALL);
  expect(total).toBe(3);
  expect(rows.map(({ block }) => block)).toEqual([1, 2, 0]);
  const [remote, local] = rows;
  expect(remote).toMatchObject({ start: 50_000, releasedBy: 1, largest: "secondaryFlush" });
  expect(remote.waited).toBeCloseTo(50 + 101_200 + 40, 3);
  expect(remote.queued).toBeCloseTo(50, 3);
  expect(remote.wokenAfter).toBeCloseTo(40, 3);
  expect(remote.paths[0].stages.secondaryFlush).toBeCloseTo(100_000, 3);
  // The primary's write releases the commit on its own; the acknowledgment arrived before.
  expect(local).toMatchObject({ releasedBy: null, gate: 1, largest: "localFlush" });
  // 50 and 20,000 µs of the local log write; 50 and 4,200 of the path.
  expect(local.otherEarlierBy).toBeCloseTo(20_050 - 4_250, 3);
});

test("the fewest commits that hold half of all waiting are counted", () => {
  const { waitedUs, half } = slowCommits(model, ALL);
  // 50 + 4,200 + 40, then 50 + 101,200 + 40, then 50 + 20,000 + 40.
  expect(waitedUs).toBeCloseTo(4_290 + 101_290 + 20_090, 3);
  expect(half).toBe(1);
  const even = modelOf([{ at: 0 }, { at: 50_000 }, { at: 100_000 }]);
  expect(slowCommits(even, ALL).half).toBe(2);
  expect(slowCommits(modelOf([]), ALL)).toMatchObject({ total: 0, half: 0, waitedUs: 0, rows: [] });
});

test("pages, order by time and range", () => {
  const blocks = (options: object) =>
    slowCommits(model, { ...ALL, ...options }).rows.map(({ block }) => block);
  expect(blocks({ limit: 1, offset: 1 })).toEqual([2]);
  expect(blocks({ order: "time" })).toEqual([0, 1, 2]);
  expect(blocks({ from: 300_000 })).toEqual([2]);
  expect(slowCommits(model, { ...ALL, from: 300_000 }).total).toBe(1);
});

test("of a filter's blocks, sum and half are of their commits alone", () => {
  const slow = [
    {
      kind: "duration" as const,
      stage: "secondaryFlush" as const,
      secondary: null,
      comparison: { sign: ">" as const, amount: 50_000 },
    },
  ];
  const { total, half, waitedUs, rows } = slowCommits(model, { ...ALL, filter: slow });
  expect({ total, half, blocks: rows.map(({ block }) => block) }).toEqual({ total: 1, half: 1, blocks: [1] });
  expect(waitedUs).toBeCloseTo(101_290, 3);
});

test("a commit whose block is not in the capture has its wait alone", () => {
  const without = { ...model, commits: { ...model.commits, block: Int32Array.of(0, -1, 2) } };
  const row = slowCommits(without, ALL).rows.find(({ block }) => block === null)!;
  expect(row).toMatchObject({ lsn: null, paths: [], queued: null, otherEarlierBy: null });
  expect(row.waited).toBeCloseTo(101_290, 3);
});

test("the other side of a local write is the last replica that a commit waits for, and none that acknowledges later", () => {
  // SQL2 acknowledges after 4,200 µs, SQL3 after 14,200; the write lasts 20,000.
  const two = modelOf([{ at: 0, localFlush: 20_000, hops: [{}, { wireOut: 10_300 }] }], { secondaries: 2 });
  const earlierBy = (model: typeof two) => slowCommits(model, ALL).rows[0].otherEarlierBy;
  expect(earlierBy(two)).toBeCloseTo(20_000 - 14_200, 3);
  expect(earlierBy(withCommitMode(two, 2, "async"))).toBeCloseTo(20_000 - 4_200, 3);
  const away = modelOf([{ at: 0, localFlush: 20_000, hops: [{}, { wireOut: 10_300 }] }], { secondaries: 2 });
  away.hops[1].ackProcessed[0] = 3_000_000;
  expect(earlierBy(away)).toBeCloseTo(20_000 - 4_200, 3);
  away.hops[0].ackProcessed[0] = 3_000_000;
  expect(earlierBy(away)).toBeNull();
});

test("the path of a commit is that of the replica that released it, else of the chosen one", () => {
  const two = modelOf(
    [
      { at: 0, hops: [{}, { wireOut: 50_300 }] },
      { at: 200_000, hops: [{ flush: 40_000 }, {}] },
      { at: 400_000, localFlush: 20_000, hops: [{}, {}] },
    ],
    { secondaries: 2 },
  );
  const paths = (secondary: number) =>
    slowCommits(two, { ...ALL, order: "time", secondary }).rows.map((row) => [
      row.releasedBy,
      row.secondary,
      row.largest,
    ]);
  const released = [
    [2, 1, "wireOut"],
    [1, 0, "secondaryFlush"],
  ];
  expect(paths(0)).toEqual([...released, [null, 0, "localFlush"]]);
  expect(paths(1)).toEqual([...released, [null, 1, "localFlush"]]);
});
