/** Level 0: median and maximum per pixel. */
import type { LaneBox } from "./heights.ts";
import { logHeight } from "../duration-scale.ts";
import type { Heat } from "./layout.ts";
import { paintCuts } from "./paint-patterns.ts";
import { CAP_PX, DIMMED, type Context, type Scene } from "./scene.ts";

/** Members of a scene that a heat lane uses; a running picture has only these. */
export type HeatScene = Pick<Scene, "selected" | "chosen" | "tokens" | "patterns"> & {
  readonly scale: Pick<Scene["scale"], "width">;
};
/** How thick the line of medians is. */
const LINE_PX = 1.5;

type HeatColumns = Pick<Heat, "p50" | "max">;

/** Tall: median line with a pale fill, maxima as strokes above. Thin: opacity is the log of the maximum per 2 px. */
export function paintHeat(context: Context, scene: HeatScene, box: LaneBox, heat: HeatColumns): void {
  context.globalAlpha = scene.selected >= 0 || scene.chosen ? DIMMED + 0.1 : 1;
  context.fillStyle = scene.tokens[box.lane.color];
  if (box.tall) paintTallHeat(context, box, heat);
  else paintThinHeat(context, box, heat);
  paintCuts(context, scene, box);
  context.globalAlpha = 1;
  paintHeatCaps(context, scene, box, heat);
}

/** Height of a heat column above its lane's floor, px; 0 for an unknown value. */
const heatHeight = (box: LaneBox, us: number): number =>
  Number.isNaN(us) ? 0 : Math.max(2, logHeight(us) * (box.height - 4));

function paintTallHeat(context: Context, box: LaneBox, heat: HeatColumns): void {
  const bottom = box.top + box.height;
  const middles = heat.p50.map((us) => heatHeight(box, us));
  const tops = heat.max.map((us) => heatHeight(box, us));
  const floor = new Float64Array(middles.length);
  const alpha = context.globalAlpha;
  context.globalAlpha = alpha * 0.3;
  fillSteps(context, bottom, floor, middles);
  context.globalAlpha = alpha * 0.62;
  fillSteps(context, bottom, middles, tops);
  context.globalAlpha = alpha;
  const line = lineOf(middles);
  fillSteps(context, bottom, line.from, line.to);
}

/**
 * Fills columns of 1 px, each from one height above `bottom` to a larger one; a column without a larger upper end is
 * empty. One path per fill: a rectangle per column, or a stroke along them, takes three times as long to draw.
 */
function fillSteps(context: Context, bottom: number, from: Float64Array, to: Float64Array): void {
  let isEmpty = true;
  context.beginPath();
  for (let first = 0; first < to.length; first++) {
    if (!(to[first] > from[first])) continue;
    let end = first + 1;
    while (end < to.length && to[end] > from[end]) end++;
    context.moveTo(first, bottom - from[first]);
    for (let x = first; x < end; x++) {
      context.lineTo(x, bottom - to[x]);
      context.lineTo(x + 1, bottom - to[x]);
    }
    context.lineTo(end, bottom - from[end - 1]);
    for (let x = end - 1; x > first; x--) {
      if (from[x - 1] === from[x]) continue;
      context.lineTo(x, bottom - from[x]);
      context.lineTo(x, bottom - from[x - 1]);
    }
    context.closePath();
    isEmpty = false;
    first = end;
  }
  if (!isEmpty) context.fill();
}

/** A stepped line as columns to fill: it rises or falls in the column before the step, and breaks at empty columns. */
function lineOf(heights: Float64Array): { readonly from: Float64Array; readonly to: Float64Array } {
  const from = new Float64Array(heights.length);
  const to = new Float64Array(heights.length);
  for (const [x, height] of heights.entries()) {
    if (height === 0) continue;
    const next = heights[x + 1] || height;
    from[x] = Math.min(height, next) - LINE_PX / 2;
    to[x] = Math.max(height, next) + LINE_PX / 2;
  }
  return { from, to };
}

function paintThinHeat(context: Context, box: LaneBox, heat: HeatColumns): void {
  const alpha = context.globalAlpha;
  for (let x = 0; x < heat.max.length; x += 2) {
    const a = heat.max[x];
    const b = x + 1 < heat.max.length ? heat.max[x + 1] : Number.NaN;
    const most = Number.isNaN(a) || b > a ? b : a;
    if (Number.isNaN(most)) continue;
    context.globalAlpha =
      alpha * Math.min(1, 0.18 + 0.82 * Math.max(0, Math.log10(Math.max(most, 10) / 10) / 4));
    context.fillRect(x, box.top, 2, box.height);
  }
}

function paintHeatCaps(context: Context, scene: HeatScene, box: LaneBox, heat: HeatColumns): void {
  context.fillStyle = scene.tokens["--c-bad"];
  for (let x = 0; x < heat.max.length; x++) {
    if (!(heat.max[x] > box.lane.capUs)) continue;
    const y = box.tall
      ? box.top + box.height - Math.max(2, logHeight(heat.max[x]) * (box.height - 4)) - CAP_PX - 1
      : box.top;
    context.fillRect(x, Math.max(box.top, y), 1, CAP_PX);
  }
}
