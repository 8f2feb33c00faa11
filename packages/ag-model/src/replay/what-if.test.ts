import { describe, expect, it } from "vitest";
import { modelOf, withCommitMode, withPauses, type BlockSpec } from "../../test/model.ts";
import type { CaptureModel } from "../replication/index.ts";
import { parseChange } from "./changes.ts";
import { predict } from "./what-if.ts";

/**
 * Two secondaries: a block needs 4,250 µs from its commit to SQL2's acknowledgment (50 queue, 200 send, 300 out, 100
 * append, 3,000 write, 200 acknowledge, 300 back, 100 receive), SQL3's write takes 20,000 instead of 3,000; wake-up 40.
 */
const SLOW = { flush: 20_000 };
const FAR_APART: readonly BlockSpec[] = [0, 100_000, 200_000].map((at) => ({ at, hops: [{}, SLOW] }));
const two = modelOf(FAR_APART, { secondaries: 2 });

const p50Of = (model: CaptureModel, change: string): number =>
  Math.round(predict(model, parseChange(model, change)).predicted.p50);

describe("commits without a queue", () => {
  it.each([
    ["async:SQL3", 4_290],
    ["async:SQL2", 21_290],
    ["write:SQL3:as:SQL2", 4_290],
    ["write:SQL3:5ms", 6_290],
    ["write:SQL3:p50", 21_290],
    ["write:SQL3:p50=5ms,p95=5ms", 6_290],
    ["write:SQL1:30ms", 30_090],
    ["network:SQL3:100us", 20_790],
    ["network:SQL3:10ms", 30_690],
    ["compression:SQL3:0us", 21_260],
    ["compression:SQL3:5ms", 26_260],
  ])("with %s they take %d µs", (change, us) => {
    expect(p50Of(two, change)).toBe(us);
  });

  it("still wait for a server that stood still when the network is faster", () => {
    const model = modelOf([
      { at: 0 },
      { at: 100_000, hops: [{ wireOut: 2_000_000 }] },
      { at: 3_000_000, hops: [{ wireBack: 2_000_000 }] },
    ]);
    const paused = withPauses(model, [
      [1, 50_000, 2_100_250],
      [0, 3_001_000, 5_004_000],
    ]);
    const { replayed } = predict(paused, parseChange(paused, "network:SQL2:200us"));
    // 4,290 with 100 instead of 300 each way; the second keeps its way out, the third its way back.
    expect([...replayed.predicted.latency]).toEqual([
      3_890,
      4_290 - 200 - 300 + 2_000_000,
      4_290 - 200 - 300 + 2_000_000,
    ]);
    const slow = predict(model, parseChange(model, "network:SQL2:200us"));
    expect([...slow.replayed.predicted.latency]).toEqual([3_890, 3_890, 3_890]);
  });

  it("are released by another replica or the local log write then", () => {
    const both = predict(two, parseChange(two, "async:SQL3"));
    expect(both.releasesMeasured).toEqual([0, 0, 0, 3]);
    expect(both.releasesPredicted).toEqual([0, 0, 3, 0]);
    const one = modelOf([{ at: 0 }, { at: 50_000 }]);
    const alone = predict(one, parseChange(one, "async:SQL2"));
    expect(alone.releasesPredicted).toEqual([2, 0, 0]);
    // 50 until the write, 2,000 for it, 40 to wake up.
    expect(alone.predicted.p50).toBe(2_090);
  });

  it("wait for an asynchronous replica made synchronous", () => {
    const async = withCommitMode(two, 2, "async");
    const quick = withEnds(async, (end) => end - 17_000);
    expect(predict(quick, parseChange(quick, "sync:SQL3")).measured.p50).toBe(4_290);
    expect(p50Of(quick, "sync:SQL3")).toBe(21_290);
  });

  it("do not wait for a replica whose acknowledgment came after they ended", () => {
    // SQL2's acknowledgment was processed at 4,250, the commits ended at 4,290 without SQL3's.
    const undetermined = withCommitMode(
      withEnds(two, (end) => end - 17_000),
      2,
      "undetermined",
    );
    const found = predict(undetermined, parseChange(undetermined, "async:SQL2"));
    expect(found.predicted.p50).toBe(2_090);
  });
});

