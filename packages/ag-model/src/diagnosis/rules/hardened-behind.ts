import { perModelBy } from "../../columns/index.ts";
import type { CaptureModel } from "../../replication/shapes/tables.ts";
import type { Path } from "../paths.ts";

export interface HardenedBehind {
  /** From the end of a block's local log write to its acknowledgment processed, µs per block. */
  readonly us: Float64Array;
  /** Bytes that were hardened locally and not yet acknowledged when the block's local log write ended. */
  readonly bytes: Float64Array;
}

/** Lag of the log that a replica has acknowledged, against the log that the primary has hardened. */
export const hardenedBehind = perModelBy(
  ({ secondary }: Path) => secondary,
  (model: CaptureModel, { secondary }): HardenedBehind => {
    const { localFlushEnd, size, length } = model.blocks;
    const { ackProcessed } = model.hops[secondary];
    const us = localFlushEnd.map((hardened, row) => Math.max(ackProcessed[row] - hardened, 0));
    const known = Array.from({ length }, (_, row) => row).filter((row) => !Number.isNaN(us[row] + size[row]));
    const acked = known.toSorted((a, b) => ackProcessed[a] - ackProcessed[b]);
    const bytes = new Float64Array(length).fill(Number.NaN);
    let behind = 0;
    let next = 0;
    for (const row of known.toSorted((a, b) => localFlushEnd[a] - localFlushEnd[b])) {
      behind += size[row];
      while (next < acked.length && ackProcessed[acked[next]] <= localFlushEnd[row])
        behind -= size[acked[next++]];
      bytes[row] = Math.max(behind, 0);
    }
    return { us, bytes };
  },
);
