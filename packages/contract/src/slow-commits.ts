/** Commits in order of their wait. Durations are µs, `start` is µs from the capture's origin. */
import { COMMIT_ORDERS } from "@aglens/ag-model/query";
import { STAGE_IDS } from "@aglens/ag-model/replication";
import { z } from "./zod.ts";

const us = z.number().nullable();
const StageId = z.enum(STAGE_IDS);

/** The whole wait, its part after the release, its part before the log write, or when the commit began. */
export const CommitOrder = z.enum(COMMIT_ORDERS);
export type CommitOrder = z.infer<typeof CommitOrder>;

export const SlowCommit = z.object({
  row: z.number(),
  /** Row of its log block; null when that is not in the capture. */
  block: z.number().nullable(),
  database: z.number(),
  lsn: z.string().nullable(),
  start: z.number(),
  waited: us,
  queued: us,
  wokenAfter: us,
  /** As Summary.commits.gates counts them: 0 unknown, 1 the local log write, s + 2 the acknowledgement of secondary s. */
  gate: z.number(),
  /** Secondary whose path `stages` and `pathStart` are. */
  secondary: z.number(),
  /** Replica whose acknowledgement released it. */
  releasedBy: z.number().nullable(),
  /** How long before the release the other side had finished: the local log write, or the last acknowledgement. */
  otherEarlierBy: us,
  largest: StageId.nullable(),
  /** Ends of the remote path and of the local log write after the commit's start. */
  pathStart: us,
  pathEnd: us,
  localStart: us,
  localEnd: us,
  stages: z.record(StageId, us).nullable(),
});
export type SlowCommit = z.infer<typeof SlowCommit>;

export const SlowCommits = z.object({
  total: z.number(),
  /** Of all commits of the range. */
  waitedUs: z.number(),
  /** The fewest commits that hold half of it. */
  half: z.number(),
  rows: z.array(SlowCommit),
});
export type SlowCommits = z.infer<typeof SlowCommits>;
