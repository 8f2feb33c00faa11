import { describe, expect, it } from "vitest";
import { evidenceAnswer, evidenceMetric } from "../../../test/evidence.ts";
import { defaultMetrics, figuresOf, metricLanes, scaleTop, stepsOf } from "./metric-lanes.ts";

const SECOND = 1e6;
const SESSIONS = { unit: "sessions", isTotal: true } as const;
const LATENCY = { unit: "ms", isTotal: false } as const;
const disk = evidenceMetric({ metric: "disk write latency", of: "F:", server: "SQL2", form: "sample" });

describe("lanes of samples", () => {
  const answer = evidenceAnswer({
    metrics: [
      evidenceMetric({ metric: "pending tasks", of: null, unit: "count", form: "sample" }),
      disk,
      evidenceMetric({ of: "WRITELOG" }),
      evidenceMetric(),
      evidenceMetric({ server: "SQL2" }),
      evidenceMetric({ metric: "longest wait", form: "cumulative" }),
      evidenceMetric({ metric: "file size", samples: 1, form: "sample" }),
      evidenceMetric({ metric: "transaction delay in ms", of: "Sales", unit: "perSecond", form: "sample" }),
    ],
  });

  it("begin with the waits for commits, and leave cumulative and single values out", () => {
    const lanes = metricLanes(answer, (server) => (server === "SQL2" ? "--s-disk" : "--p-disk"));
    expect(lanes.map(({ name, note, color }) => [name, note, color])).toEqual([
      ["HADR_SYNC_COMMIT", "sessions waiting, mean, SQL1", "--wait"],
      ["HADR_SYNC_COMMIT", "sessions waiting, mean, SQL2", "--wait"],
      ["WRITELOG", "sessions waiting, mean, SQL1", "--p-disk"],
      ["Disk write latency", "ms, F:, SQL2", "--s-disk"],
      ["Transaction delay in ms", "ms per second, Sales, SQL1", "--p-disk"],
      ["Pending tasks", "number, SQL1", "--p-disk"],
    ]);
  });

  it("are one for each rule by default, as many as there is room for", () => {
    expect(defaultMetrics(answer, 4)).toEqual([
      "wait time@HADR_SYNC_COMMIT@SQL1",
      "wait time@WRITELOG@SQL1",
      "disk write latency@F:@SQL2",
      "transaction delay in ms@Sales@SQL1",
    ]);
    expect(defaultMetrics(answer, 1)).toEqual(["wait time@HADR_SYNC_COMMIT@SQL1"]);
    expect(defaultMetrics(answer, 0)).toEqual([]);
  });

  it("have keys of their own where two files have one metric", () => {
    const twice = evidenceAnswer({ metrics: [evidenceMetric(), evidenceMetric({ file: "SQL1/waits.csv" })] });
    expect(metricLanes(twice, () => "--wait").map(({ key }) => key)).toEqual([
      "wait time@HADR_SYNC_COMMIT@SQL1",
      "wait time@HADR_SYNC_COMMIT@SQL1@2",
    ]);
  });
});

describe("steps", () => {
  it("of waits are sessions: ms of waiting over the ms of the interval", () => {
    const series = {
      metric: 0,
      at: [10 * SECOND, 20 * SECOND, 30 * SECOND],
      values: [5_000, 20_000, null],
      samplesPerValue: 1,
    };
    expect(stepsOf(series, SESSIONS)).toEqual([
      { from: 0, to: 10 * SECOND, value: 0.5 },
      { from: 10 * SECOND, to: 20 * SECOND, value: 2 },
    ]);
    // Each value is the total of two deltas of 5 s, the last one of a single delta.
    const grouped = { metric: 0, at: [10, 20, 25].map((s) => s * SECOND), values: [5_000, 20_000, 10_000] };
    expect(stepsOf({ ...grouped, samplesPerValue: 2 }, SESSIONS).map(({ value }) => value)).toEqual([
      0.5, 2, 2,
    ]);
  });

  it("of waits are means over the complete interval, of which a long one is drawn in part", () => {
    const at = [0, 10, 20, 30, 300].map((s) => s * SECOND);
    const values = [null, 5_000, 5_000, 5_000, 270_000];
    const last = stepsOf({ metric: 0, at, values, samplesPerValue: 1 }, SESSIONS).at(-1);
    // 270 s of waiting in 270 s is one session.
    expect(last).toEqual({ from: 270 * SECOND, to: 300 * SECOND, value: 1 });
  });

  it("of other totals are as for one usual interval, however many are put together", () => {
    const waits = { unit: "count", isTotal: true } as const;
    const at = [20, 40, 60, 70].map((s) => s * SECOND);
    const series = { metric: 0, at, values: [8, 12, 16, 5], samplesPerValue: 2 };
    expect(stepsOf(series, waits).map(({ value }) => value)).toEqual([4, 6, 8, 5]);
    expect(stepsOf({ ...series, samplesPerValue: 1 }, waits).map(({ value }) => value)).toEqual([
      8, 12, 16, 5,
    ]);
  });

  it("are as wide as their interval, and a long silence is empty", () => {
    const at = [1, 2, 3, 60, 61].map((seconds) => seconds * SECOND);
    const steps = stepsOf({ metric: 0, at, values: [4, 5, 6, 7, 8], samplesPerValue: 1 }, LATENCY);
    expect(steps.map(({ from, to, value }) => [from / SECOND, to / SECOND, value])).toEqual([
      [0, 1, 4],
      [1, 2, 5],
      [2, 3, 6],
      [57, 60, 7],
      [60, 61, 8],
    ]);
  });

  it("need a second sample, which shows the interval", () => {
    expect(stepsOf({ metric: 0, at: [SECOND], values: [4], samplesPerValue: 1 }, LATENCY)).toEqual([]);
  });

  it("have a mean over the time in view", () => {
    const steps = [
      { from: 0, to: 10, value: 1 },
      { from: 10, to: 20, value: 4 },
    ];
    expect(figuresOf(steps, [5, 20])).toEqual({ mean: (5 * 1 + 10 * 4) / 15, max: 4 });
    expect(figuresOf(steps, [20, 30])).toBeNull();
  });

  it("have a scale that ends at a round number", () => {
    expect([0, 0.14, 1, 1.01, 53.9, 1_851].map(scaleTop)).toEqual([1, 0.2, 1, 2, 100, 2_000]);
  });
});
