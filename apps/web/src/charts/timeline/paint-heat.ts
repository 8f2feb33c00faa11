/** Level 0: median and maximum per pixel. */
import type { LaneBox } from "./heights.ts";
import { logHeight } from "../duration-scale.ts";
import type { Heat } from "./layout.ts";
import { paintCuts } from "./paint-patterns.ts";
import { CAP_PX, DIMMED, type Context, type Scene } from "./scene.ts";

/** What a heat lane needs of a scene; a running picture has nothing else. */
export type HeatScene = Pick<Scene, "selected" | "chosen" | "tokens" | "patterns"> & {
  readonly scale: Pick<Scene["scale"], "width">;
};
type HeatColumns = Pick<Heat, "p50" | "max">;

/** Tall: median line with a pale fill, maxima as strokes above. Thin: opacity is the log of the maximum per 2 px. */
export function paintHeat(context: Context, scene: HeatScene, box: LaneBox, heat: HeatColumns): void {
  context.globalAlpha = scene.selected >= 0 || scene.chosen ? DIMMED + 0.1 : 1;
  context.fillStyle = scene.tokens[box.lane.colour];
  if (box.tall) paintTallHeat(context, box, heat);
  else paintThinHeat(context, box, heat);
  paintCuts(context, scene, box);
  context.globalAlpha = 1;
  paintHeatCaps(context, scene, box, heat);
}

/** Height of a heat column above its lane's floor, px; 0 where nothing is known. */
const heatHeight = (box: LaneBox, us: number): number =>
  Number.isNaN(us) ? 0 : Math.max(2, logHeight(us) * (box.height - 4));

function paintTallHeat(context: Context, box: LaneBox, heat: HeatColumns): void {
  const bottom = box.top + box.height;
  const alpha = context.globalAlpha;
  context.globalAlpha = alpha * 0.3;
  for (let x = 0; x < heat.p50.length; x++) {
    const middle = heatHeight(box, heat.p50[x]);
    if (middle > 0) context.fillRect(x, bottom - middle, 1, middle);
  }
  context.globalAlpha = alpha * 0.62;
  for (let x = 0; x < heat.max.length; x++) {
    const middle = heatHeight(box, heat.p50[x]);
    const top = heatHeight(box, heat.max[x]);
    if (top > middle) context.fillRect(x, bottom - top, 1, top - middle);
  }
  context.globalAlpha = alpha;
  context.strokeStyle = context.fillStyle;
  context.lineWidth = 1.5;
  traceMedian(context, box, heat);
  context.stroke();
}

/** The median as one stepped line that breaks where nothing is. */
function traceMedian(context: Context, box: LaneBox, heat: HeatColumns): void {
  const bottom = box.top + box.height;
  let drawing = false;
  context.beginPath();
  for (let x = 0; x < heat.p50.length; x++) {
    const middle = heatHeight(box, heat.p50[x]);
    if (middle === 0) {
      drawing = false;
      continue;
    }
    if (drawing) context.lineTo(x, bottom - middle);
    else context.moveTo(x, bottom - middle);
    context.lineTo(x + 1, bottom - middle);
    drawing = true;
  }
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
