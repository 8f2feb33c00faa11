/** Draws a watch's strip (docs/contribute/design.md 4, "Watches"). */
import { placeToken, type Tokens } from "../../lanes/palette.ts";
import { hatch } from "../hatch.ts";
import {
  MARK_HEIGHT,
  MARK_WIDTH,
  MARK_ROOM,
  type PlacedMark,
  placeMarks,
  stripColumns,
  type StripColumn,
  type StripMark,
  type StripPolls,
  type StripScale,
  stripY,
  unpolled,
} from "./strip.ts";

export interface StripPicture {
  /** Null while they are on their way. */
  readonly polls: StripPolls | null;
  readonly marks: readonly StripMark[];
  /** Limit of the commit delay, ms; null without one. */
  readonly limitMs: number | null;
  /** ms since 1970: later times aren't missing. */
  readonly now: number;
  /** The mark with a frame. */
  readonly selected?: string | null;
}

const CAP_HEIGHT = 3;
const LEAST_CAP = 2;

export function paintStrip(
  context: CanvasRenderingContext2D,
  tokens: Tokens,
  scale: StripScale,
  { polls, marks, limitMs, now, selected = null }: StripPicture,
): void {
  const { width, height } = scale;
  context.fillStyle = tokens["--surface"];
  context.fillRect(0, 0, width, height);
  context.fillStyle = tokens["--grid"];
  context.fillRect(0, Math.round(stripY(scale, 10)), width, 1);
  const placed = placeMarks(marks, scale);
  paintStems(context, tokens, placed, height);
  if (polls !== null) {
    const columns = stripColumns(polls, scale, limitMs);
    for (const [left, right] of unpolled(polls, scale, now))
      hatch(context, tokens, [left, MARK_ROOM, right - left, height - MARK_ROOM]);
    paintColumns(context, tokens, columns);
  }
  if (limitMs !== null) paintLimit(context, tokens, width, stripY(scale, limitMs));
  context.fillStyle = tokens["--line-2"];
  context.fillRect(0, height - 1, width, 1);
  paintMarks(context, tokens, placed, selected);
}

/** The usual, strokes to the longest polls with their caps, and over all of it the line of the means. */
function paintColumns(
  context: CanvasRenderingContext2D,
  tokens: Tokens,
  columns: readonly StripColumn[],
): void {
  context.fillStyle = tokens["--wait-soft"];
  for (const { left, right, usual } of columns)
    if (usual !== null) {
      // Whole pixels: with fractions the ground would be visible between columns.
      const x = Math.round(left);
      context.fillRect(x, usual[0], Math.round(right) - x, Math.max(1, usual[1] - usual[0]));
    }
  context.fillStyle = tokens["--wait"];
  for (const { left, right, delay, longest } of columns)
    if (delay !== null && longest !== null && longest < delay)
      context.fillRect((left + right) / 2 - 0.5, longest, 1, delay - longest);
  context.strokeStyle = tokens["--ink-2"];
  context.lineWidth = 1.25;
  context.beginPath();
  let before: StripColumn | null = null;
  for (const column of columns) {
    if (column.delay !== null) {
      if (before === null) context.moveTo(column.left, column.delay);
      else context.lineTo(column.left, column.delay);
      context.lineTo(column.right, column.delay);
    }
    before = column.delay === null ? null : column;
  }
  context.stroke();
  context.fillStyle = tokens["--c-bad"];
  for (const { left, right, longest, isOver } of columns) {
    if (!isOver || longest === null) continue;
    const wide = Math.max(LEAST_CAP, right - left);
    context.fillRect((left + right - wide) / 2, longest - CAP_HEIGHT / 2, wide, CAP_HEIGHT);
  }
}

function paintLimit(context: CanvasRenderingContext2D, tokens: Tokens, width: number, y: number): void {
  context.strokeStyle = tokens["--ink-2"];
  context.lineWidth = 1;
  context.setLineDash([4, 3]);
  context.beginPath();
  context.moveTo(0, Math.round(y) + 0.5);
  context.lineTo(width, Math.round(y) + 0.5);
  context.stroke();
  context.setLineDash([]);
}

const colorOf = (tokens: Tokens, { kind, place }: StripMark): string =>
  kind === "recorded"
    ? tokens[placeToken(place)]
    : kind === "recording"
      ? tokens["--c-bad"]
      : tokens["--wait"];

function paintStems(
  context: CanvasRenderingContext2D,
  tokens: Tokens,
  marks: readonly PlacedMark[],
  height: number,
): void {
  for (const mark of marks) {
    context.fillStyle = colorOf(tokens, mark);
    const stem = Math.round(mark.stem - 0.5);
    context.fillRect(stem, MARK_HEIGHT, 1, height - MARK_HEIGHT);
    // To a box that has moved.
    const by = mark.stem - mark.x;
    if (by > MARK_WIDTH / 2) context.fillRect(mark.x, MARK_HEIGHT, by, 1);
  }
}

function paintMarks(
  context: CanvasRenderingContext2D,
  tokens: Tokens,
  marks: readonly PlacedMark[],
  selected: string | null,
): void {
  const half = MARK_WIDTH / 2;
  for (const mark of marks) {
    const left = mark.x - half;
    context.fillStyle = colorOf(tokens, mark);
    context.lineWidth = 1;
    if (mark.kind === "recorded") context.fillRect(left, 0, MARK_WIDTH, MARK_HEIGHT);
    else if (mark.kind === "recording") {
      context.beginPath();
      context.arc(mark.x, MARK_HEIGHT / 2, half, 0, 2 * Math.PI);
      context.fill();
    } else {
      context.fillStyle = tokens["--surface"];
      context.fillRect(left, 0, MARK_WIDTH, MARK_HEIGHT);
      context.strokeStyle = tokens["--ink-3"];
      context.setLineDash([2, 1.5]);
      context.strokeRect(left + 0.5, 0.5, MARK_WIDTH - 1, MARK_HEIGHT - 1);
      context.setLineDash([]);
    }
    if (mark.id !== selected) continue;
    context.strokeStyle = tokens["--select"];
    context.strokeRect(left - 1.5, 0.5, MARK_WIDTH + 3, MARK_HEIGHT + 1);
  }
}
