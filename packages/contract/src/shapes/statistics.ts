/** Statistics of durations, µs. */
import { SPAN_IDS } from "@aglens/ag-model/columns";
import { STAGE_IDS } from "@aglens/ag-model/replication";
import { PausedPath } from "../paused-path.ts";
import { us } from "../units.ts";
import { z } from "../zod.ts";

export const Statistics = z.object({ n: z.number(), p50: us, p95: us, p99: us, max: us, mean: us });
export type Statistics = z.infer<typeof Statistics>;

/** Statistics of the range in view. */
export const RangeStatistics = z.object({
  from: z.number(),
  to: z.number(),
  blocks: z.number(),
  commits: z.number(),
  commitLatency: Statistics,
  gates: z.array(z.number()),
  /**
   * stages[s][stageId]; also `acknowledge` (secondary flush end to ack sent), `unseen` (send end to ack received) and
   * `ackWakeUp` (ack received to the end of the commits that it released, otherwise to ack processed).
   */
  stages: z.array(z.record(z.enum([...STAGE_IDS, ...SPAN_IDS]), Statistics)),
  /** paused[s]: part of the means of `stages[s]`. */
  paused: z.array(PausedPath),
});
export type RangeStatistics = z.infer<typeof RangeStatistics>;
