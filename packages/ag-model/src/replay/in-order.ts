/**
 * A step of a block's way that keeps the order of the log: the capture thread, the network, building and processing of
 * acknowledgments. A block that arrives too early waits for the one before it.
 */
import { GrowingColumn, inChunks, medianOf, type RowRange } from "../numbers/index.ts";
import { RecentMedian } from "./recent-median.ts";

/**
 * Time that the step itself takes, and the distance it keeps from the block before, µs, by position; narrow as decision
 * 171 has it.
 */
export interface InOrderStep {
  readonly delay: Float32Array;
  readonly follow: Float32Array;
}

/** A block that follows the one before it within this time has waited for it, µs. */
const FOLLOWS_WITHIN_US = 25;

/**
 * Removes the wait for the block before from a step as it was measured. The time of the step itself is seen only where
 * a block did not wait; a block that waited gets the usual time of the last ones that did not.
 * @param from when each block arrived, µs; NaN where it is not known
 * @param to when it was through, µs
 * @param freed when the step was free again after each block, µs; NaN where it is not known and the last known one
 * applies
 */
export function inOrderStep(from: Float64Array, to: Float64Array, freed: Float64Array): InOrderStep {
  const n = from.length;
  const step = { delay: new Float32Array(n), follow: new Float32Array(n).fill(Number.NaN) };
  const before = { freed: -Infinity, gaps: new GrowingColumn(Float64Array), unheld: new RecentMedian() };
  inChunks(n, (chunk) => takeApart({ from, to, freed }, step, before, chunk));
  const usual = Math.max(0, medianOf(before.gaps.values()) || 0);
  const { follow } = step;
  for (let i = 0; i < n; i++) if (Number.isNaN(follow[i])) follow[i] = usual;
  return step;
}

/**
 * State of the blocks before: when the step was free again, µs, distances of those that waited, and delays of those
 * that did not.
 */
interface Before {
  freed: number;
  readonly gaps: GrowingColumn<Float64Array>;
  readonly unheld: RecentMedian;
}

function takeApart(
  { from, to, freed }: Readonly<Record<"from" | "to" | "freed", Float64Array>>,
  { delay, follow }: InOrderStep,
  before: Before,
  { first, end }: RowRange,
): void {
  const { gaps, unheld } = before;
  let { freed: bound } = before;
  for (let i = first; i < end; i++) {
    const measured = to[i] - from[i];
    const gap = to[i] - bound;
    const isHeld = from[i] < bound && gap >= 0 && gap <= FOLLOWS_WITHIN_US;
    delay[i] = isHeld ? Math.min(measured, unheld.medianOr(measured)) : measured;
    if (isHeld) {
      follow[i] = gap;
      const at = gaps.more(1);
      gaps.room[at] = gap;
    } else if (!Number.isNaN(measured)) unheld.put(measured);
    if (!Number.isNaN(freed[i])) bound = freed[i];
  }
  before.freed = bound;
}
