/** Answers of a long capture before and after its columns are prepared. */
import { expect, test } from "vitest";
import { modelOf } from "../../test/model.ts";
import {
  prepareColumn,
  preparations,
  rangeStatistics,
  sequenceOfBlock,
  slowestBlocks,
  takePrepared,
  windowOf,
  type PreparedColumn,
} from "./index.ts";

const BLOCKS = 9_000;
const RANGE = { from: 200_000, to: 8_900_000 };

/** A block per millisecond; its time on the secondary's disk, and a period of 40 ms without a block. */
const flushOf = (block: number): number => 100 + ((block * 37) % 5_000);
const longModel = () =>
  modelOf(
    Array.from({ length: BLOCKS }, (_, block) => ({
      at: 1_000 * block + (block > 4_000 ? 40_000 : 0),
      commits: block % 3,
      hops: [{ flush: flushOf(block) }],
    })),
  );

function prepare(
  model: ReturnType<typeof longModel>,
  change = (prepared: PreparedColumn) => prepared,
): number {
  let columns = 0;
  for (const column of preparations(model)) {
    column.keep(change(prepareColumn(column)));
    columns++;
  }
  return columns;
}

const model = longModel();
const fresh = longModel();
const columns = prepare(model);

test("a block has its rank among all others", () => {
  for (const row of [0, 4_321, BLOCKS - 1])
    expect(sequenceOfBlock(model, row)).toEqual(sequenceOfBlock(fresh, row));
  const { rank, typical } = sequenceOfBlock(model, 100).hops[0].stages.find(
    ({ id }) => id === "secondaryFlush",
  )!;
  const flushes = Array.from({ length: BLOCKS }, (_, block) => flushOf(block)).toSorted((a, b) => a - b);
  expect(rank).toBeCloseTo((100 * flushes.filter((us) => us <= flushOf(100)).length) / BLOCKS, 9);
  expect(typical).toBe((flushes[BLOCKS / 2 - 1] + flushes[BLOCKS / 2]) / 2);
});

test("statistics and the slowest blocks of a long range are those of its blocks, one by one", () => {
  for (const each of [fresh, model]) {
    const view = rangeStatistics(each, RANGE);
    const { n, p50, p95, p99, max } = view.stages[0]["secondaryFlush"];
    // Blocks up to 8859 begin in the range.
    const values = Array.from({ length: n }, (_, k) => flushOf(8_860 - n + k)).toSorted((a, b) => a - b);
    const at = (share: number): number => {
      const rank = share * (n - 1);
      const [low, high] = [values[Math.floor(rank)], values[Math.ceil(rank)]];
      return low + (high - low) * (rank - Math.floor(rank));
    };
    expect(n).toBeGreaterThan(8_600);
    for (const [index, share] of [0.5, 0.95, 0.99, 1].entries())
      expect([p50, p95, p99, max][index]).toBeCloseTo(at(share), 3);
    expect(view.gates[0] + view.gates[1]).toBe(view.commits);
    const options = { ...RANGE, sort: "secondaryFlush", secondary: 0, limit: 3, offset: 1 } as const;
    const flushes = (descending: boolean) =>
      slowestBlocks(each, { ...options, descending }).rows.map(({ stages }) =>
        Math.round(stages.secondaryFlush ?? Number.NaN),
      );
    expect(flushes(true)).toEqual(values.slice(-4, -1).toReversed());
    expect(flushes(false)).toEqual(values.slice(1, 4));
    expect(slowestBlocks(each, { ...options, descending: true }).total).toBe(n);
  }
});

test("prepared bins of every width are those that are computed from the rows", () => {
  for (const [from, to, bins] of [
    [0, model.duration, 100],
    [0, model.duration, 512],
    [1_234_567, 7_654_321, 130],
    [3_950_000, 4_090_000, 4],
    [8_000_000, model.duration, 20],
  ]) {
    const options = { from, to, bins, limit: 10 };
    expect(windowOf(model, options)).toEqual(windowOf(fresh, options));
  }
});

test("bins of a filter that leaves many blocks are those of its blocks, one by one", () => {
  const comparison = { sign: ">", amount: 900 } as const;
  const filter = [{ kind: "duration", stage: "secondaryFlush", secondary: 0, comparison }] as const;
  for (const bins of [3, 40, 700]) {
    const options = { from: 0, to: model.duration, bins, limit: 10, filter };
    const found = windowOf(model, options);
    expect(found).toEqual(windowOf(fresh, options));
    const flushes = Array.from({ length: BLOCKS }, (_, block) => flushOf(block)).filter((us) => us > 900);
    expect(found.detail === "bins" && found.count.reduce((sum, count) => sum + count)).toBe(flushes.length);
  }
});

test("every lane's column and the longest commits are prepared, of a capture that is worth it, and bins come from there", () => {
  expect(columns).toBeGreaterThan(15);
  expect(prepare(modelOf([{ at: 0 }]))).toBe(0);
  const changed = longModel();
  prepare(changed, ({ ranks, levels }) => ({
    ranks,
    levels: levels.map(({ max, p50 }) => ({ max: max.fill(7), p50 })),
  }));
  const view = windowOf(changed, { from: 0, to: changed.duration, bins: 200, limit: 10 });
  expect(view.detail === "bins" && view.max["commit"][3]).toBe(7);
});

test("columns that were kept are taken step by step: bins come with the first, answers of ranks are those of before", () => {
  const opened = longModel();
  const kept = Array.from(preparations(longModel()), (column, place) => {
    const { ranks, levels } = prepareColumn(column);
    return { ranks, levels: levels.map(({ max, p50 }) => ({ max: max.fill(place), p50 })) };
  });
  const steps = takePrepared(opened, kept);
  steps.next();
  const view = windowOf(opened, { from: 0, to: opened.duration, bins: 200, limit: 10 });
  const maxima = view.detail === "bins" ? Object.values(view.max).map((column) => column[3]) : [];
  expect(maxima).toEqual(kept.slice(0, -1).map((_, place) => place));
  for (const _ of steps) expect(rangeStatistics(opened, RANGE)).toEqual(rangeStatistics(fresh, RANGE));
  expect(sequenceOfBlock(opened, 100)).toEqual(sequenceOfBlock(fresh, 100));
});
