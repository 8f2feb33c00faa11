/** Draws laid-out lanes into a canvas. Nothing here decides what to draw; that is layout.ts. */
import type { Tokens, TokenName } from "../palette.ts";
import { durationText } from "../../ui/words.ts";
import type { LaneBox } from "./heights.ts";
import { needsFileOf, onSecondaryClock } from "./lanes.ts";
import {
  logHeight,
  xOf,
  type Bars,
  type Heat,
  type LaneLayout,
  type Level,
  type TimeScale,
} from "./layout.ts";
import type { Buffer, LaneSpans } from "./spans.ts";

/** Start and end (µs) of a block's bars by lane key. */
export type ChosenBars = ReadonlyMap<string, readonly (readonly [number, number])[]>;

export interface Scene {
  readonly boxes: readonly LaneBox[];
  readonly layouts: ReadonlyMap<string, LaneLayout>;
  readonly buffer: Buffer;
  readonly scale: TimeScale;
  readonly level: Level;
  readonly tokens: Tokens;
  /** x of the axis' ticks, px. */
  readonly ticks: readonly number[];
  /** Position of the selected block in the buffered window; -1 when none. */
  readonly selected: number;
  /** The selected block's bars by lane key, when its path is known; it need not be in the window. */
  readonly chosen: ChosenBars | null;
  /** Half width of the clock's band per secondary, µs. */
  readonly uncertainty: readonly number[];
  /** Colour commits by what released them. */
  readonly gates: boolean;
  /** Stretches that the file of a replica does not cover: from, to (µs), replica index. */
  readonly uncovered: readonly (readonly [number, number, number])[];
}

const LABEL_PX = 60;
const DIMMED = 0.5;
const CAP_PX = 2.5;
/** A fade under this many pixels is not seen. */
const LEAST_FADE_PX = 1;

type Context = CanvasRenderingContext2D;

/** Draws all lanes; the context is in CSS pixels with its origin at the lanes' top left corner. */
export function paintLanes(context: Context, scene: Scene): void {
  for (const box of scene.boxes) paintGround(context, scene, box);
  if (scene.level >= 2) paintStairs(context, scene);
  for (const box of scene.boxes) {
    const layout = scene.layouts.get(box.lane.key);
    if (!layout) continue;
    context.save();
    context.beginPath();
    context.rect(0, box.top - (box.lane.place === "secondary" ? 6 : 0), scene.scale.width, box.height + 6);
    context.clip();
    if (layout.kind === "heat") paintHeat(context, scene, box, layout);
    else if (scene.level === 1) paintSkyline(context, scene, box, layout);
    else paintBlocks(context, scene, box, layout);
    context.restore();
  }
  if (scene.selected >= 0) paintSelection(context, scene);
  else if (scene.chosen) for (const box of scene.boxes) paintChosenBars(context, scene, box);
}

function paintGround(context: Context, scene: Scene, box: LaneBox): void {
  const { tokens, scale } = scene;
  context.fillStyle = tokens["--surface"];
  context.fillRect(0, box.top, scale.width, box.height);
  context.fillStyle = tokens["--grid"];
  for (const x of scene.ticks) context.fillRect(Math.round(x), box.top, 1, box.height);
  for (const [from, to, replica] of scene.uncovered)
    if (needsFileOf(box.lane, replica))
      hatchArea(context, tokens, xOf(scale, from), xOf(scale, to), box, scale.width);
  if (box.tall && scene.level <= 1)
    for (const us of [1_000, 10_000, 100_000])
      context.fillRect(0, Math.round(box.top + box.height - logHeight(us) * box.height), scale.width, 1);
}

