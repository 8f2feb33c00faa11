/**
 * Sentences about a secondary without events, or without events for a part of the time. µs; sums of the durations in
 * the fixture.
 */
import { describe, expect, it } from "vitest";
import { modelOf, type BlockSpec } from "../../../test/model.ts";
import { HOP_ANCHORS, MARKER_KINDS, type CaptureModel } from "../../replication/shapes/tables.ts";
import { diagnose } from "../diagnose.ts";
import { networkAndSecondary } from "../waiting.ts";

const PATH = { replica: 1, secondary: 0, isWaitedFor: true };

const OF_SECONDARY = [
  "received",
  "secondaryFlushStart",
  "secondaryFlushEnd",
  "ackBuilt",
  "ackDeparted",
  "ackSent",
] as const;

/** The capture as it is without the secondary's files. */
function primaryOnly(model: CaptureModel): CaptureModel {
  for (const anchor of OF_SECONDARY) model.hops[0][anchor].fill(Number.NaN);
  return {
    ...model,
    replicas: model.replicas.map((replica, r) => ({ ...replica, hasCapture: r === 0 })),
  };
}

/** 600 blocks in 60 s; those from 20 s to 40 s are changed. */
const capture = (changed: Omit<BlockSpec, "at">): CaptureModel =>
  modelOf(
    Array.from({ length: 600 }, (_, i) => ({ at: i * 100_000, ...(i >= 200 && i < 400 ? changed : {}) })),
  );

const plain = (text: string): string => text.replaceAll("\u00A0", " ");
const unsplitOf = (model: CaptureModel): string[] =>
  diagnose(model)
    .findings.filter(({ rule, cause }) => rule === "D13" && cause === "data_quality")
    .map(({ sentence }) => plain(sentence));

describe("the network and the secondary together", () => {
  it("are what lies between a block that was sent and its acknowledgment", () => {
    // 300 + 100 + 3,000 + 100 + 100 + 300.
    expect([...networkAndSecondary(primaryOnly(modelOf([{ at: 0 }])), PATH)]).toEqual([3_900]);
  });

  it("without the time in which the primary acted on acknowledgments before it, one after the other", () => {
    const model = primaryOnly(modelOf([0, 1_000, 2_000].map((at) => ({ at }))));
    const [hop] = model.hops;
    // Acknowledgments arrive at 4,150, and are acted on for 3,000 each.
    hop.ackReceived.set([4_150, 7_150, 10_150]);
    hop.ackProcessed.set([7_150, 10_150, 13_150]);
    // 4,150 - 250, 4,150 - 1,250 and 4,150 - 2,250.
    expect([...networkAndSecondary(model, PATH)]).toEqual([3_900, 2_900, 1_900]);
  });

  it("are named with their own figures where they are slow", () => {
    const verdict = diagnose(primaryOnly(capture({ hops: [{ flush: 40_000, wireOut: 20_300 }] })));
    expect(plain(verdict.sentence)).toBe(
      "Between 02:17:15 and 02:17:35 the network and SQL2 together took 61 ms instead of 3.9 ms; " +
        "commits took 61.3 ms instead of 4.29 ms (p95). Without its file, network and disk time can't be separated.",
    );
    expect(verdict.checkNext).toEqual(["Add the files of SQL2"]);
  });

  it.each([
    ["compression", { hops: [{ send: 9_200, compression: 9_000 }] }],
    ["the primary's disk", { localFlush: 40_000 }],
    ["the commit queue", { commitQueue: 40_000 }],
  ])("are not blamed for %s", (_, changed) => {
    expect(unsplitOf(primaryOnly(capture(changed)))).toEqual([]);
  });

  it("are what commits wait for throughout where they are a quarter of what the slow ones take", () => {
    const slow = (commitQueue: number, flush: number): CaptureModel =>
      primaryOnly(
        modelOf(Array.from({ length: 40 }, (_, i) => ({ at: i * 100_000, commitQueue, hops: [{ flush }] }))),
      );
    // From sent to acknowledged the block takes 900 µs and the log write; the rest of the commit without the queue
    // takes 340 µs.
    expect(plain(diagnose(slow(900, 9_000)).sentence)).toBe(
      "Commits wait for SQL2: the network and SQL2 together take 9.90 ms at p50. " +
        "Without its file, network and disk time can't be separated.",
    );
    expect(unsplitOf(slow(9_000, 2_220))).toHaveLength(1);
    expect(unsplitOf(slow(9_000, 2_210))).toEqual([]);
    // 9,000 of 12,450.
    expect(plain(diagnose(slow(9_000, 2_210)).sentence)).toBe(
      "The group commit wait takes 72 % of commit latency: 9.00 ms at p50. Up to 10 ms is by design from SQL Server 2016 on.",
    );
  });

  it("are not blamed for flow control that held blocks", () => {
    const model = primaryOnly(capture({}));
    for (let row = 200; row < 400; row++) {
      for (const anchor of HOP_ANCHORS) model.hops[0][anchor][row] += 50_000;
      model.blocks.commitEnd[row] += 50_000;
      model.commits.end[row] += 50_000;
    }
    const markers = {
      length: 1,
      kind: Uint8Array.of(MARKER_KINDS.indexOf("databaseFlowControl")),
      replica: Uint8Array.of(0),
      time: Float64Array.of(20_000_000),
      duration: Float64Array.of(20_000_000),
    };
    const verdict = diagnose({ ...model, markers });
    expect(verdict.cause).toBe("flow_control");
    expect(unsplitOf({ ...model, markers })).toEqual([]);
  });
});

describe("a secondary whose files end while it is slow", () => {
  /** Its file ends at 22 s, two seconds into a log write of 40 ms and a network of 20 ms more. */
  function ended(): CaptureModel {
    const model = capture({ hops: [{ flush: 40_000, wireOut: 20_300 }] });
    for (const anchor of OF_SECONDARY) model.hops[0][anchor].fill(Number.NaN, 220);
    const [primary, secondary] = model.replicas;
    return { ...model, replicas: [primary, { ...secondary, to: 22_000_000 }] };
  }

  it("is named for all of it, with what its file shows of a part", () => {
    expect(plain(diagnose(ended()).sentence)).toBe(
      "Between 02:17:15 and 02:17:35 the network and SQL2 together took 61 ms instead of 3.9 ms; commits took 61.3 ms instead of 4.29 ms (p95). " +
        "No file of SQL2 covers most of that time, so network and disk time can't be separated. " +
        "In the rest a log write on SQL2 took 40 ms instead of 3 ms, and the round trip was 21 ms instead of 0.6 ms.",
    );
  });

  it("has no such finding where its files cover the slow time", () => {
    const model = ended();
    const [primary, secondary] = model.replicas;
    const whole = capture({ hops: [{ flush: 40_000, wireOut: 20_300 }] });
    for (const anchor of OF_SECONDARY) whole.hops[0][anchor].fill(Number.NaN, 450);
    expect(unsplitOf({ ...whole, replicas: [primary, { ...secondary, to: 45_000_000 }] })).toEqual([]);
  });
});
