import { REMOTE_STAGE_IDS } from "@aglens/ag-model/replication";
import { z } from "./zod.ts";

/**
 * Part of a remote path that is due to an unresponsive server instead of a stage (docs/contribute/model/joins.md 3.7); null
 * without such a part.
 */
export const PausedPath = z
  .object({
    /** Index into the summary's replicas. */
    replica: z.number(),
    /** µs of each stage. */
    stages: z.partialRecord(z.enum(REMOTE_STAGE_IDS), z.number()),
  })
  .nullable();
export type PausedPath = z.infer<typeof PausedPath>;
