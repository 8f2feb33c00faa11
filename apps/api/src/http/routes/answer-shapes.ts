/** Shapes of small answers that only their routes have. */
import { CaptureFile } from "@aglens/contract";
import { z } from "zod";

export const CaptureFiles = z.object({ files: z.array(CaptureFile) });
export const Samples = z.object({ samples: z.array(z.string()) });
export const LiveReplicaAdded = z.object({ index: z.number() });
export const LiveKept = z.object({
  captureId: z.string().nullable().describe("null: nothing came in that time"),
});
export const Health = z.object({ status: z.literal("ok") });
export const OpenApi = z.record(z.string(), z.unknown());