function hatchArea(
  context: Context,
  tokens: Tokens,
  from: number,
  to: number,
  box: LaneBox,
  width: number,
): void {
  const left = Math.max(0, from);
  const right = Math.min(width, to);
  if (right <= left) return;
  context.save();
  context.beginPath();
  context.rect(left, box.top, right - left, box.height);
  context.clip();
  context.strokeStyle = tokens["--hatch"];
  context.lineWidth = 2;
  context.beginPath();
  for (let x = left - box.height; x < right; x += 8) {
    context.moveTo(x, box.top + box.height);
    context.lineTo(x + box.height, box.top);
  }
  context.stroke();
  context.restore();
  context.fillStyle = tokens["--grid"];
}

/** Tall: median line with a pale fill, maxima as strokes above. Thin: opacity is the log of the maximum per 2 px. */
function paintHeat(context: Context, scene: Scene, box: LaneBox, heat: Heat): void {
  context.globalAlpha = scene.selected >= 0 || scene.chosen ? DIMMED + 0.1 : 1;
  context.fillStyle = scene.tokens[box.lane.colour];
  if (box.tall) paintTallHeat(context, box, heat);
  else paintThinHeat(context, box, heat);
  context.globalAlpha = 1;
  paintHeatCaps(context, scene, box, heat);
}

/** Height of a heat column above its lane's floor, px; 0 where nothing is known. */
const heatHeight = (box: LaneBox, us: number): number =>
  Number.isNaN(us) ? 0 : Math.max(2, logHeight(us) * (box.height - 4));

