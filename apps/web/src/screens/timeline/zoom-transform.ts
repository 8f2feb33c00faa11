/** The range in view in the units of D3's zoom behavior: a scale and a shift of the complete capture on the plot. */
import { zoomIdentity, type ZoomTransform } from "d3-zoom";
import type { Range } from "./viewport.ts";

/** @param duration of the capture, µs @param width of the plot, px */
export function transformOf([from, to]: Range, duration: number, width: number): ZoomTransform {
  const scale = duration / (to - from);
  return zoomIdentity.translate((-from / duration) * width * scale, 0).scale(scale);
}

/** The range that a transform of the capture shows, µs. */
export function rangeOf(transform: ZoomTransform, duration: number, width: number): Range {
  const instantAt = (x: number): number => (transform.invertX(x) / width) * duration;
  return [instantAt(0), instantAt(width)];
}

/** Pixels of one step of the wheel, which some browsers count in lines. */
const unitOf = ({ deltaMode }: Pick<WheelEvent, "deltaMode">): number => (deltaMode === 1 ? 16 : 1);

/** How much larger a turn of the wheel shows the capture; a step is at most 1.5 times. */
export function wheelZoom(event: Pick<WheelEvent, "deltaY" | "deltaMode">): number {
  return Math.exp(-Math.max(-120, Math.min(120, event.deltaY * unitOf(event))) * 0.0035);
}

/**
 * Distance that a turn of the wheel moves the view, px: sideways, or where nothing scrolls, or with Shift; 0 where the
 * lanes scroll.
 * @param canScroll the lanes are higher than their space
 */
export function wheelPan(
  event: Pick<WheelEvent, "deltaX" | "deltaY" | "deltaMode" | "shiftKey">,
  canScroll: boolean,
): number {
  const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
  const scrolls = canScroll && !event.shiftKey;
  return isSideways || !scrolls ? (event.deltaX || event.deltaY) * unitOf(event) : 0;
}
