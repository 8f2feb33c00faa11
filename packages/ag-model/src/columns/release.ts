/** Release of a block's commits, and when they woke up (docs/contribute/model/stages.md 4.4). */
import { Gate } from "../replication/shapes/tables.ts";
import type { BlockColumns } from "./anchors.ts";

/**
 * When a block was released by `gate`, µs: the end of its local log write, or its acknowledgment processed. NaN where
 * unknown, and for `block` -1.
 */
export function releasedAt({ blocks, hops }: BlockColumns, block: number, gate: number): number {
  if (gate === Gate.unknown || block < 0) return Number.NaN;
  if (gate === Gate.localFlush) return blocks.localFlushEnd[block];
  return hops[Gate.secondaryOf(gate)]?.ackProcessed[block] ?? Number.NaN;
}

/**
 * `releasedAt` for loops over rows: by gate the column that has the instant, undefined where the gate has no release.
 * Loops look up a column once per row, where `releasedAt` looks up the hop and its column.
 */
export const releaseColumns = ({ blocks, hops }: BlockColumns): readonly (Float64Array | undefined)[] => {
  const columns: (Float64Array | undefined)[] = Array.from({ length: 256 }, () => undefined);
  columns[Gate.localFlush] = blocks.localFlushEnd;
  for (const [secondary, { ackProcessed }] of hops.entries())
    columns[Gate.ofSecondary(secondary)] = ackProcessed;
  return columns;
};

/**
 * End of one acknowledgment on the primary, µs: the end of the commits that it released, and for one that released no
 * commit the instant it was processed.
 */
export const ackEnd = <Instant>(
  gate: number,
  secondary: number,
  processed: Instant,
  commitEnd: Instant,
): Instant => (gate === Gate.ofSecondary(secondary) ? commitEnd : processed);

/** End of each block's acknowledgment on the primary, µs (`ackEnd`). */
export function ackEnds({ blocks, hops }: BlockColumns, secondary: number): Float64Array {
  const { gate, commitEnd } = blocks;
  const { ackProcessed } = hops[secondary];
  const ends = new Float64Array(ackProcessed.length);
  for (let row = 0; row < ends.length; row++)
    ends[row] = ackEnd(gate[row], secondary, ackProcessed[row], commitEnd[row]);
  return ends;
}
