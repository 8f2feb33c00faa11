/** Every rule does not fire at its threshold and fires just beyond it (docs/contribute/model/diagnosis.md 6.2). */
import { describe, expect, it, test } from "vitest";
import { expectNoFileTerms } from "../../test/live-terms.ts";
import { modelOf, type BlockSpec, type ModelOptions, withCommitMode } from "../../test/model.ts";
import {
  HOP_ANCHORS,
  MARKER_KINDS,
  Obtained,
  type CaptureModel,
  type MarkerKind,
} from "../replication/shapes/tables.ts";
import { diagnose } from "./diagnose.ts";
import { flushClass } from "./flush-classes.ts";
import { DEFAULT_SETTINGS } from "./settings.ts";
import type { Finding } from "./verdict.ts";

/** Equal blocks, far enough apart that none waits for another: every percentile and mean is the value itself. */
const equal = (spec: Omit<BlockSpec, "at">, n = 40, from = 0): BlockSpec[] =>
  Array.from({ length: n }, (_, i) => ({ ...spec, at: from + i * 100_000 }));

const modelWith = (spec: Omit<BlockSpec, "at">, options: ModelOptions = {}): CaptureModel =>
  modelOf(equal(spec), options);

function findingsOf(model: CaptureModel, rule: string): Finding[] {
  // A rule that fires on files also fires in a live view, with different words.
  expectNoFileTerms(model);
  return diagnose(model).findings.filter((finding) => finding.rule === rule);
}

const severitiesOf = (model: CaptureModel, rule: string): string[] =>
  findingsOf(model, rule).map(({ severity }) => severity);

const plain = (text: string | undefined): string | undefined => text?.replaceAll("\u00A0", " ");
const sentencesOf = (model: CaptureModel, rule: string): (string | undefined)[] =>
  findingsOf(model, rule).map(({ sentence }) => plain(sentence));

const withMode = (
  model: CaptureModel,
  commitMode: "sync" | "async" | "undetermined",
  secondary = 0,
): CaptureModel => withCommitMode(model, secondary + 1, commitMode);

const withMarkers = (
  model: CaptureModel,
  markers: readonly (readonly [kind: MarkerKind, duration: number, time?: number])[],
): CaptureModel => ({
  ...model,
  markers: {
    length: markers.length,
    kind: Uint8Array.from(markers, ([kind]) => MARKER_KINDS.indexOf(kind)),
    replica: new Uint8Array(markers.length),
    time: Float64Array.from(markers, ([, , time]) => time ?? 0),
    duration: Float64Array.from(markers, ([, duration]) => duration),
  },
});

const withRoundTrip = (model: CaptureModel, minNetworkRoundTripUs: number): CaptureModel => ({
  ...model,
  clocks: model.clocks.map((clock) => ({ ...clock, minNetworkRoundTripUs })),
});

test("the classes of log writes end at 10, 20 and 50 ms", () => {
  expect([10_000, 10_000.1, 20_000, 20_000.1, 50_000, 50_000.1].map(flushClass)).toEqual([
    "good",
    "reasonable",
    "reasonable",
    "busy",
    "busy",
    "bad",
  ]);
});

