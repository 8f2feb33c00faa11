/** Wake-ups: from the release of a block's commits to their end. */
import { Gate } from "@aglens/ag-model/replication";
import { chartsTexts as texts } from "../../messages/charts.ts";
import { durationText } from "../../ui/words.ts";
import { xOf } from "../time-scale.ts";
import type { LanePainting } from "./lane-painting.ts";
import { barAlpha, text, textWidth } from "./scene.ts";

/** Draws the wake-ups of a lane's blocks; an acknowledgment that waits for the local write is dotted up to it. */
export function paintWakeUps(lane: LanePainting): void {
  const { context, scene, box, layout } = lane;
  const { blocks, hops } = scene.buffer.blocks!;
  const { ackProcessed } = hops[box.lane.secondary];
  for (const entry of layout.entry) {
    const gate = blocks.gate[entry];
    const isLocal = gate === Gate.localFlush;
    if (!isLocal && gate !== Gate.ofSecondary(box.lane.secondary)) continue;
    const [processed, local] = [ackProcessed[entry], blocks.localFlushEnd[entry]];
    const from = isLocal ? local : processed;
    const chosen = entry === scene.selected;
    context.globalAlpha = 1;
    fill(lane, from, blocks.commitEnd[entry], scene.tokens["--surface"]);
    context.globalAlpha = barAlpha(scene, chosen, box);
    fill(lane, from, blocks.commitEnd[entry], scene.tokens["--wait"]);
    if (isLocal && local > processed) paintWaiting(lane, processed, local, chosen);
  }
}

/** Draws a period as a bar of the lane's height; nothing for an unknown period. */
function fill({ context, scene, box }: LanePainting, from: number, to: number, color: string): void {
  if (!(to >= from)) return;
  const x = xOf(scene.scale, from);
  context.fillStyle = color;
  context.fillRect(x, box.top, Math.max(1, xOf(scene.scale, to) - x), box.height);
}

function paintWaiting(
  { context, scene, box }: LanePainting,
  from: number,
  to: number,
  chosen: boolean,
): void {
  const [x0, x1] = [xOf(scene.scale, from), xOf(scene.scale, to)];
  const y = box.top + box.height - 6.5;
  context.globalAlpha = chosen ? 1 : 0.6;
  context.strokeStyle = scene.tokens["--ink-3"];
  context.lineWidth = 1;
  context.setLineDash([2, 2]);
  context.beginPath();
  context.moveTo(x0, y);
  context.lineTo(x1, y);
  context.stroke();
  context.setLineDash([]);
  const left = Math.max(2, x0 + 4);
  const words = texts.ackWaited(durationText(to - from));
  if (chosen && textWidth(context, scene, words) < x1 - left)
    text(context, scene, words, [left, box.top + 11], { color: "--ink-2", weight: 400 });
}
