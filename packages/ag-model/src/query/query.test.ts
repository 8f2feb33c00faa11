import fc from "fast-check";
import { expect, test } from "vitest";
import { blocksInRange, durationKey, spanColumn } from "../columns/index.ts";
import { diagnose } from "../diagnosis/index.ts";
import { REMOTE_PATH } from "../replication/shapes/stages.ts";
import {
  commitWindow,
  eventPlacesOf,
  findBlockAt,
  findLsn,
  overviewOf,
  rangeStatistics,
  sequenceOfBlock,
  slowestBlocks,
  summarise,
  takeStatistics,
  toSequenceEvent,
  captureInBins,
  windowOf,
  SLOWEST_SORTS,
} from "./index.ts";
import { modelOf } from "../../test/model.ts";

// Block 1 takes 100 ms on the secondary's disk and outlasts block 2; nothing happens between 0.2 s and 8 s.
const model = modelOf(
  [
    { at: 0 },
    { at: 50_000, hops: [{ flush: 100_000 }], commits: 3 },
    { at: 60_000, localFlush: 20_000 },
    { at: 8_000_000 },
  ],
  { duration: 10_000_000 },
);
const whole = { from: 0, to: 10_000_000 };

test("blocks overlap a range by their whole extent, not by their start", () => {
  expect([...blocksInRange(model, 120_000, 130_000)]).toEqual([1]);
  expect([...blocksInRange(model, 0, 60_000)]).toEqual([0, 1]);
  expect([...blocksInRange(model, 200_000, 7_000_000)]).toEqual([]);
});

test("the range search finds what a scan finds", () => {
  const spec = fc.record({
    at: fc.integer({ min: 0, max: 1_000_000 }),
    localFlush: fc.integer({ min: 0, max: 300_000 }),
  });
  const specs = fc.array(spec, { maxLength: 40 }).map((list) => list.toSorted((a, b) => a.at - b.at));
  const edge = fc.integer({ min: -10_000, max: 1_400_000 });
  fc.assert(
    fc.property(specs, edge, edge, (list, a, b) => {
      const [from, to] = [Math.min(a, b), Math.max(a, b)];
      const m = modelOf(list);
      const scan = list
        .map((_, row) => row)
        .filter((row) => m.blocks.time[row] < to && m.blocks.timeEnd[row] >= from);
      expect([...blocksInRange(m, from, to)]).toEqual(scan);
    }),
  );
});

test("the overview counts every block, byte and commit once and its stages add up to remote harden", () => {
  const view = overviewOf(model, { ...whole, bins: 7, secondary: 0 });
  const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
  expect(sum(view.blocks)).toBe(4);
  expect(sum(view.bytes)).toBe(4 * 512);
  expect(sum(view.commits)).toBe(6);
  const stages = REMOTE_PATH.map(({ id }) => sum(view.stageSums[id]));
  // Three blocks of 4,200 µs and one of 101,200.
  expect(sum(stages)).toBeCloseTo(3 * 4_200 + 101_200, 3);
  expect(view.commitMax[0]).toBeCloseTo(101_290, 3);
  expect(view.commitP50[3]).toBeNull();
});

test("time without blocks is idle only where every file covers it", () => {
  const view = overviewOf(model, { ...whole, bins: 100, secondary: 0 });
  // Block 1 ends at 50,000 + 50 queue + 101,200 remote + 40 wake-up; the last block is too close to the end.
  expect(view.idle).toEqual([[151_290, 8_000_000]]);
  expect(view.uncovered).toEqual([]);
  const partly = modelOf([{ at: 0 }, { at: 8_000_000 }], {
    duration: 10_000_000,
    coverage: [
      [0, 10_000_000],
      [1_000_000, 9_000_000],
    ],
  });
  const seen = overviewOf(partly, { ...whole, bins: 100, secondary: 0 });
  expect(seen.idle).toEqual([[1_000_000, 8_000_000]]);
  expect(seen.uncovered).toEqual([
    [0, 1_000_000, 1],
    [9_000_000, 10_000_000, 1],
  ]);
});

