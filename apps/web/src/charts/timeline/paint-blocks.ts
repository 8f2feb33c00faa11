/** Levels 2 and 3: single blocks with their durations, slopes of the network, what released a commit. */
import { durationText } from "../../ui/words.ts";
import type { TokenName } from "../../lanes/palette.ts";
import type { LaneBox } from "./heights.ts";
import { onSecondaryClock, type Lane } from "../../lanes/lanes.ts";
import type { Bars } from "./layout.ts";
import { xOf } from "../time-scale.ts";
import { paintEvents } from "./paint-events.ts";
import { paintCuts, paintEdge } from "./paint-patterns.ts";
import {
  barAlpha,
  CAP_PX,
  gateOf,
  rectOf,
  released,
  text,
  textWidth,
  type Context,
  type Rect,
  type Scene,
} from "./scene.ts";

const LABEL_PX = 60;
/** A fade under this many pixels is not seen. */
const LEAST_FADE_PX = 1;

export function paintBlocks(context: Context, scene: Scene, box: LaneBox, layout: Bars): void {
  const spans = scene.buffer.spans.get(box.lane.key)!;
  const slope = box.lane.shape === "slopeOut" || box.lane.shape === "slopeBack";
  for (let i = 0; i < layout.count; i++) {
    if (layout.track[i] === 255 && !slope) continue;
    const chosen = scene.selected >= 0 && spans.block[layout.entry[i]] === scene.selected;
    if (slope) paintSlope(context, scene, box, layout, i, chosen);
    else paintBar(context, scene, box, layout, i, chosen);
  }
  if (box.lane.figure === "ackWakeUp" || box.lane.figure === "ackReceive") paintWakeUps(context, scene, box);
  if (slope) paintSlopeLabels(context, scene, box, layout);
  else {
    paintCuts(context, scene, box);
    paintDurations(context, scene, box, layout);
  }
  if (scene.level === 3) paintEvents(context, scene, box, layout);
  if (layout.hidden > 0 && !slope) {
    context.globalAlpha = 1;
    text(context, scene, `+ ${layout.hidden}`, scene.scale.width - 34, box.top + box.height - 5, "--ink-2");
  }
}

function paintBar(
  context: Context,
  scene: Scene,
  box: LaneBox,
  layout: Bars,
  i: number,
  chosen: boolean,
): void {
  const { lane } = box;
  const rect = rectOf(box, layout, i);
  const fade = fadeOf(scene, lane);
  context.globalAlpha = barAlpha(scene, chosen, box);
  if (fade > LEAST_FADE_PX) paintFaded(context, scene, rect, fade, lane.colour);
  else {
    context.fillStyle = scene.tokens[lane.colour];
    context.fillRect(rect.x, rect.y, rect.width > 3 ? rect.width - 0.5 : rect.width, rect.height);
  }
  if (lane.shape === "commits") paintRelease(context, scene, box, layout, i, rect);
  if (layout.value[i] > lane.capUs) {
    context.globalAlpha = 1;
    context.fillStyle = scene.tokens["--c-bad"];
    context.fillRect(rect.x, rect.y, rect.width, CAP_PX);
  }
  paintEdge(context, scene, lane, rect);
}

/** How far a bar's edges fade to either side, px; 0 on the primary's clock. */
export function fadeOf({ uncertainty, scale }: Pick<Scene, "uncertainty" | "scale">, lane: Lane): number {
  const half = uncertainty[lane.secondary] ?? Number.NaN;
  return onSecondaryClock(lane) && half > 0 ? (half / (scale.to - scale.from)) * scale.width : 0;
}

/** Soft edges over ± the uncertainty; a bar narrower than that becomes a smear, densest at the estimate. */
function paintFaded(context: Context, scene: Scene, rect: Rect, fade: number, colour: TokenName): void {
  const left = rect.x - fade;
  const width = rect.width + 2 * fade;
  const solid = scene.tokens[colour];
  const clear = `color-mix(in srgb, ${solid} 0%, transparent)`;
  const gradient = context.createLinearGradient(left, 0, left + width, 0);
  const edge = Math.min(0.5, (2 * fade) / width);
  gradient.addColorStop(0, withAlpha(solid, 0) ?? clear);
  gradient.addColorStop(edge, solid);
  gradient.addColorStop(1 - edge, solid);
  gradient.addColorStop(1, withAlpha(solid, 0) ?? clear);
  context.fillStyle = gradient;
  context.fillRect(left, rect.y, width, rect.height);
}

