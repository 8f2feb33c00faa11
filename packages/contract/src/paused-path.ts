import { REMOTE_STAGE_IDS } from "@aglens/ag-model/replication";
import { z } from "./zod.ts";

/** What of a remote path is no stage's but a server's that stood still (docs/contribute/model.md 3.7); null for nothing. */
export const PausedPath = z
  .object({
    /** Index into the summary's replicas. */
    replica: z.number(),
    /** µs of each stage. */
    stages: z.partialRecord(z.enum(REMOTE_STAGE_IDS), z.number()),
  })
  .nullable();
export type PausedPath = z.infer<typeof PausedPath>;