describe("D1, the primary's log write, and D2, a secondary's", () => {
  const local = (us: number): CaptureModel => modelWith({ localFlush: us });
  const remote = (us: number): CaptureModel => modelWith({ hops: [{ flush: us }] });

  it.each([
    [10_000, []],
    [10_001, ["notice"]],
    [20_000, ["notice"]],
    [20_001, ["slow"]],
    [50_001, ["slow"]],
  ])("%d µs: %j", (us, severities) => {
    expect(severitiesOf(local(us), "D1")).toEqual(severities);
    expect(severitiesOf(remote(us), "D2")).toEqual(severities);
  });

  it("are about the p95, not about a few slow writes", () => {
    // Every sixteenth or twenty-fifth of them is slow, so that no period is slow.
    const every = (n: number) =>
      modelOf(
        equal({}, 100).map((spec, i) =>
          i % n === 0 ? { ...spec, localFlush: 60_000, hops: [{ flush: 60_000 }] } : spec,
        ),
      );
    expect([severitiesOf(every(25), "D1"), severitiesOf(every(25), "D2")]).toEqual([[], []]);
    expect([severitiesOf(every(16), "D1").length, severitiesOf(every(16), "D2").length]).toEqual([1, 1]);
  });

  it("are worth a notice at most where commits hardly wait for them", () => {
    const both = modelWith({ localFlush: 30_000, hops: [{ flush: 40_000 }] });
    expect([severitiesOf(both, "D1"), severitiesOf(both, "D2")]).toEqual([["notice"], ["slow"]]);
  });

  it("say the class, the share and what it means for commits", () => {
    expect(sentencesOf(local(30_000), "D1")).toEqual([
      "Log writes on SQL1 take 30.0 ms at p95 (busy) and gate 100 % of commits.",
    ]);
    // 12,000 of 13,200 µs of remote harden, of 13,290 µs of a commit.
    const model = remote(12_000);
    expect(sentencesOf(model, "D2")).toEqual([
      "SQL2 hardens its log in 12.0 ms at p95 (reasonable): 91 % of remote harden time.",
    ]);
    expect(findingsOf(model, "D2")[0]).toMatchObject({
      cause: "secondary_disk",
      stage: "secondaryFlush",
      replica: 1,
      threshold: "p95 over 10.0\u00A0ms",
      window: { from: 0, to: model.duration },
    });
    expect(findingsOf(model, "D2")[0].share).toBeCloseTo(12_000 / 13_290, 6);
  });

  it("say nothing of commits where none is known", () => {
    const model = modelWith({ localFlush: 30_000, commits: 0 });
    expect(sentencesOf(model, "D1")).toEqual(["Log writes on SQL1 take 30.0 ms at p95 (busy)."]);
  });

  it("are not about a replica that nobody waits for", () => {
    expect(severitiesOf(withMode(remote(60_000), "async"), "D2")).toEqual([]);
    expect(severitiesOf(withMode(remote(60_000), "undetermined"), "D2")).toEqual(["slow"]);
  });

  it("take in what waited behind a write that ran", () => {
    // The second block of each pair begins 1 ms after the first and waits 11 ms for its write to end.
    const pairs = (localFlush: number, quiet: number): CaptureModel =>
      modelOf(
        Array.from({ length: 60 }, (_, i) => [
          { at: i * 200_000, localFlush: i < 20 ? localFlush : quiet },
          {
            at: i * 200_000 + 1_000,
            commitQueue: i < 20 ? localFlush - 900 : 50,
            localFlush: quiet,
          },
        ]).flat(),
      );
    const model = pairs(12_000, 2_000);
    expect(findingsOf(model, "D1")).toMatchObject([{ cause: "primary_disk", severity: "notice" }]);
    expect(findingsOf(model, "D6")).toEqual([]);
    expect(findingsOf(pairs(2_000, 2_000), "D1")).toEqual([]);
  });
});

describe("D3, the network", () => {
  const trip = (us: number, flush = 3_000): CaptureModel =>
    modelWith({ hops: [{ wireOut: us / 2, wireBack: us / 2, flush }] });

  it("is worth a word over 2 ms where it is the largest part, else over 5 ms", () => {
    expect(severitiesOf(trip(2_000, 500), "D3")).toEqual([]);
    expect(severitiesOf(trip(2_001, 500), "D3")).toEqual(["notice"]);
    expect(severitiesOf(trip(2_001, 3_000), "D3")).toEqual([]);
    expect(severitiesOf(trip(5_000, 9_000), "D3")).toEqual([]);
    expect(severitiesOf(trip(5_001, 9_000), "D3")).toEqual(["notice"]);
  });

  it("says its part of remote harden", () => {
    // 200 µs to send, 3,400 on both servers, 5,400 between them: 60 % of 9,000.
    expect(sentencesOf(trip(5_400), "D3")[0]).toContain("(exact), 60 % of remote harden time; minimum");
  });

  it("is severe over 20 ms at p95", () => {
    expect(severitiesOf(trip(20_000), "D3")).toEqual(["notice"]);
    expect(severitiesOf(trip(20_001), "D3")).toEqual(["slow"]);
  });

  it("counts the mean, so that slow trips among fast ones are not missed", () => {
    // Every fifth trip takes 60,300 µs, the others 600: 12,540 on average, and no period is slow.
    const model = modelOf(
      equal({}, 40).map((spec, i) => (i % 5 === 0 ? { ...spec, hops: [{ wireOut: 60_000 }] } : spec)),
    );
    expect(sentencesOf(model, "D3")[0]).toContain("is 600 µs at p50 and 60.3 ms at p95 (exact)");
  });

  it("is found beside a larger cause, by its own window", () => {
    const model = modelOf([
      ...equal({ hops: [{ flush: 30_000 }] }, 60),
      ...equal({ hops: [{ flush: 30_000, wireOut: 4_300 }] }, 40, 6_000_000),
    ]);
    expect(findingsOf(model, "D3")).toMatchObject([{ severity: "notice", window: { from: 6_000_000 } }]);
  });

  it("is distance where its minimum is over half of its median and its p95 under twice that", () => {
    expect(sentencesOf(withRoundTrip(trip(6_000), 3_001), "D3")[0]).toContain("minimum 3.00 ms: distance.");
    expect(sentencesOf(withRoundTrip(trip(6_000), 3_000), "D3")[0]).toMatch(/minimum 3\.00 ms\.$/u);
    const wide = (us: number) =>
      withRoundTrip(
        modelOf(
          equal({}, 40).map((spec, i) => ({ ...spec, hops: [{ wireOut: i % 4 === 0 ? us - 300 : 5_700 }] })),
        ),
        5_000,
      );
    expect(sentencesOf(wide(12_000), "D3")[0]).toMatch(/minimum 5\.00 ms\.$/u);
    expect(sentencesOf(wide(11_999), "D3")[0]).toContain(": distance.");
    expect(findingsOf(withRoundTrip(trip(6_000), 3_001), "D3")[0].checkNext[0]).toBe(
      "Run ping SQL2, and compare its minimum with 3\u00A0ms",
    );
    expect(findingsOf(withRoundTrip(trip(6_000), 3_000), "D3")[0].checkNext[0]).toBe(
      "Watch Segments Retransmitted/sec from SQL1 to SQL2",
    );
  });

  it("is not about a replica that nobody waits for", () => {
    expect(severitiesOf(withMode(trip(30_000), "async"), "D3")).toEqual([]);
    expect(severitiesOf(withMode(trip(30_000), "undetermined"), "D3")).toEqual(["slow"]);
  });
});

