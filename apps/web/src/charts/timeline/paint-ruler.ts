/** Rulers over the lanes: a circle on each edge, an arrow between them, and their distance. */
import { durationText, formatUncertainty } from "../../ui/words.ts";
import type { RulerEnd } from "@aglens/contract";
import { xOf } from "../time-scale.ts";
import type { LaneBox } from "./heights.ts";
import type { Context, Scene } from "./scene.ts";

/** A ruler as it is drawn. */
export interface DrawnRuler {
  readonly ends: readonly [RulerEnd, RulerEnd];
  /** Where its ends are drawn, µs. */
  readonly at: readonly [number, number];
  readonly us: number;
  readonly uncertaintyUs: number | null;
  /** Names of both edges, for ends that are on one. */
  readonly words: readonly string[];
}

type Ground = Pick<Scene, "boxes" | "scale" | "tokens">;

const CIRCLE_PX = 3.5;
/** Distance of the arrow below the lower edge, px. */
const ARROW_PX = 22;
const LINE_PX = 14;
const HEAD_PX = 5;

/** Draws rulers whose ends are in view or on either side of it; `height` of the plot, px. */
export function paintRulers(
  context: Context,
  ground: Ground,
  rulers: readonly DrawnRuler[],
  height: number,
): void {
  for (const ruler of rulers) paintRuler(context, ground, ruler, height);
}

/** The circle where the next end would be. */
export function paintRulerEnd(
  context: Context,
  ground: Ground,
  end: RulerEnd,
  at: number,
  height: number,
): void {
  context.strokeStyle = ground.tokens["--focus"];
  context.lineWidth = 1.5;
  circle(context, ground, xOf(ground.scale, at), heightOf(ground.boxes, end, height));
}

/** Middle of the lane of an end; of the plot where that lane is not shown. */
function heightOf(boxes: readonly LaneBox[], { edge }: RulerEnd, height: number): number {
  const box = edge && boxes.find(({ lane }) => lane.key === edge.lane);
  return box ? box.top + box.height / 2 : height / 2;
}

function circle(context: Context, { tokens }: Ground, x: number, y: number): void {
  context.fillStyle = tokens["--surface"];
  context.beginPath();
  context.arc(x, y, CIRCLE_PX, 0, 2 * Math.PI);
  context.fill();
  context.stroke();
}

function paintRuler(context: Context, ground: Ground, ruler: DrawnRuler, height: number): void {
  const { scale, tokens, boxes } = ground;
  const places = ruler.ends.map((end, i) => ({
    x: xOf(scale, ruler.at[i] ?? 0),
    y: heightOf(boxes, end, height),
  }));
  const [left, right] = places.toSorted((a, b) => a.x - b.x);
  if (!left || !right || right.x < 0 || left.x > scale.width) return;
  const arrow = Math.min(height - LINE_PX * 2, Math.max(left.y, right.y) + ARROW_PX);
  context.strokeStyle = tokens["--focus"];
  context.lineWidth = 1.5;
  context.beginPath();
  for (const { x, y } of [left, right]) {
    context.moveTo(x, y);
    context.lineTo(x, arrow + 4);
  }
  context.moveTo(left.x, arrow);
  context.lineTo(right.x, arrow);
  if (right.x - left.x > 3 * HEAD_PX) {
    head(context, left.x, arrow, 1);
    head(context, right.x, arrow, -1);
  }
  context.stroke();
  for (const { x, y } of [left, right]) circle(context, ground, x, y);
  paintLabel(context, ground, ruler, [left.x, right.x], Math.min(arrow + 4, height - 2 - LINE_PX * 2));
}

function head(context: Context, x: number, y: number, inwards: number): void {
  context.moveTo(x + inwards * HEAD_PX, y - HEAD_PX / 2 - 1);
  context.lineTo(x, y);
  context.lineTo(x + inwards * HEAD_PX, y + HEAD_PX / 2 + 1);
}

/** Draws the label right of the ruler; left of it where there is no room, and always inside the plot. */
function paintLabel(
  context: Context,
  { scale, tokens }: Ground,
  { us, uncertaintyUs, words }: DrawnRuler,
  [left, right]: readonly [number, number],
  y: number,
): void {
  const off =
    uncertaintyUs === null || Number.isNaN(uncertaintyUs) ? "" : ` ${formatUncertainty(uncertaintyUs)}`;
  const lines = [`${durationText(us)}${off}`, ...words];
  const bold = `600 12px ${tokens["--font"]}`;
  const small = `400 11px ${tokens["--font"]}`;
  const widths = lines.map((line, i) => {
    context.font = i === 0 ? bold : small;
    return context.measureText(line).width;
  });
  const width = Math.max(...widths) + 12;
  const x =
    right + 6 + width <= scale.width
      ? right + 6
      : Math.max(2, Math.min(left - width - 6, scale.width - width - 2));
  const top = y - LINE_PX;
  context.globalAlpha = 0.94;
  context.fillStyle = tokens["--surface"];
  context.fillRect(x, top, width, lines.length * LINE_PX + 6);
  context.globalAlpha = 1;
  for (const [i, line] of lines.entries()) {
    context.font = i === 0 ? bold : small;
    context.fillStyle = tokens[i === 0 ? "--ink" : "--ink-2"];
    context.fillText(line, x + 6, top + 13 + i * LINE_PX);
  }
}
