/** Bounds that blocks set on a secondary's clock (docs/contribute/model/clocks.md 5.2). */
import { gatherFloat64 } from "../../numbers/index.ts";

/** Bounds of blocks: departures and arrivals of the same index are one block's. All µs. */
export interface ClockBounds {
  /** K1, primary's clock: the message's earliest departure. */
  readonly departed: Float64Array;
  /** R0, secondary's clock. */
  readonly received: Float64Array;
  /** A2, secondary's clock: the acknowledgment's earliest departure. */
  readonly ackDeparted: Float64Array;
  /** H0, primary's clock. */
  readonly ackReceived: Float64Array;
}

/** Network round trip of a block, µs, free of the clocks; negative when its secondary's clock stepped while it was there. */
export const roundTripOf = (
  { departed, received, ackDeparted, ackReceived }: ClockBounds,
  block: number,
): number => ackReceived[block] - departed[block] - (ackDeparted[block] - received[block]);

/** The bounds of the blocks that `wanted` accepts. */
export function boundsWhere(bounds: ClockBounds, wanted: (block: number) => boolean): ClockBounds {
  const blocks = bounds.departed.length;
  const all = new Uint32Array(blocks);
  let n = 0;
  for (let block = 0; block < blocks; block++) if (wanted(block)) all[n++] = block;
  if (n === blocks) return bounds;
  const kept = all.subarray(0, n);
  const pick = (column: Float64Array): Float64Array => gatherFloat64(column, kept);
  return {
    departed: pick(bounds.departed),
    received: pick(bounds.received),
    ackDeparted: pick(bounds.ackDeparted),
    ackReceived: pick(bounds.ackReceived),
  };
}

/** The bounds of two sets of blocks, the earlier ones first. */
export function joinBounds(before: ClockBounds, after: ClockBounds): ClockBounds {
  const join = (name: keyof ClockBounds): Float64Array => {
    const joined = new Float64Array(before[name].length + after[name].length);
    joined.set(before[name]);
    joined.set(after[name], before[name].length);
    return joined;
  };
  return {
    departed: join("departed"),
    received: join("received"),
    ackDeparted: join("ackDeparted"),
    ackReceived: join("ackReceived"),
  };
}