function withAlpha(hex: string, alpha: number): string | null {
  if (!/^#[0-9a-f]{6}$/iu.test(hex)) return null;
  return `${hex}${Math.round(alpha * 255)
    .toString(16)
    .padStart(2, "0")}`;
}

function paintRelease(
  context: Context,
  scene: Scene,
  box: LaneBox,
  layout: Bars,
  i: number,
  rect: Rect,
): void {
  const spans = scene.buffer.spans.get(box.lane.key)!;
  const gate = gateOf(scene, spans, layout.entry[i]);
  if (gate === 0) return;
  context.globalAlpha = 1;
  context.fillStyle = scene.tokens[released(gate)];
  if (scene.gates) context.fillRect(rect.x, rect.y, rect.width, rect.height);
  else if (rect.width >= 6) context.fillRect(rect.x + rect.width - 4, rect.y, 4, rect.height);
}

/** Figures come after all bars and cuts, so that nothing lies over them. */
function paintDurations(context: Context, scene: Scene, box: LaneBox, layout: Bars): void {
  const spans = scene.buffer.spans.get(box.lane.key)!;
  const fade = fadeOf(scene, box.lane);
  for (let i = 0; i < layout.count; i++) {
    if (layout.track[i] === 255) continue;
    const chosen = scene.selected >= 0 && spans.block[layout.entry[i]] === scene.selected;
    const rect = rectOf(box, layout, i);
    // Figures stand where the bar is solid.
    const solid = { ...rect, x: rect.x + fade, width: rect.width - 2 * fade };
    paintDuration(context, scene, solid, layout.value[i], chosen, box.lane.colour);
  }
}

function paintDuration(
  context: Context,
  scene: Scene,
  rect: Rect,
  us: number,
  chosen: boolean,
  colour: TokenName,
): void {
  const left = Math.max(0, rect.x);
  const visible = Math.min(scene.scale.width, rect.x + rect.width) - left;
  if (visible < LABEL_PX || rect.height < 14) return;
  context.globalAlpha = 1;
  const strong = (chosen || scene.selected < 0) && (colour === "--p-disk" || colour === "--s-disk");
  if (scene.patterns) {
    context.lineWidth = 4;
    context.strokeStyle = scene.tokens[strong ? "--ink" : "--surface"];
    context.font = `600 11px ${scene.tokens["--font"]}`;
    context.strokeText(durationText(us), left + 6, rect.y + Math.min(rect.height / 2 + 4, 30));
  }
  text(
    context,
    scene,
    durationText(us),
    left + 6,
    rect.y + Math.min(rect.height / 2 + 4, 30),
    strong ? "--on-strong" : "--ink",
    600,
  );
}

function paintSlope(
  context: Context,
  scene: Scene,
  box: LaneBox,
  layout: Bars,
  i: number,
  chosen: boolean,
): void {
  const spans = scene.buffer.spans.get(box.lane.key)!;
  const x0 = xOf(scene.scale, spans.start[layout.entry[i]]);
  const x1 = xOf(scene.scale, spans.end[layout.entry[i]]);
  const falls = box.lane.shape === "slopeOut";
  const y0 = falls ? box.top : box.top + box.height;
  const y1 = falls ? box.top + box.height : box.top;
  const colour = scene.tokens[box.lane.colour];
  context.globalAlpha = chosen ? 0.3 : scene.selected >= 0 ? 0.1 : 0.16;
  context.fillStyle = colour;
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, falls ? y0 : y1);
  context.lineTo(x1, falls ? y1 : y0);
  context.fill();
  context.globalAlpha = chosen ? 1 : scene.selected >= 0 ? 0.6 : 0.9;
  context.strokeStyle = colour;
  context.lineWidth = chosen ? 2.5 : 1.5;
  if (box.lane.asynchronous) context.setLineDash([5, 3]);
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
  context.setLineDash([]);
  arrowhead(context, x0, y0, x1, y1, chosen ? 7 : 6);
}

interface SlopeLine {
  readonly x0: number;
  readonly x1: number;
  readonly y0: number;
  readonly y1: number;
}

/** Where a slope's figure stands: on the middle of its visible part, beside a steep one; null when none is visible. */
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

/** Room of a figure on a slope, px. */
const FIGURE_PX = { width: 56, height: 14 } as const;

/** Whether a figure at `at` keeps clear of those that stand already. */
export function isClear(
  taken: readonly { readonly x: number; readonly y: number }[],
  at: { readonly x: number; readonly y: number },
): boolean {
  return taken.every(
    ({ x, y }) => Math.abs(x - at.x) >= FIGURE_PX.width || Math.abs(y - at.y) >= FIGURE_PX.height,
  );
}

