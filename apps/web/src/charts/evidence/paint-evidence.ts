/** Draws the lanes "What happened" and the samples into a cleared context whose origin is at the rule. */
import type { TokenName, Tokens } from "../../lanes/palette.ts";
import { clipped, xOf, type TimeScale } from "../time-scale.ts";
import type { Band } from "./happened-lanes.ts";
import { scaleTop, type Step } from "./metric-lanes.ts";
import { cutWord, placeTicks, type PlacedTick, ROW_PX, TICK_PX } from "./place-ticks.ts";
import { type EvidenceBox, type EvidenceStack, isMetric } from "./stack.ts";

export interface EvidenceScene {
  readonly stack: EvidenceStack;
  /** Height above the rule through which the rules of failovers continue, px. */
  readonly above: number;
  readonly scale: TimeScale;
  readonly tokens: Tokens;
  /** x of the axis' ticks, px. */
  readonly ticks: readonly number[];
  /** Times of the causes of failovers and of new primaries, µs. */
  readonly rules: readonly number[];
  /** Index of the selected event; null without one. */
  readonly selected: number | null;
  /** Steps of the lanes of samples, by key. */
  readonly steps: ReadonlyMap<string, readonly Step[]>;
}

type Context = CanvasRenderingContext2D;

/** Places of the ticks that were painted, for the pointer, by lane. */
export type PaintedTicks = ReadonlyMap<EvidenceBox, readonly PlacedTick[]>;

const TONES: Readonly<Record<Band["tone"], readonly [ground: TokenName, ink: TokenName]>> = {
  primary: ["--p-tint", "--p-ink"],
  secondary: ["--s-tint", "--s-ink"],
  quiet: ["--c-good", "--ink"],
  warning: ["--c-reasonable", "--ink"],
  error: ["--c-busy", "--ink"],
};

/** Draws all lanes: grounds and states, the rules through all of them, then ticks and texts over the rules. */
export function paintEvidence(context: Context, scene: EvidenceScene): PaintedTicks {
  const { stack, scale, tokens, rules } = scene;
  context.fillStyle = tokens["--line-2"];
  context.fillRect(0, 0, scale.width, 1);
  const placed = new Map<EvidenceBox, readonly PlacedTick[]>();
  for (const box of stack.boxes) {
    paintGround(context, scene, box);
    const { lane } = box;
    if (isMetric(lane)) paintSteps(context, scene, box, scene.steps.get(lane.key) ?? [], lane.color);
    else if (lane.bands.length > 0) for (const band of lane.bands) paintBand(context, scene, box, band);
    else {
      const ticks = placeTicks(lane.ticks, scale, box.rows, (text, isBold) =>
        widthOf(context, tokens, text, isBold),
      );
      placed.set(box, ticks);
      for (const tick of ticks) paintDuration(context, scene, box, tick);
    }
  }
  paintRules(context, scene, rules);
  // Words of bands and ticks are over the rules, so that no line crosses a letter.
  for (const box of stack.boxes)
    if (!isMetric(box.lane)) for (const band of box.lane.bands) paintWord(context, scene, box, band);
  for (const [box, ticks] of placed) {
    for (const tick of ticks) paintLabelGround(context, scene, box, tick);
    for (const tick of ticks) paintTick(context, scene, box, tick);
  }
  return placed;
}

const LETTERS = (tokens: Tokens, isBold: boolean): string => `${isBold ? 600 : 400} 11px ${tokens["--font"]}`;

function widthOf(context: Context, tokens: Tokens, text: string, isBold = false): number {
  context.font = LETTERS(tokens, isBold);
  return context.measureText(text).width;
}

function paintGround(
  context: Context,
  { scale, tokens, ticks }: EvidenceScene,
  { top, height }: EvidenceBox,
): void {
  context.fillStyle = tokens["--surface"];
  context.fillRect(0, top, scale.width, height);
  context.fillStyle = tokens["--grid"];
  for (const x of ticks) context.fillRect(Math.round(x), top, 1, height);
}

function paintRules(
  context: Context,
  { scale, tokens, stack, above }: EvidenceScene,
  rules: readonly number[],
): void {
  context.fillStyle = tokens["--ink"];
  for (const at of rules)
    if (at >= scale.from && at <= scale.to)
      context.fillRect(Math.round(xOf(scale, at)), -above, 1, stack.height + above);
}

/** The rectangle of a band that is in view, with a line between it and the next one; null where none is. */
function bandRect(
  { scale }: EvidenceScene,
  { from, to }: Band,
): readonly [left: number, width: number] | null {
  const part = clipped(scale, Math.max(from, scale.from), Math.min(to, scale.to));
  return part === null ? null : [part[0], Math.max(1, part[1] - (to < scale.to ? 1 : 0))];
}

