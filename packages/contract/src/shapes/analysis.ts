/** An analysis that waits or is under way. */
import { AnalysisPace } from "../pace.ts";
import { z } from "../zod.ts";

/** An analysis that has not begun, because others run. */
export const WaitingAnalysis = z.object({
  /** Among those that wait: 1 for the next. */
  place: z.number(),
  /** A sentence. */
  reason: z.string(),
});
export type WaitingAnalysis = z.infer<typeof WaitingAnalysis>;

export const Progress = z.object({
  phase: z.enum([
    "receiving",
    "waiting",
    "decode",
    "roles",
    "join",
    "align",
    "measure",
    "verdict",
    "store",
    "done",
  ]),
  bytesDone: z.number(),
  bytesTotal: z.number(),
  events: z.number(),
  blocks: z.number(),
  /** Only in the phase "waiting". */
  waiting: WaitingAnalysis.optional(),
  /**
   * Paces of the last analyses on the server that runs this one, newest last; sent with a capture, not with each
   * report.
   */
  paces: z.array(AnalysisPace).optional(),
  /** Since it began to run, ms. */
  elapsedMs: z.number().optional(),
  /** Number of running and waiting analyses on the same server, including this one; absent where it is the only one. */
  analyses: z.object({ running: z.number(), waiting: z.number() }).optional(),
  /** Per file, same order as the capture's files; `at` is the time of the last event read, UTC, ISO 8601. */
  files: z.array(
    z.object({
      id: z.string(),
      bytesDone: z.number(),
      events: z.number(),
      at: z.string().nullable().default(null),
    }),
  ),
});
export type Progress = z.infer<typeof Progress>;