/** Figures of slopes after all of them, the selected one first; none is written over another. */
function paintSlopeLabels(context: Context, scene: Scene, box: LaneBox, layout: Bars): void {
  const spans = scene.buffer.spans.get(box.lane.key)!;
  const falls = box.lane.shape === "slopeOut";
  const [y0, y1] = falls ? [box.top, box.top + box.height] : [box.top + box.height, box.top];
  const isChosen = (i: number) => scene.selected >= 0 && spans.block[layout.entry[i]] === scene.selected;
  const taken: { x: number; y: number }[] = [];
  const order = Array.from(layout.entry.keys()).sort((a, b) => Number(isChosen(b)) - Number(isChosen(a)));
  for (const i of order) {
    const x0 = xOf(scene.scale, spans.start[layout.entry[i]]);
    const x1 = xOf(scene.scale, spans.end[layout.entry[i]]);
    // A raw clock can turn a leg around; that is no duration, so it has no figure.
    const label = x1 < x0 ? null : slopeLabel({ x0, x1, y0, y1 }, scene.scale.width);
    if (!label || (!isChosen(i) && label.visible <= LABEL_PX * 1.5)) continue;
    const at = {
      x: Math.min(scene.scale.width - 60, Math.max(4, label.x)),
      y: Math.min(box.top + box.height - 6, Math.max(box.top + 14, label.y + (falls ? 0 : 8))),
    };
    if (!isClear(taken, at)) continue;
    taken.push(at);
    paintSlopeLabel(context, scene, layout.value[i], at);
  }
}

function paintSlopeLabel(
  context: Context,
  scene: Scene,
  us: number,
  { x, y }: { readonly x: number; readonly y: number },
): void {
  context.globalAlpha = 1;
  context.font = `600 11px ${scene.tokens["--font"]}`;
  context.lineWidth = 3;
  context.strokeStyle = scene.tokens["--surface"];
  context.strokeText(durationText(us), x, y);
  text(context, scene, durationText(us), x, y, "--n-ink", 600);
}

function arrowhead(context: Context, x0: number, y0: number, x1: number, y1: number, size: number): void {
  const angle = Math.atan2(y1 - y0, x1 - x0);
  context.fillStyle = context.strokeStyle;
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x1 - size * Math.cos(angle - 0.42), y1 - size * Math.sin(angle - 0.42));
  context.lineTo(x1 - size * Math.cos(angle + 0.42), y1 - size * Math.sin(angle + 0.42));
  context.fill();
}

/** Wake-up: from what released the block to its commit's end; an acknowledgement that waits for the local write is dotted. */
function paintWakeUps(context: Context, scene: Scene, box: LaneBox): void {
  const { blocks, hops } = scene.buffer.blocks!;
  const hop = hops[box.lane.secondary];
  const layout = scene.layouts.get(box.lane.key) as Bars;
  for (const entry of layout.entry) {
    const gate = blocks.gate[entry];
    const done = hop.ackProcessed[entry];
    const local = blocks.localFlushEnd[entry];
    const chosen = entry === scene.selected;
    const mine = gate === 1 || gate === box.lane.secondary + 2;
    if (!mine) continue;
    context.globalAlpha = 1;
    bar(context, scene, box, gate === 1 ? local : done, blocks.commitEnd[entry], "--surface");
    context.globalAlpha = barAlpha(scene, chosen, box);
    bar(context, scene, box, gate === 1 ? local : done, blocks.commitEnd[entry], "--wait");
    if (gate === 1 && local > done) paintWaiting(context, scene, box, done, local, chosen);
  }
}

function bar(
  context: Context,
  scene: Scene,
  box: LaneBox,
  from: number,
  to: number,
  colour: TokenName,
): void {
  if (!(to >= from)) return;
  const x = xOf(scene.scale, from);
  context.fillStyle = scene.tokens[colour];
  context.fillRect(x, box.top, Math.max(1, xOf(scene.scale, to) - x), box.height);
}

function paintWaiting(
  context: Context,
  scene: Scene,
  box: LaneBox,
  from: number,
  to: number,
  chosen: boolean,
): void {
  const x0 = xOf(scene.scale, from);
  const x1 = xOf(scene.scale, to);
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
  const words = `ack waited ${durationText(to - from)} for the local write`;
  if (chosen && textWidth(context, scene, words) < x1 - left)
    text(context, scene, words, left, box.top + 11, "--ink-2", 400);
}
