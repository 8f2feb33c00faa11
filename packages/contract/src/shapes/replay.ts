/**
 * Results of replaying a capture: wait and service times of blocks, and predicted commit latency with one change.
 * Durations are µs; indexes of replicas and databases are those of the summary.
 */
import { z } from "../zod.ts";

const us = z.number().nullable();
/** Over `n` commits; µs. */
const Percentiles = z.object({ n: z.number(), p50: us, p95: us, p99: us, max: us, mean: us });
const Interval = z.tuple([us, us]);

/** One change as the list shows it. */
export const PredictedChange = z.object({
  /** Short form, as the `change` parameter expects it. */
  change: z.string(),
  /** Name in words, and the current state that it changes. */
  name: z.string(),
  detail: z.string(),
  p95: us,
  between: Interval,
  /** Largest relative error of the same replay without the change; over the limit `canTell` is false. */
  ownError: us,
  canTell: z.boolean(),
});
export type PredictedChange = z.infer<typeof PredictedChange>;

/** One change in full. Releases count commits by their releaser: [0] the local log write, [r + 1] replica r. */
export const PredictionDetail = PredictedChange.extend({
  kind: z.enum(["async", "sync", "write", "network", "compression"]),
  replica: z.number(),
  /** Commits that were replayed; the others' blocks are not fully joined. */
  commits: z.number(),
  measured: Percentiles,
  /** Null for a figure that the replay without the change does not find as it was measured. */
  predicted: Percentiles,
  unchanged: Percentiles,
  intervals: z.object({ p50: Interval, p95: Interval, p99: Interval }),
  releases: z.object({ measured: z.array(z.number()), predicted: z.array(z.number()) }),
  /** Predicted lag of an asynchronous replica; null for other changes. */
  behind: z.object({ p95Us: us, mostBytes: z.number() }).nullable(),
  /** Commits by latency in logarithmic bins; `edges` has one entry more than the counts. */
  distribution: z.object({
    edges: z.array(z.number()),
    measured: z.array(z.number()),
    predicted: z.array(z.number()),
  }),
  /** By intervals of equal length; releases[r][bin]. */
  overTime: z.object({
    binUs: z.number(),
    measuredP50: z.array(us),
    measuredP95: z.array(us),
    predictedP50: z.array(us),
    predictedP95: z.array(us),
    releasesMeasured: z.array(z.array(z.number())),
    releasesPredicted: z.array(z.array(z.number())),
  }),
});
export type PredictionDetail = z.infer<typeof PredictionDetail>;

export const WhatIf = z.object({
  /** Commits of the capture. */
  of: z.number(),
  /** Largest effect on p95 first. */
  changes: z.array(PredictedChange),
  /** The requested change; without one the first of the list, null when the capture allows none. */
  chosen: PredictionDetail.nullable(),
});
export type WhatIf = z.infer<typeof WhatIf>;

/** One log writer or one direction of the network. */
export const WaitingRow = z.object({
  kind: z.enum(["logWrite", "networkOut", "networkBack", "unseen"]),
  database: z.number(),
  /** Index into Summary.phases. */
  phase: z.number(),
  /** Replica of the log writer, or secondary of the network. */
  replica: z.number(),
  primary: z.number(),
  mode: z.enum(["primary", "sync", "async", "undetermined"]),
  blocks: z.number(),
  /** Blocks that a network's figures exclude: a server at either end was unresponsive while they were on their way. */
  pausedBlocks: z.number(),
  /** Share of each second with a write running or a block in flight, 0 to 1, to 0.0001. */
  busy: z.array(z.number()),
  /**
   * Absent where an entry of `busy` is a second; otherwise length of an entry, µs, in a capture longer than a day: its
   * share is that of its busiest second.
   */
  busyUs: z.number().optional(),
  busyMean: us,
  busyMost: us,
  waitedUs: us,
  servedUs: us,
  waitedP95Us: us,
  /**
   * Error bound of `servedUs`: a direction of the network is measured on two clocks. Null where they are not aligned.
   */
  errorUs: us,
  /** `servedUs` of both directions of a network together, free of the clocks' error; null for other rows. */
  roundTripUs: us,
  /** Blocks (on the way back acknowledgments) per second. */
  perSecond: us,
  mostPerSecond: us,
  /** Rate at which a log writer is busy 90 % of the time; null when it can't be determined. */
  fullPerSecond: us,
  bytesPerSecondWaiting: us,
  isSlow: z.boolean(),
  isQueued: z.boolean(),
  /** Writes by the number of blocks that shared one; the last entry is "that many or more". */
  sharedWrites: z.array(z.object({ blocks: z.number(), writes: z.number(), writeUs: us, waitedUs: us })),
  /** Mean wait if each write took 5 ms. */
  waitAtFastWriteUs: us,
  /**
   * Periods in which the verdict calls it slow, µs, and its means outside of them: all other means and rates are of
   * these periods only. Null: of the entire capture.
   */
  episode: z
    .object({
      stretches: z.array(z.tuple([z.number(), z.number()])),
      waitedUs: us,
      servedUs: us,
      roundTripUs: us,
    })
    .nullable()
    .default(null),
});
export type WaitingRow = z.infer<typeof WaitingRow>;

export const Waiting = z.object({
  rows: z.array(WaitingRow),
  /** Index of the row that the sentence is about; -1 without rows. */
  worst: z.number(),
});
export type Waiting = z.infer<typeof Waiting>;
