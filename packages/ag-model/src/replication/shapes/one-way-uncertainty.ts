import { largest } from "../../numbers/index.ts";
import type { ClockFit } from "./tables.ts";

/** What no block's network out or back is off by, all over the capture, µs; NaN where the clocks are not aligned. */
export function largestOneWayUncertainty({ status, windows }: ClockFit): number {
  if (status === "cannotAlign" || windows.length === 0) return Number.NaN;
  return largest(windows.map((w) => w.uncertaintyUs));
}
