import { firstIndexWhere } from "../numbers/index.ts";
/** The straight windows of a clock's fit, and to which of them an instant belongs (docs/model.md 5.4). */

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
  /** Most a line that satisfies every bound can differ from this one inside the window, µs. */
  readonly hardBound: number;
  readonly driftFeasible: readonly [number, number];
  readonly blocks: number;
}

/**
 * The window of an instant of the primary's clock, µs: the last one that begins at or before it. An instant before all of
 * them belongs to the first, NaN too.
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
 * The way from a secondary's counter to the primary's clock, both µs: an instant belongs to the last window that begins
 * at or before it by the secondary's counter.
 * @param windows at least one, in order of time
 */
export function toPrimaryClock(windows: readonly ClockWindow[]): (secondary: number) => number {
  const starts = Float64Array.from(windows, ({ from, t0, a, b }) => from + a + b * (from - t0));
  // After a step back a window begins before its predecessors by the secondary's counter; the last one that begins at or
  // before an instant is then found in the least begin of each window and those behind it, which do ascend.
  for (let i = starts.length - 2; i >= 0; i--) starts[i] = Math.min(starts[i], starts[i + 1]);
  return (secondary) => {
    const next = firstIndexWhere(starts.length, (i) => !(starts[i] <= secondary));
    const { a, b, t0 } = windows[Math.max(0, next - 1)];
    return (secondary - a + b * t0) / (1 + b);
  };
}
