/** Isolated stages: the other lanes are set back, and the commits' lane shows the stage at its time. */
import { xOf } from "../time-scale.ts";
import type { LaneBox } from "./heights.ts";
import { setBack } from "./paint-hits.ts";
import { rectOf, skylineTop, type Context, type Scene } from "./scene.ts";

/** While lanes are isolated, others have this much of their color. */
export const NOT_ISOLATED = 0.28;
/** Least width of a part of a commit, px. */
const LEAST_PX = 1;

/** Whether a lane is set back while others are isolated. */
export const isOther = ({ isolated }: Scene, { lane }: LaneBox): boolean =>
  isolated.length > 0 && !isolated.includes(lane.key);

/** The scene of the background: without figures. */
export const asBackground = (scene: Scene): Scene => ({ ...scene, isSetBack: true });

/** Sets back the lanes that are not isolated, then draws the isolated stages into the commits. */
export function paintIsolation(context: Context, scene: Scene): void {
  for (const box of scene.boxes) if (isOther(scene, box)) setBack(context, scene, box, NOT_ISOLATED);
  const isCommits = ({ lane }: LaneBox): boolean => lane.shape === "commits";
  for (const commits of scene.boxes.filter(isCommits))
    for (const box of scene.boxes)
      if (!isCommits(box) && scene.isolated.includes(box.lane.key))
        paintInCommits(context, scene, commits, box);
}

/** Each commit's part that was the stage, as high as the commit's own bar: its width is the part of the wait. */
function paintInCommits(context: Context, scene: Scene, commits: LaneBox, { lane }: LaneBox): void {
  const { hits, level, scale, tokens } = scene;
  const buffer = hits?.buffer ?? scene.buffer;
  const layout = (hits?.layouts ?? scene.layouts).get(commits.lane.key);
  const spans = buffer.spans.get(lane.key);
  const waits = buffer.spans.get(commits.lane.key);
  // Bins have no single commits.
  if (layout?.kind !== "bars" || spans === undefined || waits === undefined) return;
  context.fillStyle = tokens[lane.color];
  for (let i = 0; i < layout.count; i++) {
    const block = waits.block[layout.entry[i]];
    if (block < 0 || layout.track[i] >= layout.tracks) continue;
    const left = xOf(scale, spans.start[block]);
    const width = Math.max(LEAST_PX, xOf(scale, spans.end[block]) - left);
    if (!(left + width >= 0 && left <= scale.width)) continue;
    // A commit narrower than a pixel cannot show a part of its width: the color has the part's strength.
    const whole = (layout.value[i] / (scale.to - scale.from)) * scale.width || 1;
    const part = ((spans.end[block] - spans.start[block]) / (scale.to - scale.from)) * scale.width;
    context.globalAlpha = whole < 1 ? Math.min(1, part / whole) : 1;
    const bar = level >= 2 ? rectOf(commits, layout, i) : skylineRect(commits, layout.value[i]);
    context.fillRect(left, bar.y, width, bar.height);
  }
  context.globalAlpha = 1;
}

function skylineRect(box: LaneBox, us: number): { readonly y: number; readonly height: number } {
  const y = skylineTop(box, us);
  return { y, height: box.top + box.height - y };
}
