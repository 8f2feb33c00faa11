import { statisticsOf, type Statistics } from "../numbers/statistics.ts";
import type { CaptureModel, HopAnchor } from "../replication/tables.ts";
import { oncePerModel } from "./once-per-model.ts";
import { ackEnds } from "./release.ts";

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

export const STRETCH_IDS = ["acknowledge", "unseen", "ackWakeUp"] as const satisfies readonly StretchId[];

/** Durations of a stretch towards one secondary, µs, one per block; NaN where an end is missing. */
export function stretchColumn(model: CaptureModel, secondary: number, id: StretchId): Float64Array {
  return oncePerModel(model, `stretch/${secondary}/${id}`, () => {
    const hop = model.hops[secondary];
    const [start, end] =
      id === "ackWakeUp"
        ? [hop.ackReceived, ackEnds(model, secondary)]
        : [hop[BETWEEN[id][0]], hop[BETWEEN[id][1]]];
    return start.map((from, row) => end[row] - from);
  });
}

/** Statistics of one stretch over the whole capture, µs. */
export function stretchStatistics(model: CaptureModel, secondary: number, id: StretchId): Statistics {
  return oncePerModel(model, `statistics/stretch/${secondary}/${id}`, () =>
    statisticsOf(stretchColumn(model, secondary, id)),
  );
}
