/** Level 1: one bar per block, as high as it took long. */
import type { LaneBox } from "./heights.ts";
import { PATH_COLORS } from "./largest-place.ts";
import type { Bars } from "./layout.ts";
import { paintCuts, paintEdge } from "./paint-patterns.ts";
import { CAP_PX, DIMMED, gateOf, released, skylineTop, type Context, type Scene } from "./scene.ts";

export function paintSkyline(context: Context, scene: Scene, box: LaneBox, layout: Bars): void {
  const { tokens } = scene;
  const bottom = box.top + box.height;
  const soft = box.tall ? 1 : 0.55;
  const colors = scene.buffer.spans.get(box.lane.key)?.color;
  context.fillStyle = tokens[box.lane.color];
  context.globalAlpha = soft * (scene.selected >= 0 ? DIMMED + 0.05 : 1);
  for (let i = 0; i < layout.count; i++) {
    const top = skylineTop(box, layout.value[i]);
    // A narrow space on the right separates neighbors once they are wide enough to see.
    const width = layout.width[i] > 4 ? layout.width[i] - 0.75 : layout.width[i];
    if (colors) context.fillStyle = tokens[PATH_COLORS[colors[layout.entry[i]]]];
    context.fillRect(layout.x[i], top, width, bottom - top);
    paintEdge(context, scene, box.lane, { x: layout.x[i], y: top, width, height: bottom - top });
  }
  paintCuts(context, scene, box);
  context.globalAlpha = 1;
  paintReleaseFeet(context, scene, box, layout);
  context.fillStyle = tokens["--c-bad"];
  for (let i = 0; i < layout.count; i++) {
    if (!(layout.value[i] > box.lane.capUs)) continue;
    const y = box.tall ? skylineTop(box, layout.value[i]) - CAP_PX - 1 : box.top;
    context.fillRect(layout.x[i], Math.max(box.top, y), Math.max(2, layout.width[i] - 0.75), CAP_PX);
  }
}

/**
 * In the skyline a commit that the local log write released has a blue foot; with gates shown the entire bar is
 * colored.
 */
function paintReleaseFeet(context: Context, scene: Scene, box: LaneBox, layout: Bars): void {
  const spans = scene.buffer.spans.get(box.lane.key);
  if (box.lane.shape !== "commits" || !spans || !scene.buffer.blocks) return;
  for (let i = 0; i < layout.count; i++) {
    const gate = gateOf(scene, spans, layout.entry[i]);
    if (gate === 0 || (gate !== 1 && !scene.gates)) continue;
    context.fillStyle = scene.tokens[released(gate)];
    const height = scene.gates ? box.top + box.height - skylineTop(box, layout.value[i]) : 3;
    context.fillRect(layout.x[i], box.top + box.height - height, Math.max(1, layout.width[i] - 0.75), height);
  }
}