describe("queues", () => {
  // The second block arrives at 1,550 while SQL2 writes the first (650 to 20,650), and is written from 20,651.
  const queued = modelOf([
    { at: 0, hops: [SLOW] },
    { at: 1_000, hops: [{ ...SLOW, append: 19_101 }] },
  ]);

  it("in front of a secondary's writes follow from the new duration", () => {
    const { replayed } = predict(queued, parseChange(queued, "write:SQL2:5ms"));
    // Written from 650 to 5,650 and from 5,651 to 10,651.
    expect([...replayed.predicted.latency]).toEqual([6_290, 10_291]);
    expect([...replayed.measured.latency]).toEqual([21_290, 40_291]);
  });

  it("are gone when writes are fast enough", () => {
    const { replayed } = predict(queued, parseChange(queued, "write:SQL2:500us"));
    expect([...replayed.predicted.latency]).toEqual([1_790, 1_790].map((us) => Math.max(us, 2_090)));
  });

  it("in front of the primary's writes put commits into other blocks", () => {
    // The third commit began during the first write and shared the second; with 1 ms it has a write of its own.
    const primary = modelOf([
      { at: 0, localFlush: 20_000 },
      { at: 1_000, commitQueue: 19_051, localFlush: 20_000 },
    ]);
    const start = Float64Array.of(0, 1_000, 5_000);
    const end = Float64Array.of(20_090, 40_091, 40_091);
    const more = {
      ...primary,
      commits: {
        ...primary.commits,
        length: 3,
        start,
        end,
        block: Int32Array.of(0, 1, 1),
        database: new Uint16Array(3),
        gate: new Uint8Array(3).fill(1),
        timeToCommit: end.map((instant, i) => instant - start[i]),
      },
    };
    const { replayed, ownError } = predict(more, parseChange(more, "write:SQL1:1ms"));
    // The primary's writes start at 50, 1,051 and 5,050. The secondary's take 3,000 and are now so close together that
    // they queue: from 650, 3,650 and 6,650; 600 later the acknowledgment is processed, 40 later commits wake up.
    expect([...replayed.predicted.latency]).toEqual([4_290, 7_290 - 1_000, 10_290 - 5_000]);
    expect(ownError).toBeLessThan(0.001);
    // If it is unknown when a block was sent, it arrives as much earlier as it is written.
    const [hop] = more.hops;
    const unsent = { ...more, hops: [{ ...hop, sendEnd: hop.sendEnd.with(1, Number.NaN) }] };
    const same = predict(unsent, parseChange(unsent, "write:SQL1:1ms"));
    expect([...same.replayed.predicted.latency]).toEqual([4_290, 7_290 - 1_000, 10_290 - 5_000]);
  });
});

it("an acknowledgment of several blocks was built for the last of them: the others need not wait for it", () => {
  // The last two are written one after the other, 20 ms each, and one acknowledgment at the end covers both.
  const model = modelOf([
    { at: 0, hops: [SLOW] },
    { at: 100_000, hops: [SLOW] },
    { at: 101_000, hops: [{ ...SLOW, append: 19_101 }] },
  ]);
  const [hop] = model.hops;
  for (const anchor of ["ackBuilt", "ackDeparted", "ackSent", "ackReceived", "ackProcessed"] as const)
    hop[anchor][1] = hop[anchor][2];
  const end = hop.ackProcessed.map((instant) => instant + 40);
  const covered = { ...model, commits: { ...model.commits, end } };
  const { replayed } = predict(covered, parseChange(covered, "write:SQL2:5ms"));
  expect([...replayed.measured.latency]).toEqual([21_290, 41_291, 40_291]);
  // Written until 5,650 and 10,651; 600 until the acknowledgment is processed, 40 to wake up.
  expect([...replayed.predicted.latency]).toEqual([6_290, 6_290, 10_291]);
});

