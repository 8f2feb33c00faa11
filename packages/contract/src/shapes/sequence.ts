/** The events and stages of one log block. Times are µs relative to the capture's origin on the primary's clock. */
import { HOP_ANCHORS, LOCAL_ANCHORS } from "@aglens/ag-model/replication";
import { EqualLsns } from "./slow-blocks.ts";
import { StageId, us } from "../units.ts";
import { z } from "../zod.ts";

export const SequenceEvent = z.object({
  /** Secondary whose hop the event is about, when it names one; null when it concerns only the block or the replica. */
  secondary: z.number().nullable(),
  replica: z.number(),
  name: z.string(),
  mode: z.number().nullable(),
  /** When it began and fired, µs on the primary's clock. */
  begin: us,
  fire: us,
  /** True when it has no start_timestamp: its place is its publish time, which is accurate to some milliseconds. */
  byPublish: z.boolean(),
  /** processing_time, total_processing_time or duration of the event; unit in `durationUnit`. */
  duration: us,
  durationUnit: z.string().nullable(),
  lsn: z.string().nullable(),
  /** Published UTC, ISO 8601 with 7 decimals. */
  timestamp: z.string(),
  fields: z.record(z.string(), z.unknown()),
  actions: z.record(z.string(), z.unknown()),
  file: z.string(),
  offset: z.number(),
});
export type SequenceEvent = z.infer<typeof SequenceEvent>;

export const SequenceStage = z.object({
  id: StageId,
  from: us,
  to: us,
  duration: us,
  /** Share of remote harden, 0..1; null when not on the remote path. */
  share: us,
  /** Percent of the capture's blocks at or below, 0..100. */
  rank: us,
  typical: us,
  obtained: z.enum(["measured", "derived", "fallback", "missing"]),
  /** True when a server at either end was unresponsive for most of it. */
  isPaused: z.boolean(),
  /** ± µs when it depends on the clock alignment. */
  uncertaintyUs: us,
});
export type SequenceStage = z.infer<typeof SequenceStage>;

/** Parts of a log write, µs: they add up to it. Null where no file write shows them. */
const WriteSplit = z.object({ queue: z.number(), device: z.number(), completion: z.number() }).nullable();
export type WriteSplit = z.infer<typeof WriteSplit>;

/** One block from commit to commit. */
export const Sequence = z.object({
  row: z.number(),
  database: z.number(),
  /** Index into Summary.phases, which has the primary. */
  phase: z.number(),
  lsn: z.string(),
  equalLsns: EqualLsns,
  blockId: z.string(),
  size: us,
  time: z.number(),
  vlfStart: z.boolean(),
  gate: z.number(),
  local: z.record(z.enum(LOCAL_ANCHORS), us),
  split: WriteSplit,
  hops: z.array(
    z.object({
      secondary: z.number(),
      /** The server that was unresponsive for most of this remote harden, and for how many µs of it. */
      pause: z.object({ end: z.enum(["primary", "secondary"]), us: z.number() }).nullable(),
      anchors: z.record(z.enum(HOP_ANCHORS), us),
      split: WriteSplit,
      stages: z.array(SequenceStage),
      remoteHarden: us,
      remoteHardenRank: us,
      typical: z.record(StageId, us),
    }),
  ),
  commits: z.array(
    z.object({
      start: z.number(),
      end: z.number(),
      queued: us,
      wokenAfter: us,
      rank: us,
      gate: z.number(),
      timeToCommit: us,
    }),
  ),
  events: z.array(SequenceEvent),
  previousInTime: z.number().nullable(),
  nextInTime: z.number().nullable(),
});
export type Sequence = z.infer<typeof Sequence>;
