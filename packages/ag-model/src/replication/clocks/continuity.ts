import type { ClockBounds } from "./clock-bounds.ts";

/**
 * State that carries over from one window of time to the next, when a model is built again and again over a moving
 * window.
 */
export interface Continuity {
  /** Bounds of a secondary's clock from blocks that departed before an instant of the primary's counter, in that order. */
  boundsBefore(secondary: string, instant: number): ClockBounds;
  /** Takes the bounds of this window's blocks. */
  onBounds(secondary: string, bounds: ClockBounds): void;
  /** Takes the reference server's counter at time 0, µs; NaN for an engine without a counter. */
  onOrigin(counter: number): void;
}
