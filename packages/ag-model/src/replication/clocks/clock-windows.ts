import { firstIndexWhere } from "../../numbers/index.ts";
/** The straight windows of a clock's fit, and the window that an instant belongs to (docs/contribute/model/clocks.md 5.4). */

/** One straight piece of the clock. */
export interface ClockWindow {
  /** Primary's clock, µs. */
  readonly from: number;
  readonly to: number;
  readonly t0: number;
  /** theta at t0, µs. */
  readonly a: number;
  /** Drift, µs per µs. */
  readonly b: number;
  /** Width of the feasible band, µs; negative when no line satisfies every bound. */
  readonly width: number;
  /** Largest difference inside the window between this line and one that satisfies every bound, µs. */
  readonly hardBound: number;
  readonly driftFeasible: readonly [number, number];
  /** Range of the other counter that the window's own blocks were seen in, µs. */
  readonly ownFrom: number;
  readonly ownTo: number;
  /** Largest difference between a feasible line and this one at instants evenly spread from `from` to `to`, µs. */
  readonly errors: Float64Array;
  readonly blocks: number;
}

/**
 * The window of an instant of the primary's clock, µs: the last one that begins at or before it. An instant before all
 * of them belongs to the first, and so does NaN.
 * @param windows at least one, in order of `from`
 */
export function windowAt<Window extends { readonly from: number }>(
  windows: readonly Window[],
  time: number,
): Window {
  const next = firstIndexWhere(windows.length, (i) => !(windows[i].from <= time));
  return windows[Math.max(0, next - 1)];
}

/**
 * Finds the window of an instant of the other counter, µs: the window whose own blocks were seen around it, else the
 * nearest. Where a counter was set back, two windows contain an instant; then it is the window that began later by that
 * counter.
 * @param windows at least one
 */
export function windowsByCounter(windows: readonly ClockWindow[]): (counter: number) => ClockWindow {
  if (windows.length === 1) return () => windows[0];
  const ordered = windows.toSorted((a, b) => a.ownFrom - b.ownFrom);
  const starts = Float64Array.from(ordered, ({ ownFrom }) => ownFrom);
  return (counter) => {
    const next = firstIndexWhere(starts.length, (i) => !(starts[i] <= counter));
    if (next === 0) return ordered[0];
    const before = ordered[next - 1];
    const isNearer = next < ordered.length && starts[next] - counter < counter - before.ownTo;
    return isNearer ? ordered[next] : before;
  };
}

/** An instant of the other counter on the first one's, µs. */
export const toFirstCounter = ({ a, b, t0 }: ClockWindow, other: number): number =>
  (other - a + b * t0) / (1 + b);

/** An instant of the first counter on the other's, µs. */
export const toOtherCounter = ({ a, b, t0 }: ClockWindow, first: number): number =>
  first + a + b * (first - t0);

/** The window from an earlier instant of the first counter on, by the same line, µs. */
export function carriedBack(window: ClockWindow, from: number): ClockWindow {
  const step = (window.to - from) / (window.errors.length - 1);
  return { ...window, from, errors: window.errors.map((_, k) => lineErrorAt(window, from + k * step)) };
}

/**
 * Largest error of the window's line at an instant of the first counter, µs. The largest difference between feasible
 * lines is convex over time, so that a straight line between two instants is never below it.
 */
export function lineErrorAt({ from, to, b, driftFeasible, errors }: ClockWindow, time: number): number {
  const [least, most] = driftFeasible;
  const last = errors.length - 1;
  const outside = Math.max(from - time, time - to, 0);
  const place = to > from ? (Math.min(Math.max(time, from), to) - from) / ((to - from) / last) : 0;
  const k = Math.min(Math.floor(place), last - 1);
  const inside = errors[k] + (place - k) * (errors[k + 1] - errors[k]);
  return inside + outside * Math.max(most - b, b - least);
}
