import type { CaptureModel, HopAnchor } from "../replication/shapes/tables.ts";
import { perModel } from "./per-model.ts";
import { ackEnds } from "./release.ts";

/**
 * Spans of a block's path that are drawn as one bar and that no single stage measures, each with its two anchors: the
 * complete acknowledgment on the secondary, all work of a secondary without a file, and an acknowledgment from its
 * arrival on, which lasts until the commits that it released woke up (`ackEnds`). No sum of the percentiles of their
 * stages is a percentile, so they have columns of their own.
 */
export const SPAN_ANCHORS = {
  acknowledge: ["secondaryFlushEnd", "ackSent"],
  unseen: ["sendEnd", "ackReceived"],
  ackWakeUp: ["ackReceived", "ackProcessed"],
} as const satisfies Readonly<Record<string, readonly [HopAnchor, HopAnchor]>>;

export type SpanId = keyof typeof SPAN_ANCHORS;

export const SPAN_IDS = ["acknowledge", "unseen", "ackWakeUp"] as const satisfies readonly SpanId[];

/** True for a text that is the id of a span. */
export const isSpanId = (id: string): id is SpanId => Object.hasOwn(SPAN_ANCHORS, id);

/** Durations of a span of one secondary's path, µs, one per block; NaN where an end is missing. */
export const spanColumn = perModel((model: CaptureModel, secondary: number, id: SpanId): Float64Array => {
  const hop = model.hops[secondary];
  const [from, to] = SPAN_ANCHORS[id];
  const ends = id === "ackWakeUp" ? ackEnds(model, secondary) : hop[to];
  const starts = hop[from];
  const column = new Float64Array(starts.length);
  for (let row = 0; row < column.length; row++) column[row] = ends[row] - starts[row];
  return column;
});
