import { oncePerModel } from "../diagnosis/stage-columns.ts";
import type { CaptureModel, HopAnchor } from "../replication/tables.ts";

/**
 * Stretches of a block's path that are drawn as one bar and that no single stage measures: the whole acknowledgement on
 * the secondary, and all that happens out of sight at a secondary without a file. No sum of the percentiles of their
 * stages is a percentile, so they have columns of their own.
 */
export const STRETCHES = {
  acknowledge: ["secondaryFlushEnd", "ackSent"],
  unseen: ["sendEnd", "ackReceived"],
} as const satisfies Readonly<Record<string, readonly [HopAnchor, HopAnchor]>>;

export type StretchId = keyof typeof STRETCHES;

export const STRETCH_IDS = Object.keys(STRETCHES) as StretchId[];

/** Durations of a stretch towards one secondary, µs, one per block; NaN where an end is missing. */
export function stretchColumn(model: CaptureModel, secondary: number, id: StretchId): Float64Array {
  return oncePerModel(model, `stretch/${secondary}/${id}`, () => {
    const [from, to] = STRETCHES[id];
    const hop = model.hops[secondary];
    return hop[from].map((start, row) => hop[to][row] - start);
  });
}
