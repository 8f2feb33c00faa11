/** Levels 2 and 3: single blocks with their durations, slopes of the network, and the releasers of commits. */
import type { LaneBox } from "./heights.ts";
import { isSlope, type LanePainting } from "./lane-painting.ts";
import type { Bars } from "./layout.ts";
import { paintBars, paintDurations } from "./paint-bars.ts";
import { paintEvents } from "./paint-events.ts";
import { paintCuts } from "./paint-patterns.ts";
import { paintSlopeFigures, paintSlopes } from "./paint-slopes.ts";
import { paintWakeUps } from "./paint-wake-ups.ts";
import { text, type Context, type Scene } from "./scene.ts";

/** Draws the single blocks of a lane: bars first, figures and names over all of them. */
export function paintBlocks(context: Context, scene: Scene, box: LaneBox, layout: Bars): void {
  const spans = scene.buffer.spans.get(box.lane.key)!;
  const lane: LanePainting = { context, scene, box, layout, spans };
  if (isSlope(box)) {
    paintSlopes(lane);
    if (!scene.isSetBack) paintSlopeFigures(lane);
  } else {
    paintBars(lane);
    if (box.lane.figure === "ackWakeUp" || box.lane.figure === "ackReceive") paintWakeUps(lane);
    paintCuts(context, scene, box);
    if (!scene.isSetBack) paintDurations(lane);
  }
  if (scene.isSetBack) return;
  if (scene.level === 3) paintEvents(context, scene, box, layout);
  if (!isSlope(box)) paintHidden(lane);
}

/** Draws the number of bars without room. */
function paintHidden({ context, scene, box, layout }: LanePainting): void {
  if (layout.hidden === 0) return;
  context.globalAlpha = 1;
  text(context, scene, `+ ${layout.hidden}`, [scene.scale.width - 34, box.top + box.height - 5], {
    color: "--ink-2",
  });
}
