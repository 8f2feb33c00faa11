/** The network's legs as slopes with an arrowhead: flat is slow. */
import { durationText } from "../../ui/words.ts";
import { xOf } from "../time-scale.ts";
import { isChosen, type LanePainting } from "./lane-painting.ts";
import { LABEL_PX } from "./paint-bars.ts";
import { text, type Context } from "./scene.ts";

/** Both ends of a slope, px. */
export interface SlopeLine {
  readonly x0: number;
  readonly x1: number;
  readonly y0: number;
  readonly y1: number;
}

/** The i-th bar of a lane as a line from the edge where the leg begins to the other. */
function slopeLine({ scene, box, layout, spans }: LanePainting, i: number): SlopeLine {
  const [top, bottom] = [box.top, box.top + box.height];
  const [y0, y1] = box.lane.shape === "slopeOut" ? [top, bottom] : [bottom, top];
  const entry = layout.entry[i];
  return { x0: xOf(scene.scale, spans.start[entry]), x1: xOf(scene.scale, spans.end[entry]), y0, y1 };
}

/** Draws the slopes of a lane. */
export function paintSlopes(lane: LanePainting): void {
  for (let i = 0; i < lane.layout.count; i++) paintSlope(lane, slopeLine(lane, i), isChosen(lane, i));
}

function paintSlope({ context, scene, box }: LanePainting, line: SlopeLine, chosen: boolean): void {
  const { x0, x1, y0, y1 } = line;
  const isOther = scene.selected >= 0 && !chosen;
  const color = scene.tokens[box.lane.color];
  context.globalAlpha = chosen ? 0.3 : isOther ? 0.1 : 0.16;
  context.fillStyle = color;
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, box.top);
  context.lineTo(x1, box.top + box.height);
  context.fill();
  context.globalAlpha = chosen ? 1 : isOther ? 0.6 : 0.9;
  context.strokeStyle = color;
  context.lineWidth = chosen ? 2.5 : 1.5;
  if (box.lane.asynchronous) context.setLineDash([5, 3]);
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
  context.setLineDash([]);
  paintArrowhead(context, line, chosen ? 7 : 6, color);
}

/** Fills the head at the end of a line, `size` px long. */
export function paintArrowhead(
  context: Context,
  { x0, x1, y0, y1 }: SlopeLine,
  size: number,
  color: string,
): void {
  const angle = Math.atan2(y1 - y0, x1 - x0);
  context.fillStyle = color;
  context.beginPath();
  context.moveTo(x1, y1);
  for (const turn of [-0.42, 0.42])
    context.lineTo(x1 - size * Math.cos(angle + turn), y1 - size * Math.sin(angle + turn));
  context.fill();
}

/**
 * Position of a slope's figure, px: on the middle of its visible part, next to a steep slope; null when no part is
 * visible.
 */
export function slopeLabel(
  { x0, x1, y0, y1 }: SlopeLine,
  width: number,
): { readonly x: number; readonly y: number; readonly visible: number } | null {
  const left = Math.max(0, Math.min(x0, x1));
  const right = Math.min(width, Math.max(x0, x1));
  if (!(right >= left)) return null;
  if (Math.abs(x1 - x0) < LABEL_PX) return { x: right + 6, y: (y0 + y1) / 2, visible: right - left };
  const x = (left + right) / 2;
  return { x: x + 8, y: y0 + ((x - x0) / (x1 - x0)) * (y1 - y0), visible: right - left };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Size of a figure on a slope, px. */
const FIGURE_PX = { width: 56, height: 14 } as const;

/** Whether a figure at `at` overlaps none of those that are already written. */
export const isClear = (taken: readonly Point[], at: Point): boolean =>
  taken.every(({ x, y }) => Math.abs(x - at.x) >= FIGURE_PX.width || Math.abs(y - at.y) >= FIGURE_PX.height);

/** Writes figures after all slopes of a lane, the selected block's first; no figure is written over another. */
export function paintSlopeFigures(lane: LanePainting): void {
  const { layout } = lane;
  const chosenFirst = (a: number, b: number): number => Number(isChosen(lane, b)) - Number(isChosen(lane, a));
  const taken: Point[] = [];
  for (const i of Array.from({ length: layout.count }, (_, i) => i).sort(chosenFirst)) {
    const place = figurePlace(lane, i);
    if (place === null || !isClear(taken, place)) continue;
    taken.push(place);
    paintFigure(lane, durationText(layout.value[i]), place);
  }
}

/** Place of a slope's figure; null for a slope that is too short for it, unless it is the selected block's. */
function figurePlace(lane: LanePainting, i: number): Point | null {
  const { scene, box } = lane;
  const line = slopeLine(lane, i);
  // A raw clock can turn a leg around; that is no duration, so it has no figure.
  const label = line.x1 < line.x0 ? null : slopeLabel(line, scene.scale.width);
  if (!label || (!isChosen(lane, i) && label.visible <= LABEL_PX * 1.5)) return null;
  const below = box.lane.shape === "slopeBack" ? 8 : 0;
  return {
    x: Math.min(scene.scale.width - 60, Math.max(4, label.x)),
    y: Math.min(box.top + box.height - 6, Math.max(box.top + 14, label.y + below)),
  };
}

function paintFigure({ context, scene }: LanePainting, words: string, { x, y }: Point): void {
  context.globalAlpha = 1;
  context.font = `600 11px ${scene.tokens["--font"]}`;
  context.lineWidth = 3;
  context.strokeStyle = scene.tokens["--surface"];
  context.strokeText(words, x, y);
  text(context, scene, words, [x, y], { color: "--n-ink", weight: 600 });
}
