/** The way of a block through the lanes, and the selected block. */
import { showsDatabase } from "../../lanes/split-lanes.ts";
import { formatUncertainty } from "../../ui/words.ts";
import { barsOfSelected } from "./chosen.ts";
import { networkArrows, releaseArrow, waitingRects } from "./flow-arrows.ts";
import type { LaneBox } from "./heights.ts";
import type { Bars } from "./layout.ts";
import { xOf } from "../time-scale.ts";
import { paintArrowhead, type SlopeLine } from "./paint-slopes.ts";
import { rectOf, skylineTop, text, type Context, type Rect, type Scene } from "./scene.ts";

/** Vertical steps in the gaps between lanes: the next lane of each block. */
export function paintStairs(context: Context, scene: Scene): void {
  context.strokeStyle = scene.tokens["--line-2"];
  context.lineWidth = 1;
  context.setLineDash([1, 2]);
  context.beginPath();
  const first = scene.boxes.find((b) => b.lane.shape !== "commits");
  // Where databases are split, each has its own first lane.
  for (const { lane } of scene.boxes.filter((b) => b.lane.figure === first?.lane.figure)) {
    const layout = scene.layouts.get(lane.key);
    const spans = scene.buffer.spans.get(lane.key);
    if (layout?.kind !== "bars" || spans === undefined) continue;
    for (const entry of layout.entry)
      if (spans.block[entry] !== scene.selected) stairsOf(context, scene, spans.block[entry]);
  }
  context.stroke();
  context.setLineDash([]);
}

/** Adds the steps of one block to the path, from lane to lane of the same group. */
function stairsOf(context: Context, scene: Scene, block: number): void {
  for (let i = 1; i < scene.boxes.length; i++) {
    const above = scene.boxes[i - 1];
    const below = scene.boxes[i];
    // A pinned lane is away from where the block went before and after.
    if (below.lane.pinned || above.lane.pinned) continue;
    // The group of another secondary starts again on the primary: there is no step from the group before.
    if (below.lane.replica !== above.lane.replica && above.lane.replica !== 0) continue;
    const spans = scene.buffer.spans.get(below.lane.key);
    if (!spans || below.lane.shape === "commits") continue;
    const x = Math.round(xOf(scene.scale, spans.start[block])) + 0.5;
    if (!(x >= 0 && x <= scene.scale.width)) continue;
    const into = below.lane.shape === "slopeBack" ? 0 : 3;
    context.moveTo(x, above.top + above.height - 2);
    context.lineTo(x, below.top + into);
  }
}

/** Position of the selected block's bar in each lane, drawn again at full strength, with an ink staircase. */
export function paintSelection(context: Context, scene: Scene): void {
  const { tokens, scale } = scene;
  if (scene.level <= 1) for (const box of scene.boxes) paintChosenBars(context, scene, box);
  context.globalAlpha = 1;
  context.strokeStyle = tokens["--select"];
  context.lineWidth = 1.25;
  context.beginPath();
  stairsOf(context, scene, scene.selected);
  context.stroke();
  paintFlow(context, scene);
  if (scene.level >= 2)
    for (const box of scene.boxes)
      if (box.lane.figure === "secondaryFlush") paintBracket(context, scene, box);
  const database = scene.buffer.blocks?.blocks.database[scene.selected];
  const ring = scene.boxes.find(({ lane }) => lane.figure === "localFlush" && showsDatabase(lane, database));
  const spans = ring && scene.buffer.spans.get(ring.lane.key);
  if (!ring || !spans || scene.level < 2) return;
  const x0 = xOf(scale, spans.start[scene.selected]);
  const x1 = xOf(scale, spans.end[scene.selected]);
  context.lineWidth = 1.5;
  context.strokeRect(x0 - 1, ring.top - 1, Math.max(2, x1 - x0) + 2, ring.height + 2);
}

/** Frames the commits that wait for the selected block, with arrows along the network and from the releaser. */
function paintFlow(context: Context, scene: Scene): void {
  context.lineWidth = 1.5;
  for (const { x, y, width, height } of waitingRects(scene))
    context.strokeRect(x - 1, y - 1, Math.max(2, width) + 2, height + 2);
  context.lineWidth = 1.25;
  for (const line of networkArrows(scene)) paintArrow(context, scene, line, []);
  const release = releaseArrow(scene);
  if (release) paintArrow(context, scene, release, [3, 3]);
}

function paintArrow(context: Context, scene: Scene, line: SlopeLine, dash: readonly number[]): void {
  context.setLineDash([...dash]);
  context.beginPath();
  context.moveTo(line.x0, line.y0);
  context.lineTo(line.x1, line.y1);
  context.stroke();
  context.setLineDash([]);
  paintArrowhead(context, line, 7, scene.tokens["--select"]);
}

/**
 * Marks the bars of selected blocks other than the active one. Where bars are drawn one by one, only their frames are
 * added; elsewhere the bars are drawn too.
 */
