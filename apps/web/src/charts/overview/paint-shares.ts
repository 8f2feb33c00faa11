/** A column of 100 % per bin: which part of remote harden each place took. */
import type { Overview } from "@aglens/contract";
import type { Place, StageToken, Tokens } from "../../lanes/palette.ts";
import { PlacedBars } from "../place-patterns.ts";
import { clipped } from "../time-scale.ts";
import { paintGround, type Ground, type Sheet } from "./ground.ts";
import { isCovered, SHARE_ORDER, shareColumns, type SharePart } from "./shares.ts";

type Context = CanvasRenderingContext2D;

const PLACES: Readonly<Partial<Record<StageToken, Place>>> = {
  "--s-disk": "secondary",
  "--s-work": "secondary",
  "--n-out": "network",
  "--n-back": "network",
};

/** Wider columns have a hair of space between them. */
const WIDE_PX = 6;

/** Draws the chart. */
export function paintShares(sheet: Sheet, overview: Overview, ground: Ground): void {
  const { context, tokens, scale, height } = sheet;
  paintGround(sheet, ground, false);
  const bars = new PlacedBars();
  for (const [bin, parts] of shareColumns(overview.stageSums, overview.blocks.length).entries()) {
    const start = overview.from + bin * overview.binUs;
    const box = clipped(scale, start, start + overview.binUs);
    if (parts && box && isCovered(overview, bin)) paintColumn(sheet, box, parts, bars);
  }
  bars.cut(context, tokens, scale.width, height);
  // A bin that is partly idle would otherwise cover part of the idle period.
  context.fillStyle = tokens["--idle"];
  for (const [from, to] of ground.idle) {
    const box = clipped(scale, from, to);
    if (box) context.fillRect(box[0], 0, box[1], height);
  }
  paintHalf(context, tokens, scale.width, height / 2);
}

function paintColumn(
  { context, tokens, height }: Sheet,
  [left, wide]: readonly [number, number],
  parts: readonly SharePart[],
  bars: PlacedBars,
): void {
  const width = Math.max(1, wide - (wide > WIDE_PX ? 0.5 : 0));
  for (const [i, [from, to]] of parts.entries()) {
    const box = [left, height * (1 - to), width, height * (to - from)] as const;
    context.fillStyle = tokens[SHARE_ORDER[i]];
    context.fillRect(...box);
    bars.add(PLACES[SHARE_ORDER[i]] ?? "primary", ...box);
  }
}

/** The line at 50 %. */
function paintHalf(context: Context, tokens: Tokens, width: number, y: number): void {
  context.strokeStyle = tokens["--surface"];
  context.globalAlpha = 0.7;
  context.setLineDash([2, 3]);
  context.beginPath();
  context.moveTo(0, y);
  context.lineTo(width, y);
  context.stroke();
}