describe("D3 of several replicas", () => {
  it("has the minimum of its own replica's clock, and its distance", () => {
    const model = modelWith({ hops: [{}, { wireOut: 5_200 }] }, { secondaries: 2 });
    const [near, far] = model.clocks;
    // 5,200 µs out and 300 back: of the second replica the least is nearly that, of the first one 180.
    const clocks = [
      { ...near, minNetworkRoundTripUs: 180 },
      { ...far, minNetworkRoundTripUs: 5_400 },
    ];
    const [found, ...others] = findingsOf({ ...model, clocks }, "D3");
    expect(others).toEqual([]);
    expect(found.replica).toBe(2);
    expect(plain(found.sentence)).toContain("minimum 5.40 ms: distance");
    expect(plain(found.checkNext[0])).toMatch(/^Run ping SQL3, and compare its minimum with 5/u);
  });
});

describe("D4, handing blocks to transport", () => {
  const send = (us: number, flush: number): CaptureModel =>
    modelWith({ hops: [{ send: us, compression: 30, flush }] });

  it("fires over 1 ms at p95 without compression", () => {
    expect(severitiesOf(send(1_030, 9_090), "D4")).toEqual([]);
    expect(severitiesOf(send(1_031, 3_000), "D4")).toEqual(["notice"]);
  });

  it("is no more than a description where commits hardly wait for it", () => {
    // 1,001 of 10,010 µs would be a tenth of a commit.
    expect(severitiesOf(send(1_031, 20_000), "D4")).toEqual(["none"]);
  });

  it("fires over a tenth of remote harden, if that is over half a millisecond", () => {
    // 500 µs are a fifth of 2,530; 501 of 5,031 are just under a tenth, of 4,731 over it.
    expect(severitiesOf(send(530, 1_000), "D4")).toEqual([]);
    expect(severitiesOf(send(531, 3_500), "D4")).toEqual([]);
    expect(severitiesOf(send(531, 3_200), "D4")).toEqual(["notice"]);
    expect(findingsOf(send(531, 3_200), "D4")[0]).toMatchObject({ cause: "send", stage: "send", replica: 1 });
  });

  it("takes a block without compression as it is", () => {
    const model = send(1_031, 3_000);
    model.hops[0].compression.fill(Number.NaN);
    expect(sentencesOf(model, "D4")).toEqual([
      "Sending log blocks to SQL2 takes 1.03 ms at p95 on the primary.",
    ]);
  });

  it("is not about a replica that nobody waits for", () => {
    expect(severitiesOf(withMode(send(9_000, 3_000), "async"), "D4")).toEqual([]);
  });
});

describe("D5, compression", () => {
  it.each(["compression", "decompression"] as const)("%s fires over 1 ms at p95", (stage) => {
    const model = (us: number) => modelWith({ hops: [{ send: 2_000, append: 2_000, [stage]: us }] });
    expect(findingsOf(model(1_000), "D5")).toEqual([]);
    expect(findingsOf(model(1_001), "D5")).toMatchObject([
      { cause: "compression", stage, replica: 1, severity: "notice" },
    ]);
  });

  it("is found from the first block on that is compressed", () => {
    expect(findingsOf(modelOf([{ at: 0, hops: [{ send: 9_000, compression: 2_000 }] }]), "D5")).toHaveLength(
      1,
    );
    const packed = modelWith({ hops: [{ send: 9_000, compression: 2_000 }] });
    packed.hops[0].compression.fill(Number.NaN);
    packed.hops[0].decompression.fill(Number.NaN);
    expect(findingsOf(packed, "D5")).toEqual([]);
  });

  it("says which side", () => {
    const both = modelWith({
      hops: [{ send: 9_000, compression: 2_000, append: 9_000, decompression: 3_000 }],
    });
    expect(sentencesOf(both, "D5")).toEqual([
      "Decompression on SQL2 costs 3.00 ms per block at p95.",
      "Compression for SQL2 costs 2.00 ms per block at p95.",
    ]);
  });
});

