/** A row per replica: its releases, the path to it, and its lag. Durations are µs. */
import { PATH_STAGES } from "@aglens/ag-model/replication";
import { Statistics } from "./statistics.ts";
import { z } from "../zod.ts";

const us = z.number().nullable();

/** Lag according to the primary, every 10 ms. */
export const Behind = z.object({
  p50: us,
  p95: us,
  max: us,
  /** Bytes. */
  bytesP50: us,
  bytesMax: us,
  /** Per bin. */
  medians: z.array(us),
  /** Largest of each column. */
  longest: z.array(us),
  mostBytes: z.array(us),
});
export type Behind = z.infer<typeof Behind>;

/** Commits by their releaser and by the interval in which they end. */
export const Releases = z.object({
  /** µs */
  from: z.number(),
  to: z.number(),
  binUs: z.number(),
  /**
   * [0] not known, [1] the local log write, [s + 2] the acknowledgment of secondary s; each has a count per interval.
   */
  released: z.array(z.array(z.number())),
});
export type Releases = z.infer<typeof Releases>;

export const ReplicaRow = z.object({
  /** Commits that its acknowledgment released. */
  commits: z.number(),
  /** The same per bin of their end. */
  released: z.array(z.number()),
  /** From the block's handing over to its acknowledgment processed. */
  path: Statistics,
  /**
   * Number of blocks that the means of the stages are computed from; 0 where each stage is computed from the blocks
   * that have it.
   */
  wholePaths: z.number(),
  stages: z.record(z.enum(PATH_STAGES), us),
  /** Null for a replica that commits wait for. */
  behind: Behind.nullable(),
});
export type ReplicaRow = z.infer<typeof ReplicaRow>;

export const ReplicaRows = z.object({
  from: z.number(),
  to: z.number(),
  binUs: z.number(),
  /** Commits that end in the range and have a known releaser. */
  commits: z.number(),
  latency: Statistics,
  blocks: z.number(),
  local: z.object({ commits: z.number(), released: z.array(z.number()), write: Statistics }),
  /** By secondary. */
  replicas: z.array(ReplicaRow),
});
export type ReplicaRows = z.infer<typeof ReplicaRows>;
