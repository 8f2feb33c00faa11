import { oncePerModel } from "./stage-columns.ts";
import type { CaptureModel, HopAnchor } from "../replication/tables.ts";

const BETWEEN = {
  acknowledge: ["secondaryFlushEnd", "ackSent"],
  unseen: ["sendEnd", "ackReceived"],
} as const satisfies Readonly<Record<string, readonly [HopAnchor, HopAnchor]>>;

/**
 * Stretches of a block's path that are drawn as one bar and that no single stage measures: the whole acknowledgement on
 * the secondary, all that happens out of sight at a secondary without a file, and from an acknowledgement's arrival to the
 * end of the commits that it released. No sum of the percentiles of their stages is a percentile, so they have columns of
 * their own.
 */
export type StretchId = keyof typeof BETWEEN | "ackWakeUp";

export const STRETCH_IDS: readonly StretchId[] = ["acknowledge", "unseen", "ackWakeUp"];

/** Durations of a stretch towards one secondary, µs, one per block; NaN where an end is missing. */
export function stretchColumn(model: CaptureModel, secondary: number, id: StretchId): Float64Array {
  return oncePerModel(model, `stretch/${secondary}/${id}`, () => {
    const hop = model.hops[secondary];
    if (id === "ackWakeUp") {
      const { gate, commitEnd } = model.blocks;
      const end = (row: number) => (gate[row] === secondary + 2 ? commitEnd[row] : hop.ackProcessed[row]);
      return hop.ackReceived.map((start, row) => end(row) - start);
    }
    const [from, to] = BETWEEN[id];
    return hop[from].map((start, row) => hop[to][row] - start);
  });
}
