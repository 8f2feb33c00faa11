/**
 * Conversion between instants and pixels, once for all charts. It is a subtraction and a division, and not d3-scale,
 * because the painters call it some 50,000 times per frame (docs/contribute/decisions.md 20).
 */

/** Instants at the left and right edge of a plot, µs. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** Range and width of a plot: instants at its edges, µs, and its width, px. */
export interface TimeScale {
  readonly from: number;
  readonly to: number;
  readonly width: number;
}

/** Pixel of an instant; may be outside 0..width. NaN for an unknown instant. */
export const xOf = ({ from, to, width }: TimeScale, instant: number): number =>
  ((instant - from) / (to - from)) * width;

/** Instant of a pixel, µs. */
export const timeAt = ({ from, to, width }: TimeScale, x: number): number => from + (x / width) * (to - from);

/** The part of a range that is inside the plot: left edge and width, px; null when no part is. */
export function clipped(scale: TimeScale, from: number, to: number): readonly [number, number] | null {
  const left = Math.max(0, xOf(scale, from));
  const right = Math.min(scale.width, xOf(scale, to));
  return right > left ? [left, right - left] : null;
}
