/** Where the selected block's bars lie in a lane. */
import type { LaneBox } from "./heights.ts";
import type { Scene } from "./scene.ts";

/** Start and end (µs) of the selected block's bars: from the window, or from its own path when the window has bins. */
export function barsOfSelected(
  scene: Scene,
  { lane }: Pick<LaneBox, "lane">,
): readonly (readonly [number, number])[] {
  const spans = scene.buffer.spans.get(lane.key);
  if (scene.selected < 0 || !spans) return scene.chosen?.get(lane.key) ?? [];
  if (lane.shape !== "commits") return [[spans.start[scene.selected], spans.end[scene.selected]]];
  return scene.waiting.map((entry) => [spans.start[entry], spans.end[entry]] as const);
}
