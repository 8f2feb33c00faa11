/**
 * A step of a block's way that keeps the order of the log: the capture thread, the network, building and processing of
 * acknowledgements. A block that comes too early waits for the one before it.
 */
import { medianOf } from "../numbers/index.ts";
import { RecentMedian } from "./recent-median.ts";

/** Time the step takes by itself, and the distance it keeps from the block before, µs, by position; narrow as decision 171 has it. */
export interface InOrderStep {
  readonly delay: Float32Array;
  readonly follow: Float32Array;
}

/** A block that comes this short after the one before it has waited for it, µs. */
const FOLLOWS_WITHIN_US = 25;

/**
 * Takes the waiting for the block before out of a step as it was measured. What the step takes by itself is seen only
 * where a block did not wait; one that waited gets what was usual of the last ones that did not.
 * @param from when each block came, µs; NaN where it is not known
 * @param to when it was through, µs
 * @param freed when the step was free again after each block, µs; NaN where it is not known and the last one before holds
 */
export function inOrderStep(from: Float64Array, to: Float64Array, freed: Float64Array): InOrderStep {
  const n = from.length;
  const delay = new Float32Array(n);
  const follow = new Float32Array(n).fill(Number.NaN);
  const gaps = new Float64Array(n);
  let held = 0;
  const unheld = new RecentMedian();
  let bound = -Infinity;
  for (let i = 0; i < n; i++) {
    const measured = to[i] - from[i];
    const gap = to[i] - bound;
    const isHeld = from[i] < bound && gap >= 0 && gap <= FOLLOWS_WITHIN_US;
    delay[i] = isHeld ? Math.min(measured, unheld.medianOr(measured)) : measured;
    if (isHeld) {
      follow[i] = gap;
      gaps[held++] = gap;
    } else if (!Number.isNaN(measured)) unheld.put(measured);
    if (!Number.isNaN(freed[i])) bound = freed[i];
  }
  const usual = Math.max(0, medianOf(gaps.subarray(0, held)) || 0);
  for (let i = 0; i < n; i++) if (Number.isNaN(follow[i])) follow[i] = usual;
  return { delay, follow };
}
