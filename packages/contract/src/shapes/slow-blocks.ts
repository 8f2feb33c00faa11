/** Lists of log blocks. Durations and times are µs relative to the capture's origin on the primary's clock. */
import { SLOWEST_SORTS } from "@aglens/ag-model/query";
import { WRITE_PART_IDS } from "@aglens/ag-model/replication";
import { PausedPath } from "../paused-path.ts";
import { RemoteStageId, us } from "../units.ts";
import { z } from "../zod.ts";

/** Sort key of slow blocks: a stage, or "commit" for the block's longest commit. */
export const SlowestSort = z.enum(SLOWEST_SORTS);
export type SlowestSort = z.infer<typeof SlowestSort>;

/** Further orders: by begin of the block, and by the value that met the filter's first condition about a duration. */
export const SlowestOrder = z.enum([...SlowestSort.options, "time", "matched"]);
export type SlowestOrder = z.infer<typeof SlowestOrder>;

/** Blocks of other databases with the LSN of a block, at most one of each. */
export const EqualLsns = z
  .array(z.object({ row: z.number(), database: z.number(), time: z.number() }))
  .default([]);

export const SlowBlock = z.object({
  row: z.number(),
  database: z.number(),
  /** Printed as 00000022:00000167. */
  lsn: z.string(),
  equalLsns: EqualLsns,
  time: z.number(),
  commits: z.number(),
  gate: z.number(),
  /** The stage of the remote path that took longest. */
  largest: RemoteStageId.nullable(),
  paused: PausedPath,
  /** Start of the local log write counted from the start of the remote path, µs; may be negative. */
  localStart: us,
  /** µs, towards the chosen secondary. */
  stages: z.record(SlowestSort, us),
  /**
   * Stage or commit that met the filter's first condition about a duration, and its replica: the one of the log write,
   * or the secondary of the path; null for a commit. Null without such a condition.
   */
  matched: z
    .object({
      stage: z.enum([...SLOWEST_SORTS, "acknowledge", ...WRITE_PART_IDS]),
      replica: z.number().nullable(),
      us: z.number(),
    })
    .nullable()
    .default(null),
});
export type SlowBlock = z.infer<typeof SlowBlock>;

export const SlowBlocks = z.object({ total: z.number(), rows: z.array(SlowBlock) });
export type SlowBlocks = z.infer<typeof SlowBlocks>;

/** Blocks that match a search: those of an LSN, or the one at an instant. */
export const FoundBlocks = z.object({
  rows: z.array(SlowBlock.pick({ row: true, database: true, lsn: true, time: true })),
});
export type FoundBlocks = z.infer<typeof FoundBlocks>;
