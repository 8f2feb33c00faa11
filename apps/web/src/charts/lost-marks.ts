/** Marks of single lost events: the pattern of lost time in a small box, at every zoom. */
import type { Tokens } from "../lanes/palette.ts";
import { hatch } from "./hatch.ts";
import { xOf, type TimeScale } from "./time-scale.ts";

/** From the first to the last lost event of a place, µs. */
export type LostPlace = readonly [from: number, to: number];

/** Least width of a mark, and its height, px. */
export const LOST_MARK_PX = 6;

/** Draws the marks with their upper edge at `top`; those that touch are one, so that a pixel never has two. */
export function paintLost(
  context: CanvasRenderingContext2D,
  tokens: Tokens,
  scale: TimeScale,
  places: readonly LostPlace[],
  top: number,
): void {
  const marks: [left: number, right: number][] = [];
  const inView = places.filter(([from, to]) => to >= scale.from && from <= scale.to);
  for (const [from, to] of inView.toSorted((a, b) => a[0] - b[0])) {
    const left = Math.max(0, xOf(scale, from) - LOST_MARK_PX / 2);
    const right = Math.min(scale.width, xOf(scale, to) + LOST_MARK_PX / 2);
    const last = marks.at(-1);
    if (last !== undefined && left <= last[1]) last[1] = Math.max(last[1], right);
    else marks.push([left, right]);
  }
  for (const [left, right] of marks) {
    context.globalAlpha = 1;
    context.fillStyle = tokens["--surface"];
    context.fillRect(left, top, right - left, LOST_MARK_PX);
    hatch(context, tokens, [left, top, right - left, LOST_MARK_PX], "lost", "--ink-2");
  }
}
