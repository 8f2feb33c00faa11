/** Background of all charts of the overview: grid, episodes, and periods without blocks or without a file. */
import type { Episode, Overview } from "@aglens/contract";
import type { Tokens } from "../../lanes/palette.ts";
import { hatch, type UnknownTime } from "../hatch.ts";
import { clipped, xOf, type TimeScale } from "../time-scale.ts";

/** From and to, µs, index of a replica, and the reason why the time is unknown; without a reason no file covers it. */
export type UnknownPeriod = readonly [from: number, to: number, replica: number, state?: UnknownTime];

/** Periods drawn behind the data: idle plain, all others with the pattern of their state. */
export interface Ground {
  readonly idle: Overview["idle"];
  readonly uncovered: readonly UnknownPeriod[];
  readonly episodes: readonly Episode[];
  /** Positions of vertical grid lines, µs. */
  readonly ticks: readonly number[];
}

/** Surface of a chart of the overview: a cleared context as wide as the scale. */
export interface Sheet {
  readonly context: CanvasRenderingContext2D;
  readonly tokens: Tokens;
  readonly scale: TimeScale;
  /** px */
  readonly height: number;
}

/** Draws the grid, idle and uncovered periods and, with `tint`, the episodes. */
export function paintGround({ context, tokens, scale, height }: Sheet, ground: Ground, tint: boolean): void {
  const fill = (from: number, to: number): void => {
    const part = clipped(scale, from, to);
    if (part) context.fillRect(part[0], 0, part[1], height);
  };
  context.fillStyle = tokens["--grid"];
  for (const at of ground.ticks) context.fillRect(Math.round(xOf(scale, at)), 0, 1, height);
  context.fillStyle = tokens["--bad-tint"];
  for (const { from, to } of tint ? ground.episodes : []) fill(from, to);
  context.fillStyle = tokens["--idle"];
  for (const [from, to] of ground.idle) fill(from, to);
  for (const [from, to, , state] of ground.uncovered) {
    const part = clipped(scale, from, to);
    if (part) hatch(context, tokens, [part[0], 0, part[1], height], state);
  }
}
