/** The overview of a range. Durations and times are µs relative to the capture's origin on the primary's clock. */
import { RemoteStageId, us } from "../units.ts";
import { z } from "../zod.ts";

/** Equal-width bins over [from, to); arrays have one entry per bin. */
export const Overview = z.object({
  from: z.number(),
  to: z.number(),
  binUs: z.number(),
  blocks: z.array(z.number()),
  bytes: z.array(z.number()),
  commits: z.array(z.number()),
  commitP50: z.array(us),
  commitP95: z.array(us),
  commitP99: z.array(us),
  commitMax: z.array(us),
  /** Remote harden of the chosen secondary, µs. */
  hardenP50: z.array(us),
  hardenP95: z.array(us),
  hardenP99: z.array(us),
  hardenMax: z.array(us),
  /** sums[stageId][bin]: total µs of each remote-path stage, so that shares add up. */
  stageSums: z.record(RemoteStageId, z.array(z.number())),
  /** Periods without a log block although every file covers them: [from, to]. */
  idle: z.array(z.tuple([z.number(), z.number()])),
  /** Periods that some file does not cover: [from, to, replica index]. */
  uncovered: z.array(z.tuple([z.number(), z.number(), z.number()])),
});
export type Overview = z.infer<typeof Overview>;