describe("D6, the wait to be grouped", () => {
  const queue = (us: number, engine: CaptureModel["engine"] = "2016+"): CaptureModel => ({
    ...modelWith({ commitQueue: us }),
    engine,
  });

  it("is worth a word over 1 ms, by design up to 10 ms from 2016 on", () => {
    expect(severitiesOf(queue(1_000), "D6")).toEqual([]);
    expect(severitiesOf(queue(1_001), "D6")).toEqual(["none"]);
    // The commit takes 4,240 µs and the queue; the secondary's log write takes 3,000 µs of it.
    expect(severitiesOf(queue(2_999), "D6")).toEqual(["none"]);
    expect(severitiesOf(queue(3_001), "D6")).toEqual(["notice"]);
    expect(severitiesOf(queue(10_000), "D6")).toEqual(["notice"]);
    expect(severitiesOf(queue(10_001), "D6")).toEqual(["notice"]);
  });

  it("is not by design before 2016", () => {
    expect(severitiesOf(queue(1_000, "pre2016"), "D6")).toEqual([]);
    expect(severitiesOf(queue(1_001, "pre2016"), "D6")).toEqual(["notice"]);
    expect(sentencesOf(queue(2_000, "pre2016"), "D6")).toEqual([
      "The group commit wait takes 32 % of commit latency: 2.00 ms at p50.",
    ]);
    expect(sentencesOf(queue(2_000), "D6")).toEqual([
      "The group commit wait takes 32 % of commit latency: 2.00 ms at p50. Up to 10 ms is by design from SQL Server 2016 on.",
    ]);
  });

  it("is not the wait for a log write that runs", () => {
    // Each block begins 1 ms after the one before and waits until its write of 20 ms has ended.
    const model = modelOf(
      Array.from({ length: 40 }, (_, i) => ({
        at: i * 20_000 + 1_000,
        commitQueue: i === 0 ? 0 : 19_000,
        localFlush: 20_000,
      })),
    );
    expect(findingsOf(model, "D6")).toEqual([]);
    expect(severitiesOf(model, "D1")).toEqual(["notice"]);
  });
});

describe("D7, flow control", () => {
  const stopped = (...durations: number[]): CaptureModel =>
    withMarkers(
      modelOf(equal({}), { duration: 10_000_000 }),
      durations.map((us, i) => ["databaseFlowControl", us, 1_000_000 * (i + 1)]),
    );

  it("fires for any duration, and is severe over 1 % of the capture", () => {
    expect(severitiesOf(stopped(0), "D7")).toEqual([]);
    expect(severitiesOf(stopped(1), "D7")).toEqual(["notice"]);
    expect(severitiesOf(stopped(100_000), "D7")).toEqual(["notice"]);
    expect(severitiesOf(stopped(60_000, 40_001), "D7")).toEqual(["slow"]);
  });

  it("counts database and transport events of one stop once, and no other marker", () => {
    const model = withMarkers(stopped(), [
      ["databaseFlowControl", 30_000, 1_000_000],
      ["transportFlowControl", 31_000, 1_000_000],
      ["databaseFlowControl", 20_000, 3_000_000],
      ["vlfSwitch", 900_000, 5_000_000],
    ]);
    expect(sentencesOf(model, "D7")).toEqual([
      "Flow control stopped sending 2 times between 02:16:56 and 02:16:58, 51.0 ms in total.",
    ]);
    expect(findingsOf(model, "D7")[0].window).toEqual({ from: 1_000_000, to: 3_020_000 });
    expect(sentencesOf(stopped(30_000), "D7")).toEqual([
      "Flow control stopped sending once between 02:16:56.000 and 02:16:56.030, 30.0 ms in total.",
    ]);
  });

  it("is about the replica whose blocks it held, and nothing for one that nobody waits for", () => {
    const held = modelOf(equal({}), { duration: 10_000_000 });
    // The block at 1 s was copied to the log pool at 1.00005 s and sent 30 ms later.
    held.hops[0].sendStart[10] += 30_000;
    const model = withMarkers(held, [["databaseFlowControl", 30_000, 1_000_060]]);
    expect(findingsOf(model, "D7")).toMatchObject([
      { cause: "flow_control", replica: 1, severity: "notice" },
    ]);
    expect(severitiesOf(withMode(model, "async"), "D7")).toEqual(["none"]);
    // Flow control began 10 µs after the copy. Forty commits take 4,290 µs each, the held block's too: only its sending moved.
    expect(findingsOf(model, "D7")[0].share).toBeCloseTo(29_990 / (40 * 4_290), 9);
    expect(findingsOf(stopped(30_000), "D7")[0].share).toBeNull();
  });
});

