/** The time axis above the lanes. */
import type { Tokens } from "../../lanes/palette.ts";
import { apart } from "../axis.ts";
import { xOf, type TimeScale } from "../time-scale.ts";

/** Height of the axis, px. */
export const AXIS_PX = 36;

/** Draws ticks with their labels, and a bracket over each episode (µs), into a cleared context of AXIS_PX height. */
export function paintAxis(
  context: CanvasRenderingContext2D,
  scale: TimeScale,
  tokens: Tokens,
  ticks: readonly { at: number; label: string }[],
  episodes: readonly { from: number; to: number }[],
): void {
  context.font = `400 10.5px ${tokens["--font"]}`;
  context.fillStyle = tokens["--line-2"];
  for (const { at } of ticks) context.fillRect(Math.round(xOf(scale, at)), AXIS_PX - 11, 1, 4);
  context.fillStyle = tokens["--ink-2"];
  // A label at either end moves inside, towards its neighbor.
  const labels = ticks.map(({ at, label }) => {
    const { width } = context.measureText(label);
    const from = Math.min(scale.width - width, Math.max(0, xOf(scale, at) - width / 2));
    return { label, from, to: from + width };
  });
  for (const { label, from } of apart(labels)) context.fillText(label, from, 18);
  context.fillStyle = tokens["--line-2"];
  context.fillRect(0, AXIS_PX - 7, scale.width, 1);
  context.strokeStyle = tokens["--c-bad"];
  context.lineWidth = 1.5;
  for (const { from, to } of episodes) paintEpisode(context, scale, from, to);
}

/** A bracket over the period in which one stage is far from the rest; an end out of view has no hook. */
function paintEpisode(context: CanvasRenderingContext2D, scale: TimeScale, from: number, to: number): void {
  const [x0, x1] = [xOf(scale, from), xOf(scale, to)];
  if (x1 < 0 || x0 > scale.width) return;
  const [top, foot] = [AXIS_PX - 3.5, AXIS_PX];
  context.beginPath();
  context.moveTo(x0, foot);
  context.lineTo(x0, top);
  context.lineTo(x1, top);
  context.lineTo(x1, foot);
  context.stroke();
}
