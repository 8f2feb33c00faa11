/**
 * Durations of each stage, block by block. Durations are µs, sizes bytes; bin i contains values at or over edge i and
 * under edge i + 1.
 */
import { DISTRIBUTION_STAGES } from "@aglens/ag-model/query";
import { z } from "../zod.ts";

const us = z.number().nullable();

/** The commits, a stage, or "acknowledge" for the secondary's log write done to its acknowledgment sent. */
export const DistributionStage = z.enum(DISTRIBUTION_STAGES);
export type DistributionStage = z.infer<typeof DistributionStage>;

const Range = z.object({ from: z.number(), to: z.number() });

/** The durations of one stage in one range. */
export const Histogram = z.object({
  /** Known durations, and blocks (or commits) of the range with an unknown one. */
  n: z.number(),
  missing: z.number(),
  /** Null where too few are known: p95 needs 20, p99 needs 100; with one value only `max` is set. */
  p50: us,
  p95: us,
  p99: us,
  max: us,
  /** Outside the bins. */
  under: z.number(),
  over: z.number(),
  counts: z.array(z.number()),
  /** Log writes up to 10, 20, 50 ms, and above; null for other stages. */
  classes: z
    .object({ good: z.number(), reasonable: z.number(), busy: z.number(), bad: z.number() })
    .nullable(),
});
export type Histogram = z.infer<typeof Histogram>;

export const Distribution = Range.extend({
  /** A second range on the same bins. */
  other: Range.nullable(),
  secondary: z.number(),
  scale: z.enum(["log", "linear"]),
  /** The stage of `heat` and `sizes`. */
  stage: DistributionStage,
  /** Bin edges of all rows, µs. */
  edges: z.array(z.number()),
  /** One entry of `ranges` per range, the second range last. */
  rows: z.array(z.object({ stage: DistributionStage, ranges: z.array(Histogram) })),
  /**
   * The stage by time: counts[t * (edges.length - 1) + d]; the outermost bins of durations also contain the values
   * beyond them.
   */
  heat: z.object({
    from: z.number(),
    binUs: z.number(),
    bins: z.number(),
    edges: z.array(z.number()),
    counts: z.array(z.number()),
  }),
  /** Log writes by the block's size, counts[s * (edges.length - 1) + d]; null for other stages. */
  sizes: z
    .object({
      sizeEdges: z.array(z.number()),
      edges: z.array(z.number()),
      counts: z.array(z.number()),
      /** Writes and median write of each size, the last size also for larger blocks. */
      writes: z.array(z.number()),
      p50: z.array(us),
      /** Writes of blocks without a known size. */
      unknown: z.number(),
    })
    .nullable(),
  /** Log writes that file writes split into parts: SQL Server's queue, the device, the completion. */
  splits: z.array(
    z.object({
      stage: z.enum(["localFlush", "secondaryFlush"]),
      /** Log writes of the range, and those whose parts are known. */
      writes: z.number(),
      split: z.number(),
      /** Sums over those, µs. */
      sums: z.object({ queue: z.number(), device: z.number(), completion: z.number() }),
    }),
  ),
});
export type Distribution = z.infer<typeof Distribution>;

/**
 * Percentiles of one range resampled many times (periods of time are drawn), as factors of the range's own percentiles:
 * the change that chance alone can cause. Empty where too few values are known.
 */
export const PercentileSpread = Range.extend({
  secondary: z.number(),
  rows: z.array(
    z.object({
      stage: DistributionStage,
      p50: z.array(z.number()),
      p95: z.array(z.number()),
      p99: z.array(z.number()),
    }),
  ),
});
export type PercentileSpread = z.infer<typeof PercentileSpread>;