test("a window gives blocks up to the limit and bins above it", () => {
  const blocks = windowOf(model, { ...whole, limit: 4, bins: 2 });
  if (blocks.detail !== "blocks") throw new Error("expected blocks");
  expect([...blocks.row]).toEqual([0, 1, 2, 3]);
  expect([...blocks.hops[0].sendStart]).toEqual([...model.hops[0].sendStart]);
  expect(windowOf(model, { ...whole, limit: 3, bins: 2 }).detail).toBe("bins");
  const bins = captureInBins(model, 2);
  expect([...bins.count]).toEqual([3, 1]);
  expect([...bins.slowest]).toEqual([1, 3]);
  expect(bins.max[durationKey("secondaryFlush", 0)][0]).toBeCloseTo(100_000, 3);
  expect(bins.max["hop0.unseen"][0]).toBeCloseTo(100_900, 3);
  expect(bins.p50[durationKey("localFlush", 0)][0]).toBeCloseTo(2_000, 3);
  expect(bins.max["commit"][0]).toBeCloseTo(101_290, 3);
});

test("commits are cut to the longest", () => {
  const all = commitWindow(model, { ...whole, limit: 100 }).commits;
  expect([...all.block]).toEqual([0, 1, 1, 1, 2, 3]);
  expect([...commitWindow(model, { ...whole, limit: 4 }).commits.block]).toEqual([1, 1, 1, 2]);
});

test("a block is found by every spelling of its LSN, and by an instant", () => {
  // Blocks are 00000022:00000001 to 00000022:00000004; 0x22 is 34.
  const rowsOf = (text: string) => findLsn(model, text).rows.map(({ row }) => row);
  for (const text of [
    "00000022:00000002",
    "22:2",
    "34:2",
    "0x22:2",
    "00000022:00000002:0003",
    "146028888066",
    "0x2200000002",
  ])
    expect(rowsOf(text), text).toEqual([1]);
  for (const text of ["", "22", "22:9", "02:17:41", "x:y", "9".repeat(400)])
    expect(rowsOf(text), text).toEqual([]);
  expect(findLsn(model, "22:2").rows[0]).toEqual({
    row: 1,
    database: 0,
    lsn: "00000022:00000002",
    time: 50_000,
  });
  expect(findBlockAt(model, 50_001).rows[0].row).toBe(2);
  expect(findBlockAt(model, 9_000_000).rows[0].row).toBe(3);
  expect(findBlockAt(modelOf([]), 0).rows).toEqual([]);
});

test("slowest blocks in either order, page by page", () => {
  const options = { ...whole, sort: "commit", descending: true, secondary: 0, limit: 2, offset: 0 } as const;
  const first = slowestBlocks(model, options);
  expect(first.total).toBe(4);
  expect(first.rows[0].localStart).toBe(
    model.blocks.localFlushStart[first.rows[0].row] - model.hops[0].sendStart[first.rows[0].row],
  );
  expect(first.rows.map((r) => r.row)).toEqual([1, 2]);
  expect(first.rows[0]).toMatchObject({
    lsn: "00000022:00000002",
    largest: "secondaryFlush",
    commits: 3,
    gate: 2,
  });
  expect(first.rows[0].stages).toMatchObject({
    secondaryFlush: 100_000,
    remoteHarden: 101_200,
    commit: 101_290,
  });
  expect(slowestBlocks(model, { ...options, offset: 3 }).rows).toHaveLength(1);
  expect(slowestBlocks(model, { ...options, sort: "localFlush" }).rows[0].row).toBe(2);
  expect(slowestBlocks(model, { ...options, descending: false }).rows[0].row).not.toBe(1);
});

