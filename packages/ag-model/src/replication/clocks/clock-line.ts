/**
 * The line through the bounds of one window (docs/contribute/model/clocks.md 5.3).
 *
 * For a slope b (the drift) the lines that satisfy every bound have intercepts from `lowestIntercept` to
 * `highestIntercept`: a band. Its width over b is a roof, because the highest intercept is the least of linear functions of b and
 * the lowest one the largest of some:
 *
 *     width                 top: the drift of the line that is taken, in the middle of the widest band
 *       |        ____/\___
 *       |   ____/         \____
 *       +--/----------------------\------ b
 *         from           to            the drifts that are feasible at all
 *
 * The top of a roof is found by ternary search, its feet by bisection, and the least and most that any feasible line
 * reaches at an instant, which are roofs over b as well, by ternary search again. How far the line that is taken can be from
 * the true clock is the most that a feasible line differs from it: at each instant another, least where blocks were fast.
 */
import type { ClockWindow } from "./clock-windows.ts";
import { largest } from "../../numbers/index.ts";
import { COUNTER_STEP_US, highestIntercept, lowestIntercept, widthAt, type Hulls } from "./clock-hulls.ts";

/** Instants of a window at which the error of its line is computed. */
const ERROR_INSTANTS = 17;

const TERNARY_STEPS = 60;
const BISECTION_STEPS = 50;

/** Drift of the widest band among drifts up to `limit` either way, µs per µs. */
const widest = (hulls: Hulls, limit: number): number => maximise((b) => widthAt(hulls, b), -limit, limit);

/** True when a line of a drift up to `limit` either way satisfies every bound. */
export const isFeasible = (hulls: Hulls, limit: number): boolean => widthAt(hulls, widest(hulls, limit)) >= 0;

/** The line in the middle of the widest band, and how far from the true clock it can be. One block has no drift. */
export function fitWindow(hulls: Hulls, blocks: number, limit: number): ClockWindow {
  const { t0, base, end } = hulls;
  const b = blocks < 2 ? 0 : widest(hulls, limit);
  const a = (highestIntercept(hulls, b) + lowestIntercept(hulls, b)) / 2;
  const width = (drift: number): number => widthAt(hulls, drift);
  const driftFeasible: [number, number] = [edge(width, b, -limit), edge(width, b, limit)];
  const errors = Float64Array.from({ length: ERROR_INSTANTS }, (_, k) => {
    const x = ((end - t0) * k) / (ERROR_INSTANTS - 1);
    const [least, most] = rangeAt(hulls, driftFeasible, x);
    return Math.max(most - (a + b * x), a + b * x - least);
  });
  const hardBound = largest(errors);
  const reported = width(b) - 2 * COUNTER_STEP_US;
  const { ownFrom, ownTo } = hulls;
  return {
    from: t0,
    to: end,
    t0,
    a: a + base,
    b,
    width: reported,
    hardBound,
    driftFeasible,
    blocks,
    ownFrom,
    ownTo,
    errors,
  };
}

/** Where a concave function of the drift is largest, by ternary search. */
function maximise(f: (b: number) => number, low: number, high: number): number {
  for (let i = 0; i < TERNARY_STEPS; i++) {
    const third = (high - low) / 3;
    if (f(low + third) < f(high - third)) low += third;
    else high -= third;
  }
  return (low + high) / 2;
}

/** Furthest drift in the direction of `limit` that still leaves a feasible band. */
function edge(width: (b: number) => number, best: number, limit: number): number {
  if (width(best) < 0) return best;
  if (width(limit) >= 0) return limit;
  let inside = best;
  let outside = limit;
  for (let i = 0; i < BISECTION_STEPS; i++) {
    const middle = (inside + outside) / 2;
    if (width(middle) >= 0) inside = middle;
    else outside = middle;
  }
  return inside;
}

/**
 * Least and most that lines which satisfy every bound reach at offset `x` from the hulls' first departure, µs from their
 * base, among those of the given drifts.
 */
export function rangeAt(hulls: Hulls, [low, high]: readonly [number, number], x: number): [number, number] {
  const above = (d: number): number => highestIntercept(hulls, d) + d * x;
  const below = (d: number): number => -(lowestIntercept(hulls, d) + d * x);
  return [-below(maximise(below, low, high)), above(maximise(above, low, high))];
}