function paintBand(context: Context, scene: EvidenceScene, { top, height }: EvidenceBox, band: Band): void {
  const rect = bandRect(scene, band);
  if (rect === null) return;
  context.fillStyle = scene.tokens[TONES[band.tone][0]];
  context.fillRect(rect[0], top, rect[1], height);
  if (band.event !== scene.selected) return;
  context.strokeStyle = scene.tokens["--select"];
  context.lineWidth = 1;
  context.strokeRect(rect[0] + 0.5, top + 0.5, rect[1] - 1, height - 1);
}

const BAND_PAD_PX = 6;

function paintWord(context: Context, scene: EvidenceScene, { top, height }: EvidenceBox, band: Band): void {
  const rect = bandRect(scene, band);
  if (rect === null) return;
  const measure = (text: string): number => widthOf(context, scene.tokens, text);
  const word = cutWord(band.words, rect[1] - 2 * BAND_PAD_PX, measure);
  if (word === "") return;
  const [ground, ink] = TONES[band.tone];
  const left = rect[0] + BAND_PAD_PX;
  context.fillStyle = scene.tokens[ground];
  context.fillRect(left - 1, top + 1, measure(word) + 2, height - 2);
  context.fillStyle = scene.tokens[ink];
  context.fillText(word, left, top + height / 2 + 4);
}

/** Top of a row of ticks. */
const rowTop = ({ top }: EvidenceBox, row: number): number => top + 2 + row * ROW_PX;
const MARK_PX = ROW_PX - 3;
/** Height of a tick under a text, px. */
const FOOT_PX = 3;

/** A pale bar before a tick is a duration; a paler one around it is its uncertainty, from 1 px on. */
function paintDuration(
  context: Context,
  { scale, tokens }: EvidenceScene,
  box: EvidenceBox,
  placed: PlacedTick,
): void {
  const { x, left, plusMinus, row } = placed;
  const top = rowTop(box, row);
  if (left !== null) fillPart(context, scale.width, [left, x], [top, MARK_PX], tokens["--wait-soft"]);
  if (plusMinus >= 1) {
    context.globalAlpha = 0.6;
    fillPart(context, scale.width, [x - plusMinus, x + plusMinus], [top, MARK_PX], tokens["--wait"]);
    context.globalAlpha = 1;
  }
}

function fillPart(
  context: Context,
  width: number,
  [from, to]: readonly [number, number],
  [top, height]: readonly [number, number],
  color: string,
): void {
  const left = Math.max(0, from);
  const right = Math.min(width, to);
  if (right <= left) return;
  context.fillStyle = color;
  context.fillRect(left, top, right - left, height);
}

function paintLabelGround(
  context: Context,
  { tokens }: EvidenceScene,
  box: EvidenceBox,
  { label, row }: PlacedTick,
): void {
  if (label === null) return;
  context.fillStyle = tokens["--surface"];
  context.fillRect(label.x - 2, rowTop(box, row), label.width + 4, MARK_PX);
}

function paintTick(
  context: Context,
  { tokens, selected }: EvidenceScene,
  box: EvidenceBox,
  placed: PlacedTick,
): void {
  const { tick, x, label, row, isUnder } = placed;
  const isSelected = tick.event === selected;
  const isStrong = tick.isMain || isSelected;
  const top = rowTop(box, row);
  context.fillStyle = tokens[isStrong ? "--ink" : "--ink-2"];
  const height = isUnder ? FOOT_PX : MARK_PX;
  context.fillRect(Math.round(x) - 1, top + MARK_PX - height, TICK_PX, height);
  if (isSelected) {
    context.strokeStyle = tokens["--select"];
    context.lineWidth = 1;
    const from = Math.round(Math.min(x - 3, (label?.x ?? x) - 3));
    const to = Math.round(Math.max(x + 4, label === null ? x : label.x + label.width + 3));
    context.strokeRect(from + 0.5, top - 0.5, to - from - 1, MARK_PX + 1);
  }
  if (label === null) return;
  context.font = LETTERS(tokens, tick.isMain);
  context.fillStyle = tokens["--ink"];
  context.fillText(tick.text, label.x, top + 11);
}

/** Each value as wide as its interval; the scale begins at zero and ends at a round number. */
function paintSteps(
  context: Context,
  { scale, tokens }: EvidenceScene,
  { top, height }: EvidenceBox,
  steps: readonly Step[],
  color: TokenName,
): void {
  const shown = steps.filter(({ from, to }) => to > scale.from && from < scale.to);
  const most = scaleTop(Math.max(0, ...shown.map(({ value }) => value)));
  for (const { from, to, value } of shown) {
    const part = clipped(scale, from, to);
    if (part === null) continue;
    const y = Math.round(top + height - (value / most) * (height - 2));
    context.globalAlpha = 0.3;
    context.fillStyle = tokens[color];
    context.fillRect(part[0], y, part[1], top + height - y);
    context.globalAlpha = 1;
    context.fillRect(part[0], y - 1, part[1], 1.5);
  }
}