// The capture lag of every handmade block is 0.
test.each(SLOWEST_SORTS.filter((sort) => sort !== "captureLag"))(
  "blocks are ordered by %s, either way, and those without it come last",
  (sort) => {
    // Each stage of a block lasts a share of its own of the block's number; one block was never sent.
    const numbers = [3, 8, 1, 6, 2];
    const own = modelOf(
      numbers.map((n, i) => ({
        at: i * 1_000_000,
        commitQueue: 10 * n,
        localFlush: 1_000 * n,
        wakeUp: 5 * n,
        hops: [
          {
            send: 100 * n,
            compression: 7 * n,
            wireOut: 90 * n,
            append: 80 * n,
            decompression: 6 * n,
            flush: 900 * n,
            ackBuild: 70 * n,
            ackSend: 60 * n,
            wireBack: 50 * n,
            ackReceive: 40 * n,
          },
        ],
      })),
    );
    for (const column of Object.values(own.hops[0]))
      if (column instanceof Float64Array) column[4] = Number.NaN;
    const rowsOf = (descending: boolean): number[] => {
      const options = { from: 0, to: Infinity, sort, descending, secondary: 0, limit: 10, offset: 0 };
      return slowestBlocks(own, options).rows.map(({ row }) => row);
    };
    // These stages are on the primary alone, so the block that was not sent has them: 2, between 1 and 3.
    const isKnown = ["commit", "commitQueue", "localFlush"].includes(sort);
    if (isKnown)
      expect([rowsOf(true), rowsOf(false)]).toEqual([
        [1, 3, 0, 4, 2],
        [2, 4, 0, 3, 1],
      ]);
    else
      expect([rowsOf(true), rowsOf(false)]).toEqual([
        [1, 3, 0, 2, 4],
        [2, 0, 3, 1, 4],
      ]);
  },
);

test("statistics of a range count what overlaps it", () => {
  const view = rangeStatistics(model, { from: 100_000, to: 140_000 });
  expect(view).toMatchObject({ blocks: 1, commits: 3, gates: [0, 3] });
  expect(view.stages[0]["secondaryFlush"]).toMatchObject({ n: 1 });
  expect(view.stages[0]["secondaryFlush"].p50).toBeCloseTo(100_000, 3);
  // Build 100 and send 100; network 300 + 300, append 100, flush 100,000 and the acknowledgment's 200.
  expect(view.stages[0]["acknowledge"].p50).toBeCloseTo(200, 3);
  expect(view.stages[0]["unseen"].p50).toBeCloseTo(100_900, 3);
  // The acknowledgment takes 100 to process and released the commits, which woke up 40 later.
  expect(view.stages[0]["ackWakeUp"].p50).toBeCloseTo(140, 3);
});

test("an acknowledgment that released nothing ends when it is processed", () => {
  const row = model.blocks.gate.indexOf(1);
  expect(spanColumn(model, 0, "ackWakeUp")[row]).toBeCloseTo(100, 3);
});

test("a sequence ranks its stages against the capture", () => {
  const found = sequenceOfBlock(model, 1);
  expect(found).toMatchObject({
    row: 1,
    lsn: "00000022:00000002",
    gate: 2,
    previousInTime: 0,
    nextInTime: 2,
  });
  const [hop] = found.hops;
  expect(hop.remoteHarden).toBeCloseTo(101_200, 3);
  expect(hop.remoteHardenRank).toBe(100);
  const flush = hop.stages.find((s) => s.id === "secondaryFlush")!;
  expect(flush.share).toBeCloseTo(100_000 / 101_200, 6);
  expect(flush.typical).toBeCloseTo(3_000, 3);
  expect(flush).toMatchObject({ rank: 100, obtained: "measured", uncertaintyUs: null });
  expect(hop.stages.find((s) => s.id === "wireOut")).toMatchObject({ uncertaintyUs: 100 });
  expect(found.commits).toHaveLength(3);
  expect(found.commits[0]).toMatchObject({ queued: 50, gate: 2 });
  expect(found.commits[0].wokenAfter).toBeCloseTo(40, 3);
  expect(sequenceOfBlock(model, 0).previousInTime).toBeNull();
  expect(() => sequenceOfBlock(model, 4)).toThrow(RangeError);
});

