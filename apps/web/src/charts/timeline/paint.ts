/** Draws laid-out lanes into a canvas. layout.ts decides the content. */
import type { Tokens } from "../../lanes/palette.ts";
import type { LaneBox } from "./heights.ts";
import { isWayTo, type Lane, needsFileOf } from "../../lanes/lanes.ts";
import { definitionOf } from "../../messages/terms.ts";
import { logHeight } from "../duration-scale.ts";
import { LOST_MARK_PX, paintLost } from "../lost-marks.ts";
import { hatch, type UnknownTime } from "../hatch.ts";
import { xOf } from "../time-scale.ts";
import { lostPlaces } from "./lost-places.ts";
import { paintBlocks } from "./paint-blocks.ts";
import { paintHeat } from "./paint-heat.ts";
import { paintHitLine, paintWithHits, withoutCaps } from "./paint-hits.ts";
import { asBackground, isOther, paintIsolation } from "./paint-isolation.ts";
import { paintChosenBars, paintFocus, paintKept, paintSelection, paintStairs } from "./paint-selection.ts";
import { paintSkyline } from "./paint-skyline.ts";
import type { Context, Scene } from "./scene.ts";

/** Draws all lanes; the context is in CSS pixels with its origin at the lanes' top left corner. */
export function paintLanes(context: Context, scene: Scene): void {
  paintGrounds(context, scene);
  if (scene.level >= 2 && scene.hits === null) paintStairs(context, scene);
  if (scene.hits !== null) paintWithHits(context, scene, scene.hits, paintLane);
  else for (const box of scene.boxes) paintAlone(context, scene, box);
  // Over the bars of blocks that did arrive, so that it is the same at every level.
  for (const box of scene.boxes) paintUnderWay(context, scene, box);
  for (const { lane, top, height } of scene.lost.length > 0 ? scene.boxes : []) {
    const places = lostPlaces(scene.lost, lane, scene.buffer);
    paintLost(context, scene.tokens, scene.scale, places, top + height - LOST_MARK_PX);
  }
  if (scene.isolated.length > 0) paintIsolation(context, scene);
  paintKept(context, scene);
  if (scene.selected >= 0) paintSelection(context, scene);
  else if (scene.chosen) for (const box of scene.boxes) paintChosenBars(context, scene, box);
  if (scene.selected >= 0 && scene.hits !== null) paintHitLine(context, scene);
  const ring = scene.focus ?? ringOfHit(scene);
  if (ring || scene.slot) paintFocus(context, { ...scene, focus: ring });
  paintSwitches(context, scene);
}

/**
 * Two lines through all lanes at each change of roles: at the end of the last commit before it, and of the first one
 * after it.
 */
function paintSwitches(context: Context, { switches, scale, boxes, tokens }: Scene): void {
  const last = boxes.at(-1);
  if (last === undefined) return;
  context.globalAlpha = 1;
  context.fillStyle = tokens["--ink"];
  for (const at of switches.flat())
    if (at >= scale.from && at <= scale.to)
      context.fillRect(Math.round(xOf(scale, at)), 0, 1, last.top + last.height);
}

function paintAlone(context: Context, scene: Scene, box: LaneBox): void {
  if (isOther(scene, box)) paintLane(context, asBackground(scene), withoutCaps(box));
  else paintLane(context, scene, box);
}

/** The selected hit has a ring in the lane that the filter is about. */
function ringOfHit({ selected, hits }: Scene): Scene["focus"] {
  const key = hits?.threshold?.lanes[0];
  return selected < 0 || key === undefined || key === "commit" ? null : { key, block: selected };
}

function paintLane(context: Context, scene: Scene, box: LaneBox): void {
  const layout = scene.layouts.get(box.lane.key);
  if (!layout) return;
  context.save();
  context.beginPath();
  context.rect(0, box.top - (box.lane.place === "secondary" ? 6 : 0), scene.scale.width, box.height + 6);
  context.clip();
  if (layout.kind === "heat") paintHeat(context, scene, box, layout);
  else if (scene.level === 1) paintSkyline(context, scene, box, layout);
  else paintBlocks(context, scene, box, layout);
  context.restore();
}