describe("D8, the secondary outside its log write", () => {
  it("fires for all of it over 1 ms at p95", () => {
    // Append without 10 µs of decompression, and twice 100 µs for the acknowledgment.
    const append = (us: number) =>
      severitiesOf(modelWith({ hops: [{ append: us - 190, flush: 5_000 }] }), "D8");
    expect([append(1_000), append(1_001)]).toEqual([[], ["notice"]]);
    const ack = (us: number) =>
      severitiesOf(modelWith({ hops: [{ ackBuild: us - 190, flush: 5_000 }] }), "D8");
    expect([ack(1_000), ack(1_001)]).toEqual([[], ["notice"]]);
  });

  it("is no more than a description where commits hardly wait for it", () => {
    expect(severitiesOf(modelWith({ hops: [{ append: 811, flush: 60_000 }] }), "D8")).toEqual(["none"]);
  });

  it("fires over a fifth of the secondary's time, if that is over half a millisecond", () => {
    // With 10 µs of decompression: 700 of 3,500 µs are a fifth; 500 µs of 2,000 are a quarter of too little.
    const part = (append: number, flush: number) =>
      severitiesOf(modelWith({ hops: [{ append: append + 10, ackBuild: 100, ackSend: 100, flush }] }), "D8");
    expect([part(500, 2_790), part(501, 2_780)]).toEqual([[], ["notice"]]);
    expect([part(300, 1_500), part(301, 1_500)]).toEqual([[], ["notice"]]);
  });

  it("says which of the two it was", () => {
    const threshold = (append: number, flush: number) =>
      findingsOf(modelWith({ hops: [{ append, flush }] }), "D8")[0].threshold?.replaceAll("\u00A0", " ");
    expect(threshold(900, 5_000)).toBe("p95 over 1.00 ms");
    expect(threshold(600, 1_000)).toBe("over 20 % of its time");
  });

  it("does not count the wait for the secondary's running log write", () => {
    // Blocks begin 1 ms apart; each waits for the write before it, which ends 9 ms later.
    const specs = Array.from({ length: 40 }, (_, i) => [
      { at: i * 100_000, hops: [{ flush: 10_000 }] },
      { at: i * 100_000 + 1_000, hops: [{ append: 9_100, flush: 2_000 }] },
    ]).flat();
    const model = modelOf(specs);
    expect(findingsOf(model, "D8")).toEqual([]);
    expect(findingsOf(modelOf(specs.filter((_, i) => i % 2 === 1)), "D8")).toHaveLength(1);
  });

  it("has the share of all its parts", () => {
    const [finding] = findingsOf(modelWith({ hops: [{ append: 1_510 }] }), "D8");
    expect(finding).toMatchObject({ cause: "secondary_cpu", stage: "secondaryAppend", replica: 1 });
    // A commit takes 50 queue + 5,610 remote harden + 40 wake-up.
    expect(finding.share).toBeCloseTo(1_700 / 5_700, 6);
  });
});

describe("D9, acknowledgments and waking up", () => {
  it("fires over 1 ms at p95 for both together", () => {
    const receive = (us: number) =>
      findingsOf(modelWith({ wakeUp: 40, hops: [{ ackReceive: us - 40 }] }), "D9");
    expect(receive(1_000)).toEqual([]);
    expect(receive(1_001)).toMatchObject([
      { cause: "primary_ack", stage: "ackReceive", replica: 0, severity: "notice" },
    ]);
    const wakeUp = (us: number) =>
      findingsOf(modelWith({ wakeUp: us - 100, hops: [{ ackReceive: 100 }] }), "D9");
    expect(wakeUp(1_000)).toEqual([]);
    expect(wakeUp(1_001)).toHaveLength(1);
  });

  it("counts what acknowledgments waited for each other, and takes it off the network", () => {
    // Two blocks at a time; the second one's acknowledgment arrives when the first one has been acted on, 5.3 ms after it was sent.
    const model = modelOf(
      Array.from({ length: 40 }, (_, i) => [
        { at: i * 100_000, hops: [{ ackReceive: 6_000 }] },
        { at: i * 100_000 + 1_000, hops: [{ wireBack: 5_300, ackReceive: 6_000 }] },
      ]).flat(),
    );
    expect(severitiesOf(model, "D9")).toEqual(["notice"]);
    // 6,000 + 40 and 5,300 + 6,000 + 40 µs: the p95 is the larger.
    expect(sentencesOf(model, "D9")[0]).toContain("takes 11.3 ms at p95");
    expect(findingsOf(model, "D3")).toEqual([]);
  });
});