it("more commits than go through the replay at once are all predicted alike", () => {
  const many = modelOf(Array.from({ length: 9_000 }, (_, i) => ({ at: i * 100_000, hops: [SLOW] })));
  const { replayed } = predict(many, parseChange(many, "write:SQL2:5ms"));
  expect([...new Set(replayed.predicted.latency.map(Math.round))]).toEqual([6_290]);
  expect([...new Set(replayed.measured.latency.map(Math.round))]).toEqual([21_290]);
});

describe("what is said of a prediction", () => {
  it("leaves out commits whose block is not fully joined", () => {
    const hole = modelOf(FAR_APART, { secondaries: 2 });
    hole.hops[0].ackProcessed[1] = Number.NaN;
    const { commits, of } = predict(hole, parseChange(hole, "async:SQL3"));
    expect([commits, of]).toEqual([2, 3]);
    // Data that one change requires may be unnecessary for another change.
    const part = modelOf(FAR_APART, { secondaries: 2 });
    part.hops[1].secondaryFlushStart[1] = Number.NaN;
    const measured = (change: string) => predict(part, parseChange(part, change)).measured.n;
    expect(["async:SQL2", "write:SQL3:5ms", "async:SQL2"].map(measured)).toEqual([3, 2, 3]);
    const none = modelOf(FAR_APART, { secondaries: 2 });
    none.commits.gate.fill(0);
    expect(predict(none, parseChange(none, "async:SQL3"))).toMatchObject({ commits: 0, canTell: false });
  });

  it("is never surer than the replay itself", () => {
    const { predicted, between } = predict(two, parseChange(two, "async:SQL3"));
    expect(between.p95[0]).toBeCloseTo(0.95 * predicted.p95, 6);
    expect(between.p95[1]).toBeCloseTo(1.05 * predicted.p95, 6);
  });

  it("says how far an asynchronous replica would be behind", () => {
    const { behind } = predict(two, parseChange(two, "async:SQL3"));
    // Each block counts as lag from its write's start for 21,200 µs: two of ten samples a block, 6 of 22.
    expect(behind?.mostBytes).toBe(512);
    expect(behind?.p95Us).toBeGreaterThan(10_000);
    expect(behind?.p95Us).toBeLessThanOrEqual(21_200);
    expect(predict(two, parseChange(two, "write:SQL3:5ms")).behind).toBeNull();
  });

  it("counts acknowledgments that come out of order as those of the blocks before", () => {
    const late = modelOf([{ at: 0 }, { at: 100_000 }, { at: 300_000 }], { secondaries: 2 });
    late.hops[1].ackProcessed.set([250_000, 150_000]);
    const { behind } = predict(late, parseChange(late, "async:SQL3"));
    // One of two blocks is acknowledged after 150 ms, the other one after 250 ms.
    expect(behind?.mostBytes).toBe(1_024);
    expect(behind?.p95Us).toBeGreaterThan(100_000);
    expect(behind?.p95Us).toBeLessThan(150_000);
  });

  it.each([
    ["sync:SQL3", two],
    ["async:SQL1", two],
    ["network:SQL1:1ms", two],
    ["async:SQL3", withCommitMode(two, 2, "async")],
    ["write:SQL3:5ms", withoutFile(two, 2)],
    ["network:SQL3:1ms", withoutFile(two, 2)],
    ["write:SQL2:as:SQL3", withoutFile(two, 2)],
  ])("refuses %s where the capture does not allow it", (change, model) => {
    expect(() => predict(model, parseChange(model, change))).toThrowError(
      expect.objectContaining({ code: "change.notPossible" }),
    );
  });

  it("keeps what is exact of a secondary without a file", () => {
    expect(p50Of(withoutFile(two, 2), "async:SQL3")).toBe(4_290);
    expect(p50Of(withoutFile(two, 2), "compression:SQL3:5ms")).toBe(26_260);
  });
});

function withoutFile(model: CaptureModel, replica: number): CaptureModel {
  const replicas = model.replicas.map((each, r) => (r === replica ? { ...each, hasCapture: false } : each));
  return { ...model, replicas };
}

function withEnds(model: CaptureModel, ends: (end: number) => number): CaptureModel {
  return { ...model, commits: { ...model.commits, end: model.commits.end.map(ends) } };
}
