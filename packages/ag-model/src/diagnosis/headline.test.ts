/** First sentence of captures with one cause, with two, and without a cause. */
import { describe, expect, it } from "vitest";
import { modelOf, type BlockSpec, type ModelOptions } from "../../test/model.ts";
import { HOP_ANCHORS, MARKER_KINDS, type CaptureModel } from "../replication/shapes/tables.ts";
import { diagnose } from "./diagnose.ts";

/** 600 blocks in 60 s; those from 20 s to 40 s are changed. */
const verdictOn = (
  changed: Omit<BlockSpec, "at">,
  others: Omit<BlockSpec, "at"> = {},
  options: ModelOptions = {},
) =>
  diagnose(
    modelOf(
      Array.from({ length: 600 }, (_, i) => ({
        at: i * 100_000,
        ...(i >= 200 && i < 400 ? changed : others),
      })),
      options,
    ),
  );

const plain = (text: string): string => text.replaceAll("\u00A0", " ");

describe("the headline", () => {
  it("is the most severe finding, with its window in UTC and the figures that are slow", () => {
    const verdict = verdictOn({ localFlush: 40_000 });
    expect(verdict).toMatchObject({ cause: "primary_disk", severity: "slow", place: "primary", replica: 0 });
    expect(plain(verdict.sentence)).toBe(
      "Between 02:17:15 and 02:17:35 a log write on SQL1 took 40 ms instead of 2 ms; commits took 40.1 ms instead of 4.29 ms (p95).",
    );
    expect(verdict.window).toMatchObject({ from: 20_000_000 });
    expect(verdict.checkNext.slice(1)).toEqual([
      "Watch LogicalDisk: Disk Transfers/sec of the log volume on SQL1 for other I/O, backups included",
      "Count the VLFs in sys.dm_db_log_info",
    ]);
    expect(verdict.findings[0].effect).toEqual({
      p50Inside: 40_090,
      p50Outside: 4_290,
      p95Inside: 40_090,
      p95Outside: 4_290,
    });
  });

  it("names two causes of one time, and the advice begins with both", () => {
    const verdict = verdictOn({ hops: [{ flush: 24_000, wireOut: 20_300 }] });
    expect(plain(verdict.sentence)).toMatch(
      /^The log write on SQL2 takes 5\d % of remote harden time\. 8\d % of that falls between 02:17:15 and 02:17:35, when a log write on SQL2 took 24 ms instead of 3 ms\. At the same time the round trip was 21 ms instead of 0\.6 ms\.$/u,
    );
    expect(verdict.checkNext[0]).toMatch(/^Compare WRITELOG waits .* of the log file on SQL2 at 02:17:15$/u);
    expect(verdict.checkNext[1]).toBe("Watch Segments Retransmitted/sec from SQL1 to SQL2");
    expect(verdict.checkNext[2]).toBe(
      "Measure reads, checkpoints and redo on the same disk of SQL2 (sys.dm_io_virtual_file_stats)",
    );
  });

  it("does not name a second cause that is small beside the first", () => {
    const verdict = verdictOn({ hops: [{ flush: 63_000, wireOut: 3_300 }] });
    expect(verdict.sentence).not.toContain("At the same time");
    expect(verdict.findings.map(({ cause }) => cause)).toContain("network");
  });

  it("advises on the primary's disk where that is what got slower, though the secondary's takes longer", () => {
    const verdict = verdictOn({ localFlush: 30_000, hops: [{ flush: 9_000 }] }, { hops: [{ flush: 9_000 }] });
    expect(verdict.cause).toBe("primary_disk");
    expect(verdict.checkNext[0]).toContain("SQL1");
  });

  it("is a description without a severity where commits are slow and no rule fires", () => {
    // Three times 9 ms one after the other, each under its limit.
    const slow = { commitQueue: 950, hops: [{ flush: 9_500, wireOut: 300 }] };
    const verdict = verdictOn(slow, slow);
    expect(verdict).toMatchObject({ severity: "none", cause: "none", replica: null });
    expect(plain(verdict.sentence)).toBe(
      "Commits take 11.7 ms (p95), and no stage is over its limit. The log write on SQL2 takes 81 % of commit latency.",
    );
    expect(verdict.findings[0]).toMatchObject({ rule: "D0", severity: "none" });
  });

  it("comes with an episode of each stretch, and none for what has no severity", () => {
    expect(verdictOn({ localFlush: 40_000 }).episodes).toMatchObject([
      { cause: "primary_disk", label: "Slow log writes, SQL1", blocks: 200, from: 20_000_000 },
    ]);
    expect(verdictOn({}).episodes).toEqual([]);
  });

  it("names a second cause from a quarter of the first one's time on", () => {
    // A log write 40 ms longer; the round trip by just under and just over 10 ms.
    const both = (wireOut: number) =>
      verdictOn({ hops: [{ flush: 43_000, wireOut: 300 + wireOut }] }).sentence;
    expect(both(9_900)).not.toContain("At the same time");
    expect(both(10_100)).toContain("At the same time");
  });

  it("does not name a second cause of another time", () => {
    const model = modelOf(
      Array.from({ length: 600 }, (_, i) => ({
        at: i * 100_000,
        hops: [{ flush: i >= 200 && i < 400 ? 43_000 : 3_000, wireOut: i >= 450 && i < 550 ? 40_300 : 300 }],
      })),
    );
    expect(diagnose(model).sentence).not.toContain("At the same time");
    expect(
      diagnose(model)
        .findings.slice(0, 2)
        .map(({ cause }) => cause),
    ).toEqual(["secondary_disk", "network"]);
  });

  const described = (
    spec: Omit<BlockSpec, "at">,
    change: (model: CaptureModel) => void = () => undefined,
  ) => {
    const model = modelOf(Array.from({ length: 40 }, (_, i) => ({ ...spec, at: i * 100_000 })));
    change(model);
    const { sentence, stage, checkNext, severity, place } = diagnose(model);
    return { sentence: plain(sentence), stage, checkNext, severity, place };
  };

  it("describes the local log write where it released the commits and no rule fires", () => {
    const write = { localFlush: 9_900, commitQueue: 900 };
    expect(described(write)).toEqual({
      sentence:
        "Commits take 10.8 ms (p95), and no stage is over its limit. The log write on SQL1 takes 91 % of commit latency.",
      stage: "localFlush",
      checkNext: ["Open the primary log write in the timeline"],
      severity: "none",
      place: "none",
    });
  });

  it("names the group commit wait where nothing takes a larger part of commits, by design or not", () => {
    const queue = { localFlush: 8_000, commitQueue: 9_000 };
    expect(described(queue)).toEqual({
      sentence:
        "The group commit wait takes 53 % of commit latency: 9.00 ms at p50. Up to 10 ms is by design from SQL Server 2016 on.",
      stage: "commitQueue",
      checkNext: [
        "Watch Log Flushes/sec and Transactions/sec of the database",
        "Read availability group commit time (ms) in sp_configure, from SQL Server 2025 on",
      ],
      severity: "notice",
      place: "primary",
    });
    expect(described({ localFlush: 8_000, commitQueue: 7_900 })).toMatchObject({
      sentence:
        "Commits take 15.9 ms (p95), and no stage is over its limit. The log write on SQL1 takes 50 % of commit latency.",
      severity: "none",
    });
    // A short wait is no news.
    const short = { commitQueue: 2_900, hops: [{ append: 0, flush: 1_200, wireOut: 100, wireBack: 100 }] };
    expect(described(short)).toMatchObject({ severity: "none", stage: null });
    expect(described({ ...short, commitQueue: 3_000 })).toMatchObject({
      severity: "notice",
      stage: "commitQueue",
    });
  });

  it("describes the largest part of commits, wherever it is on their path", () => {
    expect(described({ commitQueue: 950, hops: [{ flush: 9_500 }] })).toMatchObject({
      stage: "secondaryFlush",
      checkNext: ["Open the secondary log write in the timeline"],
    });
  });

  it("says fine up to 10 ms at p95, and that no commit is known where none is", () => {
    // A commit takes 50 µs in the queue, 1,200 µs in addition to the secondary's log write, and 40 µs to wake up.
    const ofCommits = (us: number) => described({ hops: [{ flush: us - 1_290 }] }).sentence;
    expect(ofCommits(9_999)).toBe("Commits finish in 10.0 ms (p95). No stage stands out.");
    expect(ofCommits(10_000)).toMatch(/^Commits take 10\.0 ms/u);
    expect(described({ commits: 0 }).sentence).toBe("No stage stands out. No commit is known.");
  });

  it("cannot tell without the primary's file, but knows the secondaries' log writes", () => {
    const model = modelOf([{ at: 0, hops: [{}, { flush: 5_000 }] }], { secondaries: 2 });
    const replicas = model.replicas.map((replica, r) => ({ ...replica, hasCapture: r > 0 }));
    const verdict = diagnose({ ...model, replicas });
    expect(plain(verdict.sentence)).toBe(
      "Can't determine what commits wait for because there is no file of the primary. SQL2 writes its log in 3.00 ms (p50), 3.00 ms (p95). SQL3 writes its log in 5.00 ms (p50), 5.00 ms (p95).",
    );
    expect(verdict).toMatchObject({
      severity: "notice",
      cause: "none",
      checkNext: ["Add the files of the primary"],
    });
    model.hops[1].secondaryFlushEnd.fill(Number.NaN);
    expect(diagnose({ ...model, replicas: [...replicas] }).sentence).not.toContain("SQL3");
  });

  it("is on the primary where flow control stopped sending", () => {
    const model = modelOf([{ at: 0 }, { at: 1_000_000 }]);
    const markers = {
      length: 1,
      kind: Uint8Array.of(MARKER_KINDS.indexOf("databaseFlowControl")),
      replica: Uint8Array.of(0),
      time: Float64Array.of(100),
      duration: Float64Array.of(500_000),
    };
    expect(diagnose({ ...model, markers })).toMatchObject({ cause: "flow_control", place: "primary" });
  });

  it("names flow control beside what was slower in the same time", () => {
    const model = modelOf(
      Array.from({ length: 600 }, (_, i) => ({
        at: i * 100_000,
        localFlush: i >= 200 && i < 400 ? 40_000 : 2_000,
      })),
    );
    // 200 blocks took 38 ms longer to write; half as long they were held before they were sent.
    for (const anchor of HOP_ANCHORS)
      for (let row = 200; row < 400; row++) model.hops[0][anchor][row] += 19_000;
    const markers = {
      length: 1,
      kind: Uint8Array.of(MARKER_KINDS.indexOf("databaseFlowControl")),
      replica: Uint8Array.of(0),
      time: Float64Array.of(20_000_000),
      duration: Float64Array.of(20_000_000),
    };
    const verdict = diagnose({ ...model, markers });
    expect(plain(verdict.sentence)).toMatch(
      /^Between 02:17:15 and 02:17:35 a log write on SQL1 took 40 ms instead of 2 ms; .* At the same time flow control stopped sending once between 02:17:15 and 02:17:35, 20\.0 s in total; commits took 40\.1 ms instead of 4\.29 ms \(p95\)\.$/u,
    );
  });

  it("says which part of remote harden is slow throughout", () => {
    const takes = (spec: Omit<BlockSpec, "at">) =>
      plain(diagnose(modelOf(Array.from({ length: 40 }, (_, i) => ({ ...spec, at: i * 200_000 })))).sentence);
    expect(takes({ hops: [{ flush: 40_000 }] })).toBe(
      "The log write on SQL2 takes 97 % of remote harden time. It takes 40.0 ms at p50 and 40.0 ms at p95.",
    );
    expect(takes({ hops: [{ append: 40_000 }] })).toBe(
      "SQL2 outside its log write takes 91 % of remote harden time. It takes 40.2 ms at p50 and 40.2 ms at p95.",
    );
    expect(takes({ hops: [{ wireOut: 40_000 }] })).toMatch(
      /^The network to SQL2 takes 92 % of remote harden time\. The round trip is 40 ms at p50\.$/u,
    );
  });

  it("advises on slow blocks of another cause last", () => {
    const far = { wireOut: 12_000, wireBack: 12_000 };
    const model = modelOf(
      Array.from({ length: 100 }, (_, i) => ({
        at: i * 1_000_000,
        hops: [i % 33 === 1 ? { ...far, flush: 400_000 } : far],
      })),
    );
    // The longest takes 424,900 µs, so that those over 200 ms count.
    expect(plain(diagnose(model).checkNext[2])).toBe("3 blocks over 200 ms are SQL2 log writes, not network");
  });
});
