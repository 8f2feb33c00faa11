/** Number of blocks that match a filter, and the waits of their commits. Durations and instants are µs. */
import { z } from "../zod.ts";

const us = z.number().nullable();

export const Hits = z.object({
  blocks: z.number(),
  commits: z.number(),
  /** Hits that end before the requested range, and hits that begin after it. */
  before: z.number(),
  after: z.number(),
  /** From the first hit's start to the last one's end; null without hits. */
  first: us,
  last: us,
  /** Waits of the hits' commits, and their share of the waits of all commits. */
  waitedUs: z.number(),
  waitedShare: z.number().nullable(),
  /** Each condition alone: its blocks; of a stage also the hits' share of its time, and its largest value. */
  conditions: z.array(z.object({ blocks: z.number(), share: z.number().nullable(), largest: us })),
});
export type Hits = z.infer<typeof Hits>;

/** Blocks and commits of several filters, in the order of the filters. */
export const HitCounts = z.object({
  counts: z.array(z.object({ blocks: z.number(), commits: z.number() })),
});
export type HitCounts = z.infer<typeof HitCounts>;
