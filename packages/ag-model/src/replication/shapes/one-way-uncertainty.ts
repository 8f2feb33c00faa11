import { largest } from "../../numbers/index.ts";
import type { ClockFit } from "./tables.ts";

/**
 * Upper bound of the error of any block's network time out or back, all over the capture, µs; NaN where the clocks are
 * not aligned.
 */
export function largestOneWayUncertainty({ status, windows }: ClockFit): number {
  if (status === "cannotAlign" || windows.length === 0) return Number.NaN;
  return largest(windows.map((w) => w.uncertaintyUs));
}
