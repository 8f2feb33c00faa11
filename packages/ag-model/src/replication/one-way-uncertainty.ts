import { largest } from "../numbers/index.ts";
import { windowAt } from "./clock-windows.ts";
import type { ClockFit } from "./tables.ts";

/**
 * Bound on the error of one block's network out and back, µs, for a block at `time` (µs on the primary's clock): the
 * true value is inside as long as the clocks run straight within each window. NaN where the clocks are not aligned.
 *
 * `ClockFit.oneWayUncertaintyUs` is narrower: half the feasible band at the best drift (docs/model.md 5.5), the figure for
 * the fit as a whole. What people are shown is this one, and `largestOneWayUncertainty` for a capture.
 */
export function oneWayUncertaintyAt({ status, windows }: ClockFit, time: number): number {
  if (status === "cannotAlign" || windows.length === 0) return Number.NaN;
  return windowAt(windows, time).uncertaintyUs;
}

/** What no block's network out or back is off by, all over the capture, µs; NaN where the clocks are not aligned. */
export function largestOneWayUncertainty({ status, windows }: ClockFit): number {
  if (status === "cannotAlign" || windows.length === 0) return Number.NaN;
  return largest(windows.map((w) => w.uncertaintyUs));
}