describe("D10, stalls", () => {
  const commit = (us: number): BlockSpec => ({ at: 0, localFlush: us - 50, wakeUp: 0 });

  it("are commits of 2 s and more", () => {
    expect(severitiesOf(modelOf([commit(1_999_999)]), "D10")).toEqual([]);
    expect(sentencesOf(modelOf([commit(2_000_000)]), "D10")).toEqual(["1 commit waited over 2.00 s."]);
    expect(severitiesOf(modelOf([commit(2_000_000)]), "D10")).toEqual(["slow"]);
    const two = modelOf([commit(2_000_000), { ...commit(3_000_000), at: 5 }]);
    expect(sentencesOf(two, "D10")).toEqual(["2 commits waited over 2.00 s."]);
    expect(findingsOf(two, "D10")[0]).toMatchObject({ cause: "stall", window: { from: 0, to: 3_000_005 } });
  });

  it("are commits that the server said keep waiting, where their own events do not show it", () => {
    const model = withMarkers(modelOf(equal({})), [
      ["stillWaiting", 0, 5_000_000],
      ["stillWaiting", 0, 6_000_000],
      ["vlfSwitch", 0, 7_000_000],
    ]);
    expect(sentencesOf(model, "D10")).toEqual(["2 commits waited over 2.00 s."]);
    expect(findingsOf(model, "D10")[0].window).toEqual({ from: 3_000_000, to: 6_000_000 });
  });
});

describe("D11, one of several replicas decides", () => {
  /** `share` of 100 blocks are decided by SQL3, whose remote harden is `factor` times SQL2's 4,200 µs on average. */
  function model(share: number, factor: number): CaptureModel {
    const far = { wireOut: 300 + 4_200 * (factor - 1) };
    const specs = Array.from({ length: 100 }, (_, i): BlockSpec => ({
      at: i * 10_000,
      hops: [{}, far],
      localFlush: i < share ? 2_000 : 900_000,
    }));
    return modelOf(specs, { secondaries: 2 });
  }

  it("fires for over four in five commits and more than twice the next replica's time", () => {
    expect(severitiesOf(model(80, 3), "D11")).toEqual([]);
    expect(severitiesOf(model(81, 3), "D11")).toEqual(["notice"]);
    expect(severitiesOf(model(100, 2), "D11")).toEqual([]);
    expect(severitiesOf(model(100, 2.01), "D11")).toEqual(["notice"]);
  });

  it("compares with the slowest of the other replicas", () => {
    const of = (wireOut: number) =>
      modelOf(equal({ hops: [{}, { wireOut }, { wireOut: 9_000 }] }), { secondaries: 3 });
    // SQL4 takes 12,900 µs; SQL2 4,200, and SQL3 6,400 or 6,500, which doubled are 12,800 and 13,000.
    expect(severitiesOf(of(2_500), "D11")).toEqual(["notice"]);
    expect(severitiesOf(of(2_600), "D11")).toEqual([]);
    expect(sentencesOf(of(2_500), "D11")).toEqual([
      "SQL4 alone decides 100 % of commits; without it they would take about 6.45 ms on average.",
    ]);
  });

  it("says what commits would take without it", () => {
    expect(sentencesOf(model(100, 3), "D11")).toEqual([
      "SQL3 alone decides 100 % of commits; without it they would take about 4.25 ms on average.",
    ]);
    expect(findingsOf(model(100, 3), "D11")[0]).toMatchObject({ cause: "imbalance", replica: 2 });
    const slowWrites = modelOf(equal({ localFlush: 9_000, hops: [{}, { wireOut: 60_000 }] }), {
      secondaries: 2,
    });
    expect(sentencesOf(slowWrites, "D11")[0]).toContain("without it they would take about 9.05 ms");
  });

  it("does not fire for the only replica that commits wait for, nor without commits", () => {
    expect(severitiesOf(withMode(model(100, 3), "async"), "D11")).toEqual([]);
    const quiet = modelOf(equal({ commits: 0, hops: [{}, { wireOut: 60_000 }] }), { secondaries: 2 });
    expect(severitiesOf(quiet, "D11")).toEqual([]);
    expect(severitiesOf(modelWith({ hops: [{ wireOut: 60_000 }] }), "D11")).toEqual([]);
  });
});