export function paintKept(context: Context, scene: Scene): void {
  context.globalAlpha = 1;
  for (const bars of scene.kept)
    for (const box of scene.boxes) {
      const own = bars.get(box.lane.key) ?? [];
      if (scene.level <= 1) paintBars(context, scene, box, own);
      else frameBars(context, scene, box, own);
    }
}

type Periods = readonly (readonly [from: number, to: number])[];

function frameBars(context: Context, scene: Scene, box: LaneBox, bars: Periods): void {
  context.strokeStyle = scene.tokens["--select"];
  context.lineWidth = 1;
  for (const [start, end] of bars) {
    const x = xOf(scene.scale, start);
    const width = Math.max(2, xOf(scene.scale, end) - x);
    if (!Number.isNaN(width) && x + width >= 0 && x <= scene.scale.width)
      context.strokeRect(x - 0.5, box.top + 0.5, width + 1, box.height - 1);
  }
}

export const paintChosenBars = (context: Context, scene: Scene, box: LaneBox): void =>
  paintBars(context, scene, box, barsOfSelected(scene, box));

function paintBars(context: Context, scene: Scene, box: LaneBox, bars: Periods): void {
  const bottom = box.top + box.height;
  for (const [start, end] of bars) {
    const x = xOf(scene.scale, start);
    const width = Math.max(2, xOf(scene.scale, end) - x);
    if (Number.isNaN(width) || x + width < 0 || x > scene.scale.width) continue;
    const top = skylineTop(box, end - start);
    context.fillStyle = scene.tokens[box.lane.color];
    context.fillRect(x, top, width, bottom - top);
    context.strokeStyle = scene.tokens["--select"];
    context.lineWidth = 1;
    context.strokeRect(x - 0.5, top - 0.5, width + 1, bottom - top + 1);
  }
}

function paintBracket(context: Context, scene: Scene, box: LaneBox): void {
  const half = scene.uncertainty[box.lane.secondary];
  const end = scene.buffer.spans.get(box.lane.key)?.end[scene.selected] ?? Number.NaN;
  if (!(half > 0) || Number.isNaN(end)) return;
  const left = xOf(scene.scale, end - half);
  const right = xOf(scene.scale, end + half);
  if (right - left < 4 || right < 0 || left > scene.scale.width) return;
  const y = box.top - 1.5;
  context.lineWidth = 1.25;
  context.beginPath();
  for (const x of [left, right]) {
    context.moveTo(x, y - 3);
    context.lineTo(x, y + 3);
  }
  context.moveTo(left, y);
  context.lineTo(right, y);
  context.stroke();
  if (right > scene.scale.width) return;
  text(
    context,
    scene,
    formatUncertainty(half),
    [Math.min(right + 5, scene.scale.width - 52), y + (right + 5 > scene.scale.width - 52 ? -5 : 3)],
    { color: "--ink-2", weight: 400 },
  );
}

/** Box of the focused block's bar, px; null when it is not in view. */
export function focusRect(scene: Scene): (Rect & { readonly box: LaneBox }) | null {
  const box = scene.boxes.find(({ lane }) => lane.key === scene.focus?.key);
  const spans = box && scene.buffer.spans.get(box.lane.key);
  if (!box || !spans || !scene.focus) return null;
  const { block } = scene.focus;
  const [start, end] = [spans.start[block], spans.end[block]];
  const x = xOf(scene.scale, Math.min(start, end));
  const width = Math.max(2, xOf(scene.scale, Math.max(start, end)) - x);
  if (Number.isNaN(width) || x + width < 0 || x > scene.scale.width) return null;
  if (scene.level <= 1) {
    const y = skylineTop(box, end - start);
    return { box, x, width, y, height: box.top + box.height - y };
  }
  const layout = scene.layouts.get(box.lane.key);
  const slope = box.lane.shape === "slopeOut" || box.lane.shape === "slopeBack";
  const i = layout?.kind === "bars" ? layout.entry.indexOf(block) : -1;
  if (slope || i < 0) return { box, x, width, y: box.top, height: box.height };
  return { ...rectOf(box, layout as Bars, i), box };
}

/** Box of an interval of a lane, px. */
function slotRect({ boxes, scale, slot }: Scene): Rect | null {
  const box = boxes.find(({ lane }) => lane.key === slot?.key);
  if (!box || !slot) return null;
  const x = xOf(scale, slot.from);
  return { x: x + 3, width: xOf(scale, slot.to) - x - 6, y: box.top + 3, height: box.height - 6 };
}

/** Ring around the element with the keyboard focus: 2 px, 2 px away from the bar (docs/contribute/design.md 9). */
export function paintFocus(context: Context, scene: Scene): void {
  const rect = focusRect(scene) ?? slotRect(scene);
  if (rect === null) return;
  context.globalAlpha = 1;
  context.strokeStyle = scene.tokens["--focus"];
  context.lineWidth = 2;
  context.strokeRect(rect.x - 3, rect.y - 3, rect.width + 6, rect.height + 6);
}