/** Members of a scene that are drawn under the lanes before any block is known. */
export type Grounds = Pick<
  Scene,
  "boxes" | "tokens" | "scale" | "ticks" | "uncovered" | "underWay" | "switches" | "idle" | "level"
>;

/** Draws the empty lanes: ground, grid, and time without events of a server. */
export function paintGrounds(context: Context, scene: Grounds): void {
  for (const box of scene.boxes) {
    paintGround(context, scene, box);
    paintUnderWay(context, scene, box);
  }
}

function paintGround(context: Context, scene: Grounds, box: LaneBox): void {
  const { tokens, scale } = scene;
  context.fillStyle = tokens[scene.idle ? "--idle" : "--surface"];
  context.fillRect(0, box.top, scale.width, box.height);
  for (const [from, to] of scene.switches) {
    const [left, right] = [Math.max(0, xOf(scale, from)), Math.min(scale.width, xOf(scale, to))];
    if (right > left) {
      context.fillStyle = tokens["--idle"];
      context.fillRect(left, box.top, right - left, box.height);
    }
  }
  context.fillStyle = tokens["--grid"];
  for (const x of scene.ticks) context.fillRect(Math.round(x), box.top, 1, box.height);
  for (const [from, to, role, , state = "notRecorded"] of scene.uncovered)
    if (needsFileOf(box.lane, role)) paintUnknown(context, scene, box, [from, to], state);
  if (box.tall && scene.level <= 1)
    for (const us of [1_000, 10_000, 100_000])
      context.fillRect(0, Math.round(box.top + box.height - logHeight(us) * box.height), scale.width, 1);
}

/** The lanes that name the state of a gap; the lanes next to them have the same pattern. */
const NAMING: ReadonlySet<Lane["figure"]> = new Set([
  "localFlush",
  "secondaryFlush",
  "remoteHarden",
  "unseen",
]);

function paintUnknown(
  context: Context,
  { tokens, scale }: Grounds,
  { lane, tall, top, height }: LaneBox,
  [from, to]: readonly [number, number],
  state: UnknownTime,
): void {
  const left = Math.max(0, xOf(scale, from));
  const width = Math.min(scale.width, xOf(scale, to)) - left;
  if (width <= 0) return;
  hatch(context, tokens, [left, top, width, height], state);
  if (tall && width >= NAME_PX && NAMING.has(lane.figure))
    paintName(context, tokens, definitionOf(state).name, [left, top + BAND_PX]);
  context.fillStyle = tokens["--grid"];
}

/** A name on its own ground, so that no line crosses it. */
function paintName(
  context: Context,
  tokens: Tokens,
  name: string,
  [left, bottom]: readonly [left: number, bottom: number],
): void {
  context.fillStyle = tokens["--surface"];
  context.fillRect(left, bottom - BAND_PX, NAME_PX, BAND_PX);
  context.font = `500 11px ${tokens["--font"]}`;
  context.fillStyle = tokens["--ink-2"];
  context.fillText(name, left + 4, bottom - 4);
}

/** Height of the band of blocks under way, and width of a name, px. */
const BAND_PX = 15;
const NAME_PX = 104;

/** A band at the foot of the way to a replica: blocks are on it, and no event shows where they end. */
function paintUnderWay(
  context: Context,
  { tokens, scale, underWay }: Pick<Grounds, "tokens" | "scale" | "underWay">,
  { lane, top, height }: LaneBox,
): void {
  const band = Math.min(BAND_PX, height);
  const bottom = top + height;
  for (const [from, to, role] of underWay) {
    const left = Math.max(0, xOf(scale, from));
    const width = Math.min(scale.width, xOf(scale, to)) - left;
    if (!isWayTo(lane, role) || width <= 0) continue;
    context.globalAlpha = 1;
    context.fillStyle = tokens["--surface"];
    context.fillRect(left, bottom - band, width, band);
    hatch(context, tokens, [left, bottom - band, width, band], "notArrived", lane.color);
    if (band === BAND_PX && width >= NAME_PX)
      paintName(context, tokens, definitionOf("notArrived").name, [left, bottom]);
  }
}