describe("D13, how far the figures can be trusted", () => {
  /** 100 blocks, the first `missing` of which are not in the secondary's file. */
  function unmatched(missing: number, options: ModelOptions = {}): CaptureModel {
    const model = modelOf(equal({}, 100), options);
    const [hop] = model.hops;
    for (let row = 0; row < missing; row++) hop.received[row] = hop.secondaryFlushStart[row] = Number.NaN;
    return model;
  }

  /** 100 blocks, six of which, from a row on, are not in the primary's file. */
  function withoutPrimary(first: number): CaptureModel {
    const model = modelOf(equal({}, 100));
    for (const column of [model.blocks.localFlushStart, model.blocks.pushedToLogPool, model.hops[0].departed])
      column.fill(Number.NaN, first, first + 6);
    return model;
  }

  it("counts blocks of one side over 5 %", () => {
    expect(sentencesOf(unmatched(5), "D13")).toEqual([]);
    expect(sentencesOf(unmatched(6), "D13")).toEqual([
      "6 of 100 log blocks are in SQL1's or SQL2's files only, although both cover their time.",
    ]);
    expect(findingsOf(unmatched(6), "D13")[0]).toMatchObject({
      cause: "data_quality",
      severity: "notice",
      replica: 1,
    });
  });

  it("counts those that the primary's file lacks as well", () => {
    const model = withoutPrimary(10);
    expect(sentencesOf(model, "D13")[0]).toMatch(/^6 of 100 log blocks/u);
    model.hops[0].departed[10] = 1;
    expect(sentencesOf(model, "D13")).toEqual([]);
  });

  it("does not count those of before the primary's first block, which a replica that is behind receives meanwhile", () => {
    expect(sentencesOf(withoutPrimary(0), "D13")).toEqual([]);
  });

  it("does not count those that a replica that is behind has not received at the end", () => {
    const model = modelOf(equal({}, 100));
    for (const column of HOP_ANCHORS.slice(HOP_ANCHORS.indexOf("received")))
      model.hops[0][column].fill(Number.NaN, 94);
    expect(sentencesOf({ ...model }, "D13")).toEqual([]);
    // Its acknowledgment arrived, so that it was received.
    model.hops[0].ackReceived[99] = 99_000_000;
    expect(sentencesOf({ ...model }, "D13")[0]).toMatch(/^6 of 100 log blocks/u);
  });

  it("does not count blocks outside the time that both cover, where they have to be missing", () => {
    const coverage = [
      [0, 10_000_000],
      [600_000, 10_000_000],
    ] as const;
    expect(sentencesOf(unmatched(6, { coverage }), "D13")).toEqual([]);
    const later = [
      [0, 10_000_000],
      [599_999, 10_000_000],
    ] as const;
    expect(sentencesOf(unmatched(11, { coverage: later }), "D13")[0]).toMatch(/^5 of 94/u);
    const ended = [
      [0, 10_000_000],
      [0, 5_000_000],
    ] as const;
    expect(sentencesOf(unmatched(6, { coverage: ended }), "D13")[0]).toMatch(/^6 of 51/u);
  });

  it("does not count blocks of a stretch in which a server lost everything: its files do not cover that", () => {
    const model = unmatched(0, { duration: 10_000_000 });
    for (let row = 40; row < 70; row++) {
      for (const anchor of HOP_ANCHORS) if (anchor !== "departed") model.hops[0][anchor][row] = Number.NaN;
      model.hops[0].obtained[row] = Obtained.measured << (2 * HOP_ANCHORS.indexOf("departed"));
    }
    expect(findingsOf(model, "D15")).toContainEqual(
      expect.objectContaining({ replica: 1, severity: "notice" }),
    );
    expect(sentencesOf(model, "D13").filter((sentence) => sentence?.includes("only"))).toEqual([]);
  });

  it("does not compare with a side that has no file", () => {
    const model = unmatched(50);
    const without = (index: number): CaptureModel => ({
      ...model,
      replicas: model.replicas.map((replica, i) =>
        i === index ? { ...replica, hasCapture: false } : replica,
      ),
    });
    expect(sentencesOf(without(0), "D13")).toEqual([]);
    expect(sentencesOf(without(1), "D13")).toEqual([]);
  });

  it("says why a clock cannot be aligned, not where a file is missing", () => {
    const model = modelWith({});
    const unaligned = {
      ...model,
      clocks: [{ ...model.clocks[0], status: "cannotAlign" as const, reason: "no blocks in common." }],
    };
    expect(sentencesOf(unaligned, "D13")).toEqual(["Can't align the clock of SQL2: no blocks in common."]);
    const alone = {
      ...unaligned,
      replicas: unaligned.replicas.map((replica, i) =>
        i === 1 ? { ...replica, hasCapture: false } : replica,
      ),
    };
    expect(sentencesOf(alone, "D13")).toEqual([]);
  });

  it("counts estimated instants over a tenth of those that are known", () => {
    const estimated = (share: number): CaptureModel => {
      const model = modelOf(equal({}, 10));
      // 5 local anchors and 11 of the hop per block are known: 160 in all. Each word with one estimate has 3 in its bits.
      let left = share;
      for (const obtained of [model.blocks.obtained, model.hops[0].obtained])
        for (let row = 0; row < 10 && left > 0; row++) {
          const inWord = Math.min(left, obtained === model.blocks.obtained ? 5 : 11);
          for (let i = 0; i < inWord; i++) obtained[row] |= 3 << (2 * i);
          left -= inWord;
        }
      return model;
    };
    expect(sentencesOf(estimated(16), "D13")).toEqual([]);
    expect(sentencesOf(estimated(17), "D13")).toEqual([
      "11 % of the timestamps are estimated, because their events are missing.",
    ]);
    expect(sentencesOf(estimated(80), "D13")[0]).toMatch(/^50 %/u);
  });

  it("says what is known of events without start_timestamp, and does not judge their clocks", () => {
    const coarse = (change: (model: CaptureModel) => void = () => undefined): CaptureModel => {
      const model = modelWith({});
      change(model);
      return { ...model, replicas: model.replicas.map((replica) => ({ ...replica, hasCounter: false })) };
    };
    const start =
      "These events have no start_timestamp, so that durations are as coarse as UTC and the network is not split.";
    expect(sentencesOf(coarse(), "D13")).toEqual([
      `${start} Log writes: SQL1 2.00 ms (p50), 2.00 ms (p95); SQL2 3.00 ms (p50), 3.00 ms (p95).`,
    ]);
    expect(findingsOf(coarse(), "D13")).toMatchObject([{ cause: "no_start_timestamp", severity: "notice" }]);
    const onlyPrimary = coarse(({ hops: [hop] }) => hop.secondaryFlushEnd.fill(Number.NaN));
    expect(sentencesOf(onlyPrimary, "D13")).toContain(
      `${start} Log writes: SQL1 2.00 ms (p50), 2.00 ms (p95).`,
    );
    const none = coarse(({ blocks, hops: [hop] }) => {
      hop.secondaryFlushEnd.fill(Number.NaN);
      blocks.localFlushEnd.fill(Number.NaN);
    });
    expect(sentencesOf(none, "D13")).toContain(start);
    expect(findingsOf(modelWith({}), "D13")).toEqual([]);
  });

  it("names damaged files", () => {
    const model = modelWith({});
    const gap = { code: "x", offset: 0, bytes: 1, message: "" };
    const files = [
      { ...model.files[0], name: "a.xel", gaps: [gap] },
      model.files[0],
      { ...model.files[0], name: "b.xel", gaps: [gap, gap] },
    ];
    expect(sentencesOf({ ...model, files }, "D13")).toEqual([
      "Can't read part of a.xel, b.xel: its events are missing.",
    ]);
  });

  it("says how far files are apart in time", () => {
    const apart = (secondary: readonly [number, number]) =>
      sentencesOf(
        modelOf(equal({}), { duration: 20_000_000, coverage: [[5_000_000, 10_000_000], secondary] }),
        "D13",
      )[0];
    expect(apart([0, 3_000_000])).toBe("SQL2's file ends 2.00 s before SQL1's begins.");
    expect(String(apart([12_000_000, 15_000_000]))).toBe("SQL2's file begins 2.00 s after SQL1's ends.");
    expect(String(apart([0, 5_000_000]))).toMatch(/^SQL2's file ends/u);
    expect(String(apart([0, 5_000_001]))).not.toMatch(/^SQL2's file/u);
    expect(String(apart([10_000_000, 15_000_000]))).toMatch(/^SQL2's file begins/u);
    expect(String(apart([9_999_999, 15_000_000]))).not.toMatch(/^SQL2's file/u);
  });
});

describe("findings", () => {
  it("come most severe first, then by the part of commit latency they take, then in the order of the rules", () => {
    // The acknowledgment arrives after the local write, which is therefore on no commit's path.
    const model = withMarkers(
      modelWith({ localFlush: 15_000, hops: [{ flush: 12_000, ackReceive: 2_000, send: 1_900 }] }),
      [["databaseFlowControl", 500_000]],
    );
    expect(diagnose(model).findings.map(({ rule }) => rule)).toEqual(["D7", "D2", "D9", "D4", "D1"]);
  });

  it("are none of a healthy capture but its description", () => {
    expect(diagnose(modelWith({})).findings.map(({ rule }) => rule)).toEqual(["D0"]);
  });

  it("are about the settings given", () => {
    const model = modelWith({ hops: [{ ackReceive: 600 }] });
    const strict = { ...DEFAULT_SETTINGS, ackP95Us: 500 };
    expect(diagnose(model, strict).findings.map(({ rule }) => rule)).toContain("D9");
    expect(diagnose(model).findings.map(({ rule }) => rule)).not.toContain("D9");
  });
});
