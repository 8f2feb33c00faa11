/**
 * Answers of the replay, written by hand: SQL2's log writer is slow and queued, and without it commits are ten times
 * faster.
 */
import type { PredictedChange, PredictionDetail, WaitingRow, WhatIf } from "@aglens/contract";

export const waitingRow = (more: Partial<WaitingRow> = {}): WaitingRow => ({
  kind: "logWrite",
  database: 0,
  phase: 0,
  replica: 1,
  primary: 0,
  mode: "sync",
  blocks: 510,
  pausedBlocks: 0,
  busy: [0.2, 0.95, 0.99, 0.4],
  busyMean: 0.78,
  busyMost: 0.99,
  waitedUs: 13_000,
  servedUs: 26_800,
  waitedP95Us: 36_100,
  errorUs: 0,
  roundTripUs: null,
  perSecond: 51,
  mostPerSecond: 99,
  fullPerSecond: 80,
  bytesPerSecondWaiting: null,
  isSlow: true,
  isQueued: true,
  sharedWrites: [
    { blocks: 1, writes: 300, writeUs: 25_400, waitedUs: 0 },
    { blocks: 2, writes: 105, writeUs: 24_600, waitedUs: 12_600 },
  ],
  waitAtFastWriteUs: 654,
  episode: null,
  ...more,
});

export const primaryRow = waitingRow({
  replica: 0,
  mode: "primary",
  busyMean: 0.13,
  busyMost: 0.25,
  busy: [0.1, 0.25],
  waitedUs: 0,
  servedUs: 2_580,
  waitedP95Us: 0,
  fullPerSecond: 816,
  isSlow: false,
  isQueued: false,
});

export const networkRow = waitingRow({
  kind: "networkOut",
  busyMean: 0.012,
  busyMost: 0.024,
  busy: [0.01, 0.02],
  waitedUs: 0,
  servedUs: 271,
  waitedP95Us: 0,
  errorUs: 60,
  roundTripUs: 540,
  fullPerSecond: null,
  isSlow: false,
  isQueued: false,
  sharedWrites: [],
});

export const predictedChange = (more: Partial<PredictedChange> = {}): PredictedChange => ({
  change: "async:SQL2",
  name: "SQL2 asynchronous",
  detail: "commits do not wait for it",
  p95: 6_010,
  between: [5_700, 6_310],
  ownError: 0,
  canTell: true,
  ...more,
});

const same = (us: number) => ({ p50: us / 2, p95: us, p99: us, max: us, mean: us, n: 3_797 });

export const predictionDetail = (more: Partial<PredictionDetail> = {}): PredictionDetail => ({
  ...predictedChange(),
  kind: "async",
  replica: 1,
  commits: 3_797,
  measured: same(70_700),
  predicted: same(6_010),
  unchanged: same(70_700),
  intervals: { p50: [2_900, 3_100], p95: [5_700, 6_310], p99: [5_700, 6_310] },
  releases: { measured: [0, 0, 3_797], predicted: [3_797, 0, 0] },
  behind: { p95Us: 56_500, mostBytes: 53_200 },
  distribution: {
    edges: [2_000, 8_000, 32_000, 128_000],
    measured: [0, 97, 3_700],
    predicted: [3_797, 0, 0],
  },
  overTime: {
    binUs: 1_000_000,
    measuredP50: [40_000, null],
    measuredP95: [70_000, null],
    predictedP50: [3_000, null],
    predictedP95: [6_000, null],
    releasesMeasured: [
      [0, 0],
      [0, 0],
      [3_797, 0],
    ],
    releasesPredicted: [
      [3_797, 0],
      [0, 0],
      [0, 0],
    ],
  },
  ...more,
});

export const whatIfOf = (chosen: Partial<PredictionDetail> = {}): WhatIf => ({
  of: 3_799,
  changes: [
    predictedChange(),
    predictedChange({
      change: "write:SQL2:p50",
      name: "SQL2's log write at most its p50",
      detail: "now 25.2 ms (p50), no slower one",
      p95: 51_000,
      between: [46_000, 56_000],
    }),
    predictedChange({
      change: "network:SQL2:200us",
      name: "Network to SQL2 200 µs",
      detail: "round trip now 499 µs (p50)",
      p95: 70_400,
      between: [67_000, 74_000],
    }),
  ],
  chosen: predictionDetail(chosen),
});
