/**
 * A step of a block's way that keeps the order of the log: the capture thread, the network, building and processing of
 * acknowledgements. A block that comes too early waits for the one before it.
 */
import { medianOf } from "../numbers/index.ts";
import { RecentMedian } from "./recent-median.ts";

/** Time the step takes by itself, and the distance it keeps from the block before, µs, by position. */
export interface InOrderStep {
  readonly delay: Float64Array;
  readonly follow: Float64Array;
}

/** A block that comes this short after the one before it has waited for it, µs. */
const FOLLOWS_WITHIN_US = 25;

/**
 * Takes the waiting for the block before out of a step as it was measured. What the step takes by itself is seen only
 * where a block did not wait; one that waited gets what was usual of the last ones that did not.
 * @param from when each block came, µs; NaN where it is not known
 * @param to when it was through, µs
 * @param bound when the step was free after the block before (`boundBefore`), µs
 */
export function inOrderStep(from: Float64Array, to: Float64Array, bound: Float64Array): InOrderStep {
  const n = from.length;
  const delay = new Float64Array(n);
  const follow = new Float64Array(n).fill(Number.NaN);
  const free = new RecentMedian();
  for (let i = 0; i < n; i++) {
    const measured = to[i] - from[i];
    const gap = to[i] - bound[i];
    const isHeld = from[i] < bound[i] && gap >= 0 && gap <= FOLLOWS_WITHIN_US;
    delay[i] = isHeld ? Math.min(measured, free.medianOr(measured)) : measured;
    if (isHeld) follow[i] = gap;
    else if (!Number.isNaN(measured)) free.put(measured);
  }
  const usual = medianOf(follow);
  for (let i = 0; i < n; i++) if (Number.isNaN(follow[i])) follow[i] = usual > 0 ? usual : 0;
  return { delay, follow };
}

/** The last known value before each position; -Infinity before the first. */
export function boundBefore(values: Float64Array): Float64Array {
  let last = -Infinity;
  return values.map((value) => {
    const bound = last;
    if (!Number.isNaN(value)) last = value;
    return bound;
  });
}