test("a raw event says when it began, in its own unit", () => {
  const [place] = eventPlacesOf(model, 1);
  expect(place).toMatchObject({ file: 0, offset: 1_100 });
  const id = 0x22_0000_0002n;
  const sent = toSequenceEvent(model, place, {
    name: "hadr_log_block_send_complete",
    ticks: 131_069_746_150_000_000n,
    fields: {
      log_block_id: id,
      total_processing_time: 200n,
      has_been_sent: true,
      raw: Uint8Array.of(1, 255),
    },
    actions: { big: 2n ** 60n },
  });
  expect(sent).toMatchObject({
    replica: 0,
    lsn: "00000022:00000002",
    begin: place.fire - 200,
    duration: 200,
    durationUnit: "µs",
    timestamp: "2016-05-06T02:16:55.0000000Z",
    fields: { log_block_id: Number(id), has_been_sent: true, raw: "0x01ff" },
    actions: { big: "1152921504606846976" },
    file: "primary.xel",
  });
  const written = toSequenceEvent(model, place, {
    name: "log_flush_complete",
    ticks: 131_069_746_150_000_000n,
    fields: { duration: 7 },
    actions: {},
  });
  expect(written).toMatchObject({ begin: null, duration: 7, durationUnit: "ms", lsn: null, byPublish: true });
  const started = toSequenceEvent(model, place, {
    name: "log_flush_start",
    ticks: 131_069_746_150_000_000n,
    fields: { start_timestamp: 352_104_223_666n },
    actions: {},
  });
  expect(started.byPublish).toBe(false);
});

test("the summary holds shares of the mean, classes and gates", () => {
  const summary = summarise(model, "id", "name", diagnose(model));
  expect(summary.commits).toMatchObject({ count: 6, gates: [1, 5] });
  expect(summary.common).toEqual([0, 10_000_000]);
  expect(summary.flushClasses).toEqual([
    { good: 3, reasonable: 1, busy: 0, bad: 0 },
    { good: 3, reasonable: 0, busy: 0, bad: 1 },
  ]);
  // SQL2's files have no log write: the number of good ones is unknown, not 0.
  const secondaryFlushEnd = new Float64Array(model.blocks.length).fill(Number.NaN);
  const without = { ...model, hops: [{ ...model.hops[0], secondaryFlushEnd }] };
  expect(summarise(without, "id", "name", diagnose(without)).flushClasses).toEqual([
    summary.flushClasses[0],
    null,
  ]);
  const shares = Object.values(summary.shares[0]);
  expect(shares.reduce<number>((a, b) => a + (b ?? 0), 0)).toBeCloseTo(1, 9);
  expect(summary.shares[0]["secondaryFlush"]).toBeCloseTo(109_000 / 113_800, 9);
});

test("an opened capture takes its statistics from its summary, and answers as the one that was summarised", () => {
  const summary = JSON.parse(JSON.stringify(summarise(model, "id", "name", diagnose(model)))) as ReturnType<
    typeof summarise
  >;
  const opened = { ...model };
  takeStatistics(opened, summary);
  expect(sequenceOfBlock(opened, 1)).toEqual(sequenceOfBlock(model, 1));
  expect(rangeStatistics(opened, whole)).toEqual(rangeStatistics(model, whole));

  const [stages] = summary.stages;
  const other = { ...stages, localFlush: { ...stages["localFlush"], p50: 77 } };
  const taken = { ...model };
  takeStatistics(taken, { ...summary, stages: [other] });
  expect(sequenceOfBlock(taken, 1).hops[0].typical.localFlush).toBe(77);
});
