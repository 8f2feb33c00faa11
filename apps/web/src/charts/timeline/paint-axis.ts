/** The time axis above the lanes. */
import type { Tokens } from "../../lanes/palette.ts";
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
  for (const tick of ticks) {
    const x = xOf(scale, tick.at);
    context.fillStyle = tokens["--line-2"];
    context.fillRect(Math.round(x), AXIS_PX - 11, 1, 4);
    const half = context.measureText(tick.label).width / 2;
    context.fillStyle = tokens["--ink-2"];
    context.fillText(tick.label, Math.min(scale.width - 2 * half, Math.max(0, x - half)), 18);
  }
  context.fillStyle = tokens["--line-2"];
  context.fillRect(0, AXIS_PX - 7, scale.width, 1);
  context.strokeStyle = tokens["--c-bad"];
  context.lineWidth = 1.5;
  for (const { from, to } of episodes) paintEpisode(context, scale, from, to);
}

/** A bracket over the stretch in which one stage is far from the rest; an end out of view has no hook. */
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
