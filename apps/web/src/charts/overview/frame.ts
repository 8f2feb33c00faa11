/** What all charts of the overview share: one scale of time, one cursor, the stretches without blocks. */
import type { Episode, Overview } from "@aglens/contract";
import { hatch } from "../canvas.tsx";
import type { Tokens } from "../../lanes/palette.ts";

export interface TimeScale {
  /** µs at the left and right plot edge. */
  readonly from: number;
  readonly to: number;
}

/** Place of an instant in a plot of `width` pixels. */
export function xOf({ from, to }: TimeScale, at: number, width: number): number {
  return ((at - from) / (to - from)) * width;
}

/** Stretches drawn behind the data: idle plain, uncovered hatched. */
export interface Ground {
  readonly idle: Overview["idle"];
  readonly uncovered: Overview["uncovered"];
  readonly episodes: readonly Episode[];
  /** Positions of vertical grid lines, µs. */
  readonly ticks: readonly number[];
}

/** Clips a stretch to the plot: left edge and width in pixels, null when it is outside. */
export function clipped(scale: TimeScale, from: number, to: number, width: number): [number, number] | null {
  const left = Math.max(0, xOf(scale, from, width));
  const right = Math.min(width, xOf(scale, to, width));
  return right > left ? [left, right - left] : null;
}

/** Draws grid, idle and uncovered stretches and, with `tint`, the episodes. */
export function drawGround(
  context: CanvasRenderingContext2D,
  width: number,
  height: number,
  tokens: Tokens,
  scale: TimeScale,
  ground: Ground,
  tint: boolean,
): void {
  context.fillStyle = tokens["--grid"];
  for (const at of ground.ticks) context.fillRect(Math.round(xOf(scale, at, width)), 0, 1, height);
  for (const episode of tint ? ground.episodes : []) {
    const box = clipped(scale, episode.from, episode.to, width);
    context.fillStyle = tokens["--bad-tint"];
    if (box) context.fillRect(box[0], 0, box[1], height);
  }
  for (const [from, to] of ground.idle) {
    const box = clipped(scale, from, to, width);
    context.fillStyle = tokens["--idle"];
    if (box) context.fillRect(box[0], 0, box[1], height);
  }
  for (const [from, to] of ground.uncovered) {
    const box = clipped(scale, from, to, width);
    if (box) hatch(context, tokens, box[0], 0, box[1], height);
  }
}
