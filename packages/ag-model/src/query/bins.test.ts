/** Bins of a range contain the figures of the rows that a plain walk over the tables puts into them. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { modelOf, type BlockSpec } from "../../test/model.ts";
import { durationKey } from "../columns/index.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import { commitWindow, findBlockAt, findLsn, overviewOf, slowestBlocks, windowOf } from "./index.ts";

const SPEC = fc.record({
  at: fc.integer({ min: 0, max: 999 }),
  localFlush: fc.integer({ min: 1, max: 9_000 }),
  commits: fc.integer({ min: 0, max: 3 }),
});
const SPECS = fc
  .array(SPEC, { minLength: 1, maxLength: 30 })
  .map((list) => list.toSorted((a, b) => a.at - b.at).map((spec) => ({ ...spec, at: spec.at * 1_000 })));
const BINS = fc.integer({ min: 1, max: 9 });

const rowsBetween = (times: Float64Array, from: number, to: number): number[] =>
  Array.from(times.keys()).filter((row) => times[row] >= from && times[row] < to);

const longest = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), 0);

describe("bins", () => {
  it("of the overview count and measure the rows that begin in them", () => {
    fc.assert(
      fc.property(SPECS, BINS, (specs, bins) => {
        const model = modelOf(specs);
        const [from, to] = [100_000, 900_000];
        const view = overviewOf(model, { from, to, bins, secondary: 0 });
        const width = (to - from) / bins;
        for (let bin = 0; bin < bins; bin++) {
          const edges = [from + bin * width, bin === bins - 1 ? to : from + (bin + 1) * width] as const;
          const rows = rowsBetween(model.blocks.time, ...edges);
          const commits = rowsBetween(model.commits.start, ...edges);
          const latencies = commits.map((row) => model.commits.end[row] - model.commits.start[row]);
          expect([view.blocks[bin], view.bytes[bin], view.commits[bin]]).toEqual([
            rows.length,
            rows.length * 512,
            commits.length,
          ]);
          expect(view.commitMax[bin]).toBe(commits.length > 0 ? longest(latencies) : null);
          // Every block spends 3,000 µs on the secondary's disk and 4,200 µs from send to acknowledgment.
          expect(view.stageSums["secondaryFlush"][bin]).toBeCloseTo(3_000 * rows.length, 3);
          for (const figure of [view.hardenP50, view.hardenP95, view.hardenP99, view.hardenMax])
            expect(figure[bin]).toBe(rows.length > 0 ? 4_200 : null);
        }
      }),
      { numRuns: 30 },
    );
  });

  it("of a window have the count, the largest and the median of the rows that begin in them", () => {
    fc.assert(
      fc.property(SPECS, BINS, (specs, bins) => {
        const model = modelOf(specs);
        const [from, to] = [100_000, 900_000];
        const view = windowOf(model, { from, to, limit: -1, bins });
        if (view.detail !== "bins") throw new Error("expected bins");
        const width = (view.to - view.from) / view.length;
        expect(Math.log2(width) % 1).toBe(0);
        expect(view.from % width).toBe(0);
        expect([from - view.from < width, view.to - to < width]).toEqual([true, true]);
        expect([view.from <= from, view.to >= to]).toEqual([true, true]);
        // The narrowest power of two for which `bins` cover the length.
        expect([width * bins >= to - from, (width / 2) * bins < to - from]).toEqual([true, true]);
        const edges = Array.from({ length: view.length + 1 }, (_, bin) => view.from + width * bin);
        const rowsOf = edges.slice(1).map((end, bin) => rowsBetween(model.blocks.time, edges[bin], end));
        expect([...view.count]).toEqual(rowsOf.map((rows) => rows.length));
        for (const lane of [view.slowest, ...Object.values(view.max), ...Object.values(view.p50)])
          expect(lane).toHaveLength(view.length);
        const writes = view.max[durationKey("localFlush", 0)];
        for (const [bin, rows] of rowsOf.entries()) {
          if (rows.length === 0) expect([writes[bin], view.slowest[bin]]).toEqual([Number.NaN, 0xffffffff]);
          else expect(writes[bin]).toBeCloseTo(longest(rows.map((row) => specs[row].localFlush)), 6);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe("the lanes of a window's bins", () => {
  const lanesWith = (secondaries: number): string[] => {
    const view = windowOf(modelOf([{ at: 0 }], { secondaries }), { from: 0, to: 1, limit: 0, bins: 1 });
    if (view.detail !== "bins") throw new Error("expected bins");
    expect(Object.keys(view.p50)).toEqual(Object.keys(view.max));
    return Object.keys(view.max).sort();
  };

  it("are the primary's once, and each secondary's", () => {
    const ofPrimary = lanesWith(0);
    expect(ofPrimary).toEqual([...new Set(ofPrimary)]);
    expect(ofPrimary).toContain("commit");
    expect(ofPrimary).toContain("localFlush");
    expect(ofPrimary.filter((key) => key.startsWith("hop"))).toEqual([]);
    const ofFirst = lanesWith(1).filter((key) => key.startsWith("hop0."));
    expect(ofFirst).toContain("hop0.secondaryFlush");
    expect(ofFirst).toContain("hop0.acknowledge");
    expect(lanesWith(1)).toEqual([...ofPrimary, ...ofFirst].sort());
    const ofSecond = ofFirst.map((key) => key.replace("hop0.", "hop1."));
    expect(lanesWith(2)).toEqual([...ofPrimary, ...ofFirst, ...ofSecond].sort());
  });
});

describe("an overview", () => {
  it("has the percentiles of the commits of a bin", () => {
    // 101 commits of 4,290 to 104,290 µs.
    const specs = Array.from({ length: 101 }, (_, i): BlockSpec => ({
      at: i,
      hops: [{ flush: 3_000 + 1_000 * i }],
    }));
    const view = overviewOf(modelOf(specs), { from: 0, to: 1_000, bins: 1, secondary: 0 });
    expect([view.commitP50, view.commitP95, view.commitP99, view.commitMax]).toEqual([
      [54_290],
      [99_290],
      [103_290],
      [104_290],
    ]);
    expect([view.hardenP50, view.hardenP95, view.hardenP99, view.hardenMax]).toEqual([
      [54_200],
      [99_200],
      [103_200],
      [104_200],
    ]);
    expect(view).toMatchObject({ from: 0, to: 1_000, binUs: 1_000 });
  });

  it("adds up the stages of blocks only of which every stage is known", () => {
    const model = modelOf([{ at: 0 }, { at: 10 }]);
    model.hops[0].received[1] = Number.NaN;
    const view = overviewOf(model, { from: 0, to: 1_000, bins: 1, secondary: 0 });
    expect(view.stageSums["send"]).toEqual([200]);
    expect(view.hardenMax).toEqual([4_200]);
    expect(view.blocks).toEqual([2]);
  });

  it("is about the secondary that is asked for", () => {
    const model = modelOf([{ at: 0, hops: [{}, { flush: 8_000 }] }], { secondaries: 2 });
    const view = overviewOf(model, { from: 0, to: 1_000, bins: 1, secondary: 1 });
    expect(view.hardenP50).toEqual([9_200]);
    expect(view.stageSums["secondaryFlush"]).toEqual([8_000]);
  });

  const idleOf = (gapUs: number, bins: number, from = 0, to = 20_000_000) =>
    // The first block ends at 4,290 µs.
    overviewOf(modelOf([{ at: 0 }, { at: 4_290 + gapUs }], { duration: 4_290 + gapUs }), {
      from,
      to,
      bins,
      secondary: 0,
    }).idle;

  it("marks time without blocks of over 2 s and over three bins", () => {
    expect(idleOf(2_000_000, 1_000)).toEqual([]);
    expect(idleOf(2_000_001, 1_000)).toEqual([[4_290, 2_004_291]]);
    // Bins of 1 s.
    expect(idleOf(3_000_000, 20)).toEqual([]);
    expect(idleOf(3_000_001, 20)).toEqual([[4_290, 3_004_291]]);
  });

  it("cuts a mark to the range in view", () => {
    expect(idleOf(9_000_000, 1_000, 1_000_000, 5_000_000)).toEqual([[1_000_000, 5_000_000]]);
    expect(idleOf(9_000_000, 1_000, 9_004_290, 10_000_000)).toEqual([]);
    expect(idleOf(9_000_000, 1_000, 0, 4_290)).toEqual([]);
  });

  it("knows a block that outlasts the ones after it, and time before the first and after the last", () => {
    const model = modelOf([{ at: 3_000_000, localFlush: 4_000_000 }, { at: 3_100_000 }], {
      duration: 10_000_000,
    });
    const { idle } = overviewOf(model, { from: 0, to: 10_000_000, bins: 1_000, secondary: 0 });
    expect(idle).toEqual([
      [0, 3_000_000],
      [7_000_090, 10_000_000],
    ]);
  });

  it("leaves out what is not covered for less than half a bin, and replicas without a file", () => {
    const uncovered = (covered: readonly [number, number], hasCapture = true) => {
      const model = modelOf([{ at: 5_000_000 }], {
        duration: 10_000_000,
        coverage: [[0, 10_000_000], covered],
      });
      const replicas = model.replicas.map((replica, r) => (r === 1 ? { ...replica, hasCapture } : replica));
      // Bins of 1 s.
      return overviewOf({ ...model, replicas }, { from: 0, to: 10_000_000, bins: 10, secondary: 0 })
        .uncovered;
    };
    expect(uncovered([499_999, 9_500_001])).toEqual([]);
    expect(uncovered([500_000, 9_500_000])).toEqual([
      [0, 500_000, 1],
      [9_500_000, 10_000_000, 1],
    ]);
    expect(uncovered([500_000, 9_500_000], false)).toEqual([]);
    expect(uncovered([20_000_000, 30_000_000])).toEqual([[0, 10_000_000, 1]]);
    expect(uncovered([-9, -5])).toEqual([[0, 10_000_000, 1]]);
  });
});

describe("a window of bins", () => {
  const slowestOf = (model: CaptureModel) => {
    const view = windowOf(model, { from: 0, to: 1_000, limit: 0, bins: 1 });
    if (view.detail !== "bins") throw new Error("expected bins");
    return view.slowest[0];
  };

  it("names the block with the longest commit, without commits the one with the longest remote harden", () => {
    expect(slowestOf(modelOf([{ at: 0 }, { at: 1, localFlush: 9_000 }, { at: 2 }]))).toBe(1);
    const quiet = [
      { at: 0 },
      { at: 1, hops: [{}, { flush: 7_000 }] },
      { at: 2, hops: [{ flush: 6_000 }, {}] },
    ];
    expect(
      slowestOf(
        modelOf(
          quiet.map((spec) => ({ ...spec, commits: 0 })),
          { secondaries: 2 },
        ),
      ),
    ).toBe(1);
    const equal = modelOf([{ at: 0 }, { at: 1 }]);
    expect(slowestOf(equal)).toBe(0);
    const unknown = modelOf([{ at: 0, commits: 0 }, { at: 1 }]);
    unknown.hops[0].ackProcessed[0] = Number.NaN;
    expect(slowestOf(unknown)).toBe(1);
  });

  it("has the lanes of every secondary once, those of the primary under one key", () => {
    const model = modelOf([{ at: 0, hops: [{}, { flush: 8_000 }] }], { secondaries: 2 });
    const view = windowOf(model, { from: 0, to: 1_000, limit: 0, bins: 1 });
    if (view.detail !== "bins") throw new Error("expected bins");
    expect([durationKey("secondaryFlush", 0), durationKey("secondaryFlush", 1), "commit"].map((key) => view.p50[key][0])).toEqual([3_000, 8_000, 9_290]); // prettier-ignore
    expect(Object.keys(view.max).toSorted()).toEqual(Object.keys(view.p50).toSorted());
    // Commits, three stages of the primary, and for each secondary fourteen stages and three spans.
    expect(Object.keys(view.max)).toHaveLength(1 + 3 + 2 * (14 + 3));
    const alone = windowOf(modelOf([{ at: 0 }], { secondaries: 0 }), {
      from: 0,
      to: 1_000,
      limit: 0,
      bins: 1,
    });
    if (alone.detail !== "bins") throw new Error("expected bins");
    expect(Object.keys(alone.max).toSorted()).toEqual(
      [
        "commit",
        ...(["commitQueue", "localFlush", "commitWakeUp"] as const).map((id) => durationKey(id, 0)),
      ].toSorted(),
    );
  });
});

describe("commits of a window", () => {
  it("are cut to the longest, the earlier of equals first", () => {
    const model = modelOf([{ at: 0 }, { at: 1, localFlush: 9_000 }, { at: 2 }, { at: 3, localFlush: 9_000 }]);
    const blocksOf = (limit: number) => [...commitWindow(model, { from: 0, to: 10, limit }).commits.block];
    expect([4, 3, 2, 1].map(blocksOf)).toEqual([[0, 1, 2, 3], [1, 3, 0], [1, 3], [1]]);
    expect(commitWindow(model, { from: 0, to: 10, limit: 1 }).commits).toMatchObject({
      length: 1,
      start: Float64Array.of(1),
      end: Float64Array.of(9_091),
      gate: Uint8Array.of(1),
      database: Uint16Array.of(0),
    });
  });
});

describe("finding a block", () => {
  it("finds every block of an LSN, twenty at most, also with a slot and in capitals", () => {
    const model = modelOf(Array.from({ length: 25 }, (_, i) => ({ at: i })));
    model.blocks.blockId.fill(0xabn << 32n);
    expect(findLsn(model, "ab:0").rows.map(({ row }) => row)).toEqual(
      Array.from({ length: 20 }, (_, i) => i),
    );
    expect(findLsn(model, " AB:0:1 ").rows).toHaveLength(20);
    expect(findLsn(model, "171:0").rows).toHaveLength(20);
    expect(findLsn(model, "0xab00000000").rows).toHaveLength(20);
  });

  it("reads short parts as hexadecimal first", () => {
    const model = modelOf([{ at: 0 }, { at: 1 }]);
    model.blocks.blockId.set([(34n << 32n) | 10n, (0x34n << 32n) | 0x10n]);
    expect(findLsn(model, "34:10").rows.map(({ row }) => row)).toEqual([1, 0]);
    // Eight digits and more are in the form in which the log prints it, never decimal.
    expect(findLsn(model, "00000034:10").rows.map(({ row }) => row)).toEqual([1]);
    expect(findLsn(model, "0000034:10").rows.map(({ row }) => row)).toEqual([1, 0]);
  });

  it("finds the block that begins at an instant, the next after it, else the last", () => {
    const model = modelOf([{ at: 10 }, { at: 20 }]);
    expect([0, 10, 11, 20, 21].map((us) => findBlockAt(model, us).rows[0].row)).toEqual([0, 0, 1, 1, 1]);
  });
});

describe("slow blocks", () => {
  const options = { from: 0, to: 100, descending: true, secondary: 0, limit: 10, offset: 0 } as const;

  it("come with unknown figures last, either way, and equals in order of time", () => {
    const model = modelOf([{ at: 0 }, { at: 1, localFlush: 1_000 }, { at: 2 }, { at: 3, localFlush: 9_000 }]);
    model.blocks.localFlushEnd[0] = Number.NaN;
    model.blocks.localFlushEnd[2] = Number.NaN;
    const order = (descending: boolean) =>
      slowestBlocks(model, { ...options, sort: "localFlush", descending }).rows.map(({ row }) => row);
    expect([order(true), order(false)]).toEqual([
      [3, 1, 0, 2],
      [1, 3, 0, 2],
    ]);
  });

  it("name the largest stage of the remote path, the first of equals, none where none is known", () => {
    const model = modelOf([
      { at: 0, hops: [{ send: 500, wireOut: 500, flush: 500, append: 40_000 }] },
      { at: 1 },
    ]);
    for (const name of ["sendStart", "received", "secondaryFlushStart", "ackBuilt", "ackDeparted"] as const)
      model.hops[0][name][1] = Number.NaN;
    for (const name of ["secondaryFlushEnd", "ackSent", "ackReceived", "ackProcessed"] as const)
      model.hops[0][name][1] = Number.NaN;
    const largest = slowestBlocks(model, { ...options, sort: "commit" }).rows.toSorted(
      (a, b) => a.row - b.row,
    );
    expect(largest.map(({ largest: stage }) => stage)).toEqual(["secondaryAppend", null]);
    expect(largest[1].stages).toMatchObject({ send: null, secondaryFlush: null, localFlush: 2_000 });
    const equal = modelOf([{ at: 0, hops: [{ send: 3_000, flush: 3_000 }] }]);
    expect(slowestBlocks(equal, { ...options, sort: "commit" }).rows[0].largest).toBe("send");
  });

  it("are those of the secondary that is asked for", () => {
    const model = modelOf([{ at: 0, hops: [{}, { flush: 8_000 }] }], { secondaries: 2 });
    const [row] = slowestBlocks(model, { ...options, sort: "remoteHarden", secondary: 1 }).rows;
    expect(row.stages).toMatchObject({ remoteHarden: 9_200, secondaryFlush: 8_000, commit: 9_290 });
    expect(row).toMatchObject({ database: 0, time: 0, localStart: 0 });
  });
});
