/**
 * Bars of single blocks: faded by the clock's uncertainty, marked by the releaser of a commit, capped, with their
 * durations.
 */
import { onSecondaryClock, type Lane } from "../../lanes/lanes.ts";
import type { TokenName } from "../../lanes/palette.ts";
import { durationText } from "../../ui/words.ts";
import { isChosen, NO_TRACK, type LanePainting } from "./lane-painting.ts";
import { PATH_COLORS } from "./largest-place.ts";
import { cutOf, paintEdge } from "./paint-patterns.ts";
import { barAlpha, CAP_PX, gateOf, rectOf, released, text, type Rect, type Scene } from "./scene.ts";

/** Least visible part of a bar that shows a figure, px. */
export const LABEL_PX = 60;
/** And a bar so high, px. */
const LABEL_HEIGHT_PX = 14;
/** Least visible fade, px. */
const LEAST_FADE_PX = 1;
/** A commit's bar ends in a mark of its releaser, when it is wider than the mark, px. */
const RELEASE_PX = 4;
const LEAST_RELEASED_PX = 6;
/** Bars wider than this have a narrow space after them, px. */
const WIDE_PX = 3;

/** Fade of a bar's edges to either side, px; 0 on the primary's clock. */
export function fadeOf({ uncertainty, scale }: Pick<Scene, "uncertainty" | "scale">, lane: Lane): number {
  const half = uncertainty[lane.secondary] ?? Number.NaN;
  return onSecondaryClock(lane) && half > 0 ? (half / (scale.to - scale.from)) * scale.width : 0;
}

/** Draws the bars that found a track. */
export function paintBars(lane: LanePainting): void {
  for (let i = 0; i < lane.layout.count; i++) if (lane.layout.track[i] !== NO_TRACK) paintBar(lane, i);
}

function paintBar(lane: LanePainting, i: number): void {
  const { context, scene, box, layout } = lane;
  const rect = rectOf(box, layout, i);
  const fade = fadeOf(scene, box.lane);
  context.globalAlpha = barAlpha(scene, isChosen(lane, i), box);
  if (fade > LEAST_FADE_PX) paintFaded(lane, rect, fade);
  else {
    context.fillStyle = scene.tokens[colorOf(lane, i)];
    context.fillRect(rect.x, rect.y, rect.width > WIDE_PX ? rect.width - 0.5 : rect.width, rect.height);
  }
  if (box.lane.shape === "commits") paintRelease(lane, i, rect);
  if (layout.value[i] > box.lane.capUs) {
    context.globalAlpha = 1;
    context.fillStyle = scene.tokens["--c-bad"];
    context.fillRect(rect.x, rect.y, rect.width, CAP_PX);
  }
  paintEdge(context, scene, box.lane, rect);
}

/** A bar of a complete path has the color of its largest place. */
const colorOf = ({ box, layout, spans }: LanePainting, i: number): TokenName =>
  spans.color ? PATH_COLORS[spans.color[layout.entry[i]]] : box.lane.color;

/** Soft edges over ± the uncertainty; a bar narrower than that becomes a smear, densest at the estimate. */
function paintFaded({ context, scene, box }: LanePainting, rect: Rect, fade: number): void {
  const left = rect.x - fade;
  const width = rect.width + 2 * fade;
  const solid = scene.tokens[box.lane.color];
  const clear = transparent(solid);
  const gradient = context.createLinearGradient(left, 0, left + width, 0);
  const edge = Math.min(0.5, (2 * fade) / width);
  gradient.addColorStop(0, clear);
  gradient.addColorStop(edge, solid);
  gradient.addColorStop(1 - edge, solid);
  gradient.addColorStop(1, clear);
  context.fillStyle = gradient;
  context.fillRect(left, rect.y, width, rect.height);
}

/** A color with full transparency; the system's colors have names instead of figures. */
const transparent = (color: string): string =>
  /^#[0-9a-f]{6}$/iu.test(color) ? `${color}00` : `color-mix(in srgb, ${color} 0%, transparent)`;

/** True for a commit's bar that is painted completely, and never paler, in the strong color of its releaser. */
const hasGateColor = ({ scene, box, layout, spans }: LanePainting, i: number): boolean =>
  scene.gates && box.lane.shape === "commits" && gateOf(scene, spans, layout.entry[i]) !== 0;

function paintRelease({ context, scene, layout, spans }: LanePainting, i: number, rect: Rect): void {
  const gate = gateOf(scene, spans, layout.entry[i]);
  if (gate === 0) return;
  context.globalAlpha = 1;
  context.fillStyle = scene.tokens[released(gate)];
  if (scene.gates) context.fillRect(rect.x, rect.y, rect.width, rect.height);
  else if (rect.width >= LEAST_RELEASED_PX)
    context.fillRect(rect.x + rect.width - RELEASE_PX, rect.y, RELEASE_PX, rect.height);
}

/**
 * Writes the bars' durations where a bar is solid; figures are drawn after all bars and cuts, so that nothing covers
 * them.
 */
export function paintDurations(lane: LanePainting): void {
  const { scene, box, layout } = lane;
  const fade = fadeOf(scene, box.lane);
  for (let i = 0; i < layout.count; i++) {
    if (layout.track[i] === NO_TRACK) continue;
    const { x, y, width, height } = rectOf(box, layout, i);
    paintDuration(lane, i, { x: x + fade, y, width: width - 2 * fade, height });
  }
}

function paintDuration(lane: LanePainting, i: number, rect: Rect): void {
  const { context, scene, box, layout } = lane;
  const left = Math.max(0, rect.x);
  const visible = Math.min(scene.scale.width, rect.x + rect.width) - left;
  if (visible < LABEL_PX || rect.height < LABEL_HEIGHT_PX) return;
  const isStrong = box.lane.color === "--p-disk" || box.lane.color === "--s-disk";
  // Between cuts the ground shows, on which no figure in the ground's color can be read.
  const isCut = !scene.patterns && cutOf(box.lane, false) !== null;
  const onStrong =
    !isCut && (hasGateColor(lane, i) || (isStrong && (isChosen(lane, i) || scene.selected < 0)));
  const words = durationText(layout.value[i]);
  const [x, y] = [left + 6, rect.y + Math.min(rect.height / 2 + 4, 30)];
  context.globalAlpha = 1;
  if (scene.patterns || isCut) {
    context.lineWidth = 4;
    context.strokeStyle = scene.tokens[onStrong ? "--ink" : "--surface"];
    context.font = `600 11px ${scene.tokens["--font"]}`;
    context.strokeText(words, x, y);
  }
  text(context, scene, words, [x, y], { color: onStrong ? "--on-strong" : "--ink", weight: 600 });
}
