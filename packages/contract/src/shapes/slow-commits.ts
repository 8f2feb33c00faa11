/** Commits in order of their wait. Durations are µs, `start` is µs from the capture's origin. */
import { COMMIT_ORDERS } from "@aglens/ag-model/query";
import { PATH_STAGES, STAGE_IDS } from "@aglens/ag-model/replication";
import { PausedPath } from "../paused-path.ts";
import { z } from "../zod.ts";

const us = z.number().nullable();
const StageId = z.enum(STAGE_IDS);

/** The complete wait, its part after the release, its part before the log write, or the begin of the commit. */
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
  /** 0 unknown, 1 the local log write, s + 2 the acknowledgment of secondary s: one more than its place in `Summary.commits.gates`. */
  gate: z.number(),
  /** Secondary that released it, otherwise the requested one. */
  secondary: z.number(),
  /** Replica whose acknowledgment released it. */
  releasedBy: z.number().nullable(),
  /** Commits of its block, all released by the same. */
  commitsOfBlock: z.number().nullable(),
  /** Time before the release at which the other side had finished: the local log write, or the last acknowledgment. */
  otherEarlierBy: us,
  largest: StageId.nullable(),
  /** The local log write after the commit's start. */
  localStart: us,
  localEnd: us,
  /** By secondary: the way there and back after the commit's start; empty when the block is not in the capture. */
  paths: z.array(
    z.object({ start: us, end: us, stages: z.record(z.enum(PATH_STAGES), us), paused: PausedPath }),
  ),
});
export type SlowCommit = z.infer<typeof SlowCommit>;

export const SlowCommits = z.object({
  total: z.number(),
  /** Wait of all commits of the range, µs. */
  waitedUs: z.number(),
  /** The smallest number of commits that together have half of it. */
  half: z.number(),
  rows: z.array(SlowCommit),
});
export type SlowCommits = z.infer<typeof SlowCommits>;
