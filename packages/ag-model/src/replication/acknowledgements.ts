/**
 * Which acknowledgement covers a block. Acknowledgements carry the END of the hardened range and are cumulative: a
 * block's acknowledgement is the first whose largest id so far reaches the block's end (docs/model.md 3.3).
 */
import { BlockMap } from "./block-map.ts";

/** Acknowledgements of one kind, of one replica and database, in order of their time. */
export interface Acknowledgements {
  /** END of the hardened range: high and low word. */
  readonly high: Uint32Array;
  readonly low: Uint32Array;
}

/** Ends of blocks in ascending order, as high and low word. */
export type BlockEnds = Acknowledgements;

/**
 * Per block the acknowledgement that covers it, -1 when none does; `exact` 1 when it names just the block's end. The first
 * that names just this end is the block's own, even where one of a later block came before it.
 */
export function coveringAcknowledgements(
  ends: BlockEnds,
  acks: Acknowledgements,
): { ack: Int32Array; exact: Uint8Array } {
  const n = ends.high.length;
  const ack = new Int32Array(n).fill(-1);
  const exact = new Uint8Array(n);
  const own = new BlockMap<number>();
  for (let i = acks.high.length - 1; i >= 0; i--) own.set(acks.high[i], acks.low[i], i);
  let next = 0;
  for (let block = 0; block < n; block++) {
    while (next < acks.high.length && isBelow(acks, next, ends, block)) next++;
    const named = own.get(ends.high[block], ends.low[block]);
    if (named !== undefined) exact[block] = 1;
    ack[block] = named ?? (next === acks.high.length ? -1 : next);
  }
  return { ack, exact };
}

function isBelow(acks: Acknowledgements, ack: number, ends: BlockEnds, block: number): boolean {
  const high = acks.high[ack];
  return high < ends.high[block] || (high === ends.high[block] && acks.low[ack] < ends.low[block]);
}
