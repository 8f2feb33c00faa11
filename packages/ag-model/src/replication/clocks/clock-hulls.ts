/**
 * The bounds of a run of blocks as two hulls, and what lines between them can be (docs/contribute/model/clocks.md 5.3).
 *
 * A line lies under every upper bound exactly when it lies under the corners of their lower hull, and over every lower bound
 * when it lies over the corners of their upper hull. Only about ten of thousands of blocks are corners, so that trying a
 * line takes little time:
 *
 *        u           u
 *      u   .   u   .   u      upper bounds (u); their lower hull is what a string from below would touch
 *        ------------------   a line between the hulls is a clock that fits every block
 *      l    .  l      l       lower bounds (l); their upper hull
 *         l        l
 */
import type { ClockBounds } from "./clock-bounds.ts";

/** Counters count whole µs, so each bound may be off by one. */
export const COUNTER_STEP_US = 1;

/** Corners of the hulls of a run of blocks. */
export interface Hulls {
  /** First departure; offsets of the corners count from it, values from `base`. All µs. */
  readonly t0: number;
  readonly base: number;
  readonly end: number;
  readonly xu: readonly number[];
  readonly upper: readonly number[];
  readonly xl: readonly number[];
  readonly lower: readonly number[];
  /** Range of the other counter in which the blocks were seen, µs. */
  readonly ownFrom: number;
  readonly ownTo: number;
}

/** Hulls of blocks [from, to). */
export function hullsOf(bounds: ClockBounds, from: number, to: number): Hulls {
  const { departed, received, ackDeparted, ackReceived } = bounds;
  const t0 = departed[from];
  const base = received[from] - t0;
  const [xu, upper]: [number[], number[]] = [[], []];
  const [xl, lower]: [number[], number[]] = [[], []];
  let end = t0;
  let ownFrom = Infinity;
  let ownTo = -Infinity;
  for (let k = from; k < to; k++) {
    ownFrom = Math.min(ownFrom, received[k], ackDeparted[k]);
    ownTo = Math.max(ownTo, received[k], ackDeparted[k]);
    addCorner(xu, upper, departed[k] - t0, received[k] - departed[k] - base + COUNTER_STEP_US, 1);
  }
  const arrived = byArrival(ackReceived, from, to);
  for (let i = 0; i < arrived.length; i++) {
    const k = arrived[i];
    addCorner(xl, lower, ackReceived[k] - t0, ackDeparted[k] - ackReceived[k] - base - COUNTER_STEP_US, -1);
    end = Math.max(end, ackReceived[k]);
  }
  return { t0, base, end, xu, upper, xl, lower, ownFrom, ownTo };
}

/**
 * Blocks [from, to) in the order in which their acknowledgments arrived. These rarely overtake each other, and by
 * little, so that an insertion sort is nearly one pass.
 */
function byArrival(ackReceived: Float64Array, from: number, to: number): Uint32Array {
  const rows = new Uint32Array(to - from);
  for (let k = from; k < to; k++) {
    let at = k - from;
    for (; at > 0 && ackReceived[rows[at - 1]] > ackReceived[k]; at--) rows[at] = rows[at - 1];
    rows[at] = k;
  }
  return rows;
}

/** Adds a point to the hull that lines from below (side 1) or from above (side -1) touch; x must not descend. */
function addCorner(xs: number[], ys: number[], x: number, y: number, side: 1 | -1): void {
  for (let n = xs.length; n > 0; n = xs.length) {
    const last = n - 1;
    const isHidden =
      x === xs[last]
        ? side * (y - ys[last]) <= 0
        : n > 1 &&
          side * ((ys[last] - ys[n - 2]) * (x - xs[last]) - (y - ys[last]) * (xs[last] - xs[n - 2])) >= 0;
    if (!isHidden) break;
    xs.pop();
    ys.pop();
  }
  if (xs.at(-1) === x) return;
  xs.push(x);
  ys.push(y);
}

/** Largest intercept that keeps a line of slope b under every upper bound. */
export function highestIntercept({ xu, upper }: Hulls, b: number): number {
  let least = Infinity;
  for (let i = 0; i < xu.length; i++) least = Math.min(least, upper[i] - b * xu[i]);
  return least;
}

/** Smallest intercept that keeps a line of slope b over every lower bound. */
export function lowestIntercept({ xl, lower }: Hulls, b: number): number {
  let most = -Infinity;
  for (let i = 0; i < xl.length; i++) most = Math.max(most, lower[i] - b * xl[i]);
  return most;
}

/** Width of the band of lines of slope `b` that satisfy every bound, µs; negative when no line does. Concave in `b`. */
export const widthAt = (hulls: Hulls, b: number): number =>
  highestIntercept(hulls, b) - lowestIntercept(hulls, b);
