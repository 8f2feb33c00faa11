import { describe, expect, it } from "vitest";
import { evidenceAnswer, evidenceMetric } from "../../../test/evidence.ts";
import { defaultMetrics, figuresOf, metricLanes, scaleTop, stepsOf } from "./metric-lanes.ts";

const SECOND = 1e6;
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
    ],
  });

  it("begin with the waits for commits, and leave cumulative and single values out", () => {
    const lanes = metricLanes(answer, (server) => (server === "SQL2" ? "--s-disk" : "--p-disk"));
    expect(lanes.map(({ name, note, color }) => [name, note, color])).toEqual([
      ["HADR_SYNC_COMMIT", "sessions waiting, mean, SQL1", "--wait"],
      ["HADR_SYNC_COMMIT", "sessions waiting, mean, SQL2", "--wait"],
      ["WRITELOG", "sessions waiting, mean, SQL1", "--p-disk"],
      ["Disk write latency", "ms, F:, SQL2", "--s-disk"],
      ["Pending tasks", "number, SQL1", "--p-disk"],
    ]);
  });

  it("are one for each rule by default, as many as there is room for", () => {
    expect(defaultMetrics(answer, 4)).toEqual([
      "wait time@HADR_SYNC_COMMIT@SQL1",
      "wait time@WRITELOG@SQL1",
      "disk write latency@F:@SQL2",
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
    expect(stepsOf(series, { unit: "sessions" })).toEqual([
      { from: 0, to: 10 * SECOND, value: 0.5 },
      { from: 10 * SECOND, to: 20 * SECOND, value: 2 },
    ]);
    // Each value is the mean of two deltas of 5 s.
    expect(stepsOf({ ...series, samplesPerValue: 2 }, { unit: "sessions" })[0]?.value).toBe(1);
  });

  it("are as wide as their interval, and a long silence is empty", () => {
    const at = [1, 2, 3, 60, 61].map((seconds) => seconds * SECOND);
    const steps = stepsOf({ metric: 0, at, values: [4, 5, 6, 7, 8], samplesPerValue: 1 }, { unit: "ms" });
    expect(steps.map(({ from, to, value }) => [from / SECOND, to / SECOND, value])).toEqual([
      [0, 1, 4],
      [1, 2, 5],
      [2, 3, 6],
      [57, 60, 7],
      [60, 61, 8],
    ]);
  });

  it("need a second sample, which shows the interval", () => {
    expect(stepsOf({ metric: 0, at: [SECOND], values: [4], samplesPerValue: 1 }, { unit: "ms" })).toEqual([]);
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
