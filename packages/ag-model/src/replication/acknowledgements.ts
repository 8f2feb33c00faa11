/**
 * Which acknowledgement covers a block. Acknowledgements carry the END of the hardened range and are cumulative: a
 * block's acknowledgement is the first whose largest id so far reaches the block's end (docs/model.md 3.3).
 */
import { IdFinder } from "./block-finder.ts";

/** Acknowledgements of one kind, of one replica and database, in order of their time. */
export interface Acknowledgements {
  /** END of the hardened range: high and low word. */
  readonly high: Uint32Array;
  readonly low: Uint32Array;
}

/** Ends of blocks in ascending order, as high and low word. */
export interface BlockEnds {
  readonly high: Uint32Array;
  readonly low: Uint32Array | Float64Array;
}

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
  const finder = new IdFinder(ends);
  for (let i = 0; i < acks.high.length; i++) {
    let block = finder.indexOf(acks.high[i], acks.low[i]);
    if (block < 0 || exact[block] === 1) continue;
    for (; block < n && ends.high[block] === acks.high[i] && ends.low[block] === acks.low[i]; block++) {
      ack[block] = i;
      exact[block] = 1;
    }
  }
  let next = 0;
  for (let block = 0; block < n; block++) {
    while (next < acks.high.length && isBelow(acks, next, ends, block)) next++;
    if (exact[block] === 0 && next < acks.high.length) ack[block] = next;
  }
  return { ack, exact };
}

function isBelow(acks: Acknowledgements, ack: number, ends: BlockEnds, block: number): boolean {
  const high = acks.high[ack];
  return high < ends.high[block] || (high === ends.high[block] && acks.low[ack] < ends.low[block]);
}