function paintTallHeat(context: Context, box: LaneBox, heat: Heat): void {
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
function traceMedian(context: Context, box: LaneBox, heat: Heat): void {
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

function paintThinHeat(context: Context, box: LaneBox, heat: Heat): void {
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

function paintHeatCaps(context: Context, scene: Scene, box: LaneBox, heat: Heat): void {
  context.fillStyle = scene.tokens["--c-bad"];
  for (let x = 0; x < heat.max.length; x++) {
    if (!(heat.max[x] > box.lane.capUs)) continue;
    const y = box.tall
      ? box.top + box.height - Math.max(2, logHeight(heat.max[x]) * (box.height - 4)) - CAP_PX - 1
      : box.top;
    context.fillRect(x, Math.max(box.top, y), 1, CAP_PX);
  }
}

/** Top edge of a skyline bar. */
function skylineTop(box: LaneBox, us: number): number {
  return box.tall ? box.top + box.height - Math.max(2, logHeight(us) * (box.height - 4)) : box.top;
}

function paintSkyline(context: Context, scene: Scene, box: LaneBox, layout: Bars): void {
  const { tokens } = scene;
  const bottom = box.top + box.height;
  const soft = box.tall ? 1 : 0.55;
  context.fillStyle = tokens[box.lane.colour];
  context.globalAlpha = soft * (scene.selected >= 0 ? DIMMED + 0.05 : 1);
  for (let i = 0; i < layout.count; i++) {
    const top = skylineTop(box, layout.value[i]);
    // A hair of space on the right keeps neighbours apart once they are wide enough to tell.
    const width = layout.width[i] > 4 ? layout.width[i] - 0.75 : layout.width[i];
    context.fillRect(layout.x[i], top, width, bottom - top);
  }
  context.globalAlpha = 1;
  paintReleaseFeet(context, scene, box, layout);
  context.fillStyle = tokens["--c-bad"];
  for (let i = 0; i < layout.count; i++) {
    if (!(layout.value[i] > box.lane.capUs)) continue;
    const y = box.tall ? skylineTop(box, layout.value[i]) - CAP_PX - 1 : box.top;
    context.fillRect(layout.x[i], Math.max(box.top, y), Math.max(2, layout.width[i] - 0.75), CAP_PX);
  }
}

const released = (gate: number): TokenName => (gate === 1 ? "--p-disk" : gate >= 2 ? "--s-disk" : "--wait");

function gateOf(scene: Scene, spans: LaneSpans, entry: number): number {
  const block = spans.block[entry];
  return block < 0 ? 0 : scene.buffer.blocks!.blocks.gate[block];
}

/** In the skyline a commit that the local log write released has a blue foot; with gates shown the whole bar is coloured. */
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

interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function rectOf(box: LaneBox, layout: Bars, i: number): Rect {
  const track = Math.min(layout.track[i], layout.tracks - 1);
  const height = box.height / layout.tracks;
  const gap = layout.tracks > 1 ? 1 : 0;
  return {
    x: layout.x[i],
    y: box.top + track * height,
    width: layout.width[i],
    height: Math.max(1, height - gap),
  };
}

function paintBlocks(context: Context, scene: Scene, box: LaneBox, layout: Bars): void {
  const spans = scene.buffer.spans.get(box.lane.key)!;
  const slope = box.lane.shape === "slopeOut" || box.lane.shape === "slopeBack";
  for (let i = 0; i < layout.count; i++) {
    if (layout.track[i] === 255 && !slope) continue;
    const chosen = scene.selected >= 0 && spans.block[layout.entry[i]] === scene.selected;
    if (slope) paintSlope(context, scene, box, layout, i, chosen);
    else paintBar(context, scene, box, layout, i, chosen);
  }
  if (box.lane.key.endsWith(".ackReceive")) paintWakeUps(context, scene, box);
  if (layout.hidden > 0 && !slope) {
    context.globalAlpha = 1;
    text(context, scene, `+ ${layout.hidden}`, scene.scale.width - 34, box.top + box.height - 5, "--ink-2");
  }
}

/** Bars of handling stand in their own labelled lane; strong ones dim when something else is selected. */
const barAlpha = (scene: Scene, chosen: boolean, box: LaneBox): number =>
  chosen ? 1 : scene.selected >= 0 ? DIMMED : box.lane.shape === "commits" ? 0.75 : 0.92;

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
  const half = scene.uncertainty[lane.secondary] ?? Number.NaN;
  const fade =
    onSecondaryClock(lane) && half > 0 ? (half / (scene.scale.to - scene.scale.from)) * scene.scale.width : 0;
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
  paintDuration(context, scene, rect, layout.value[i], chosen, lane.colour);
  if (scene.level === 3) paintEventName(context, scene, box, rect);
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

function text(
  context: Context,
  scene: Scene,
  words: string,
  x: number,
  y: number,
  colour: TokenName,
  weight = 500,
): void {
  context.font = `${weight} 11px ${scene.tokens["--font"]}`;
  context.fillStyle = scene.tokens[colour];
  context.fillText(words, x, y);
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
  const strong = chosen && colour !== "--wait";
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

const EVENT_NAMES: Readonly<Record<string, string>> = {
  localFlushStart: "log_flush_start",
  localFlushEnd: "log_flush_complete",
  sendStart: "hadr_capture_log_block",
  sendEnd: "hadr_log_block_send_complete",
  received: "hadr_transport_receive_log_block_message",
  secondaryFlushStart: "log_flush_start",
  secondaryFlushEnd: "log_flush_complete",
  ackSent: "hadr_lsn_send_complete",
  ackReceived: "hadr_receive_harden_lsn_message",
  ackProcessed: "hadr_receive_harden_lsn_message, done",
};

function paintEventName(context: Context, scene: Scene, box: LaneBox, rect: Rect): void {
  const name = EVENT_NAMES[box.lane.from ?? ""];
  if (!name) return;
  context.globalAlpha = 1;
  context.fillStyle = scene.tokens["--ink-2"];
  context.fillRect(Math.round(rect.x), box.top, 1, box.height);
  context.font = `400 9.5px ${scene.tokens["--mono"]}`;
  context.textAlign = "right";
  context.fillText(name, rect.x - 4, box.top + box.height - 4);
  context.textAlign = "left";
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
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
  arrowhead(context, x0, y0, x1, y1, chosen ? 7 : 6);
  if (chosen || x1 - x0 > LABEL_PX * 1.5)
    paintSlopeLabel(context, scene, layout.value[i], (x0 + x1) / 2, (y0 + y1) / 2, falls);
}

function paintSlopeLabel(
  context: Context,
  scene: Scene,
  us: number,
  x: number,
  y: number,
  falls: boolean,
): void {
  context.globalAlpha = 1;
  context.font = `600 11px ${scene.tokens["--font"]}`;
  context.lineWidth = 3;
  context.strokeStyle = scene.tokens["--surface"];
  const at = [Math.min(scene.scale.width - 60, Math.max(4, x + 8)), y + (falls ? 0 : 8)] as const;
  context.strokeText(durationText(us), ...at);
  text(context, scene, durationText(us), ...at, "--n-ink", 600);
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
  if (chosen && x1 - x0 > 190)
    text(
      context,
      scene,
      `ack waited ${durationText(to - from)} for the local write`,
      Math.max(2, x0 + 4),
      box.top + 11,
      "--ink-2",
      400,
    );
}

/** Vertical steps in the gaps between lanes: where each block goes next. */
function paintStairs(context: Context, scene: Scene): void {
  context.strokeStyle = scene.tokens["--line-2"];
  context.lineWidth = 1;
  context.setLineDash([1, 2]);
  context.beginPath();
  const first = scene.boxes.find((b) => b.lane.shape !== "commits");
  const layout = first && scene.layouts.get(first.lane.key);
  if (layout?.kind === "bars") {
    const spans = scene.buffer.spans.get(first!.lane.key)!;
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
    // Another secondary's group starts anew on the primary: there is no step from the one before.
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
function paintSelection(context: Context, scene: Scene): void {
  const { tokens, scale } = scene;
  if (scene.level <= 1) for (const box of scene.boxes) paintChosenBars(context, scene, box);
  context.globalAlpha = 1;
  context.strokeStyle = tokens["--select"];
  context.lineWidth = 1.25;
  context.beginPath();
  stairsOf(context, scene, scene.selected);
  context.stroke();
  if (scene.level >= 2)
    for (const box of scene.boxes)
      if (box.lane.key.endsWith(".secondaryFlush")) paintBracket(context, scene, box);
  const ring = scene.boxes.find((b) => b.lane.key === "localFlush");
  const spans = ring && scene.buffer.spans.get("localFlush");
  if (!ring || !spans || scene.level < 2) return;
  const x0 = xOf(scale, spans.start[scene.selected]);
  const x1 = xOf(scale, spans.end[scene.selected]);
  context.lineWidth = 1.5;
  context.strokeRect(x0 - 1, ring.top - 1, Math.max(2, x1 - x0) + 2, ring.height + 2);
}

/** Bars of the selected block in a lane: from the window, or from its own path when the window is in bins. */
function chosenBars(scene: Scene, { lane }: LaneBox): readonly (readonly [number, number])[] {
  const spans = scene.buffer.spans.get(lane.key);
  if (scene.selected < 0 || !spans) return scene.chosen?.get(lane.key) ?? [];
  if (lane.shape !== "commits") return [[spans.start[scene.selected], spans.end[scene.selected]]];
  return Array.from(spans.block.keys())
    .filter((i) => spans.block[i] === scene.selected)
    .map((i) => [spans.start[i], spans.end[i]] as const);
}

function paintChosenBars(context: Context, scene: Scene, box: LaneBox): void {
  const bottom = box.top + box.height;
  for (const [start, end] of chosenBars(scene, box)) {
    const x = xOf(scene.scale, start);
    const width = Math.max(2, xOf(scene.scale, end) - x);
    if (Number.isNaN(width) || x + width < 0 || x > scene.scale.width) continue;
    const top = skylineTop(box, end - start);
    context.fillStyle = scene.tokens[box.lane.colour];
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
  if (right - left < 4) return;
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
  text(
    context,
    scene,
    `±${durationText(half)}`,
    Math.min(right + 5, scene.scale.width - 52),
    y + (right + 5 > scene.scale.width - 52 ? -5 : 3),
    "--ink-2",
    400,
  );
}
