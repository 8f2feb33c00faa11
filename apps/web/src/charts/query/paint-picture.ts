/** Draws the picture of a query's rows, a panel under the other. */
import { scaleLinear } from "d3-scale";
import { filetimeOfUnixUs } from "xel-parser/format";
import type { Tokens } from "../../lanes/palette.ts";
import { chartsTexts as texts } from "../../messages/charts.ts";
import { durationText, formatBytes, formatCount, formatPercent } from "../../ui/words.ts";
import { durationLabel, durationTicks, type Tick, timeAxis } from "../axis.ts";
import { UTC } from "../../ui/zone.ts";
import { durationDomain } from "../duration-scale.ts";
import { type Picture, valueAt } from "./picture.ts";

export const PANEL_PX = { left: 54, right: 12, title: 22, axis: 24, gap: 10 } as const;

/** Colors of a panel's marks: strong for lines, soft for bars. */
export interface PanelColors {
  readonly strong: string;
  readonly soft: string;
  /** Color of each column of y, where columns are drawn one by one. */
  readonly columns: readonly string[];
}

export interface PictureLook {
  /** Colors of each panel, in the order of the panels. */
  readonly colors: readonly PanelColors[];
  /** Row that is framed; null without a selection. */
  readonly selected: number | null;
}

/** Position of a panel in a picture of that height, px from its top. */
export function panelBox(
  picture: Picture,
  height: number,
  panel: number,
): { readonly top: number; readonly height: number } {
  const { length } = picture.panels;
  const all = height - PANEL_PX.axis - (length - 1) * PANEL_PX.gap;
  const each = all / length;
  return { top: panel * (each + PANEL_PX.gap) + PANEL_PX.title, height: each - PANEL_PX.title };
}

interface Scale {
  readonly from: number;
  readonly to: number;
  readonly y: (value: number) => number;
  readonly ticks: readonly Tick[];
  /** Bottom of the plot, px from the top of the picture. */
  readonly foot: number;
}

/** px of a place on x. */
export const placeX = (picture: Picture, width: number, at: number): number =>
  PANEL_PX.left +
  ((at - picture.from) / (picture.to - picture.from)) * (width - PANEL_PX.left - PANEL_PX.right);

/** The row whose mark is nearest to a point; null outside of the panels. */
export function rowAt(picture: Picture, width: number, height: number, x: number, y: number): number | null {
  const panel = picture.panels.findIndex((_, i) => {
    const box = panelBox(picture, height, i);
    return y >= box.top - PANEL_PX.title && y <= box.top + box.height;
  });
  let nearest: number | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const row of picture.panels[panel]?.rows ?? []) {
    const away = Math.abs(middleX(picture, width, row) - x);
    if (away < least) [least, nearest] = [away, row];
  }
  return nearest;
}

/** px of the middle of a row's mark: of its bucket, or of its single place. */
const middleX = (picture: Picture, width: number, row: number): number =>
  placeX(picture, width, (picture.at[row] ?? Number.NaN) + picture.step / 2);

/** Whether a mark is as wide as its bucket. */
const hasWidth = ({ kind }: Picture): boolean => kind === "spread" || kind === "bars";

export function paintPicture(
  context: CanvasRenderingContext2D,
  tokens: Tokens,
  { width, height }: { readonly width: number; readonly height: number },
  picture: Picture,
  { colors, selected }: PictureLook,
): void {
  const pen = { context, tokens, width, picture };
  const values = picture.y.flatMap((column) =>
    column.values.filter((value): value is number => typeof value === "number"),
  );
  for (const [i, panel] of picture.panels.entries()) {
    const box = panelBox(picture, height, i);
    const scale = yScale(picture, values, box.top, box.height);
    paintTitle(pen, box.top, panel);
    paintGrid(pen, scale);
    if (picture.limitUs !== null) paintLimit(pen, scale, picture.limitUs);
    const own = colors[i] ?? { strong: tokens["--ink-2"], soft: tokens["--line-2"], columns: [] };
    PAINT[picture.kind](pen, panel.rows, scale, own);
    if (selected !== null && panel.rows.includes(selected)) paintFrame(pen, selected, box);
  }
  paintTimes(pen, height);
}

/** One scale for all panels: they are compared. */
function yScale(picture: Picture, values: readonly number[], top: number, height: number): Scale {
  if (picture.isLogarithmic) {
    const [from, to] = durationDomain(values);
    const y = (value: number): number =>
      top + height * (1 - Math.log(Math.max(value, from) / from) / Math.log(to / from));
    return { from, to, y, ticks: durationTicks(from, to), foot: top + height };
  }
  const [low, high] = [Math.min(0, ...ends(values)), Math.max(...ends(values), 0)];
  const linear = scaleLinear()
    .domain([low, high === low ? low + 1 : high])
    .nice(4);
  const [from = 0, to = 1] = linear.domain();
  const y = linear.range([top + height, top]);
  const ticks = linear.ticks(4).map((at) => ({ at, label: valueLabel(at, picture.unit) }));
  return { from, to, y, ticks, foot: top + height };
}

/** Least and most; a list may be too long for the arguments of a call. */
function ends(values: readonly number[]): [number, number] {
  return values.reduce<[number, number]>(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [values[0] ?? 0, values[0] ?? 0],
  );
}

/** A figure of an axis. */
export function valueLabel(value: number, unit: string | null): string {
  if (unit === "µs") return value === 0 ? "0" : durationText(value);
  if (unit === "ms") return value === 0 ? "0" : durationText(value * 1000);
  if (unit === "bytes") return formatBytes(value);
  if (unit === "share") return formatPercent(value);
  const figure = Number.isInteger(value) ? formatCount(value) : String(Number(value.toPrecision(3)));
  return unit === null ? figure : `${figure} ${unit}`;
}

function paintTitle(
  { context, tokens, width }: Pen,
  top: number,
  { label, rows }: Picture["panels"][number],
): void {
  context.font = `600 12px ${tokens["--font"]}`;
  context.fillStyle = tokens["--ink"];
  context.textAlign = "left";
  context.fillText(label, 0, top - 10);
  context.font = `400 11px ${tokens["--font"]}`;
  context.fillStyle = tokens["--ink-3"];
  context.textAlign = "right";
  context.fillText(texts.row(rows.length), width - PANEL_PX.right, top - 10);
  context.textAlign = "left";
}

function paintGrid({ context, tokens, width }: Pen, scale: Scale): void {
  context.font = `400 10.5px ${tokens["--font"]}`;
  context.textAlign = "right";
  for (const { at, label } of scale.ticks) {
    if (label === "") continue;
    const y = Math.round(scale.y(at));
    context.fillStyle = tokens["--grid"];
    context.fillRect(PANEL_PX.left, y, width - PANEL_PX.left - PANEL_PX.right, 1);
    context.fillStyle = tokens["--ink-3"];
    context.fillText(label, PANEL_PX.left - 6, y + 3.5);
  }
  context.textAlign = "left";
  context.fillStyle = tokens["--line-2"];
  context.fillRect(PANEL_PX.left, Math.round(scale.foot), width - PANEL_PX.left - PANEL_PX.right, 1);
}

/** Draws the limit that the query counts by, where it is inside the scale. */
function paintLimit({ context, tokens, width }: Pen, { y, from, to }: Scale, limitUs: number): void {
  if (limitUs <= from || limitUs >= to) return;
  const at = Math.round(y(limitUs)) + 0.5;
  context.strokeStyle = tokens["--bad-ink"];
  context.setLineDash([2, 3]);
  context.beginPath();
  context.moveTo(PANEL_PX.left, at);
  context.lineTo(width - PANEL_PX.right, at);
  context.stroke();
  context.setLineDash([]);
  context.fillStyle = tokens["--bad-ink"];
  context.textAlign = "right";
  context.fillText(texts.over(durationLabel(limitUs)), width - PANEL_PX.right - 2, at - 4);
  context.textAlign = "left";
}

/** Tools and data of one drawing; the width is in px. */
interface Pen {
  readonly context: CanvasRenderingContext2D;
  readonly tokens: Tokens;
  readonly width: number;
  readonly picture: Picture;
}

type Paint = (pen: Pen, rows: readonly number[], scale: Scale, colors: PanelColors) => void;

const PAINT: Readonly<Record<Picture["kind"], Paint>> = {
  spread: paintSpread,
  lines: paintLines,
  dots: paintDots,
  bars: paintBars,
};

/** A mark of a single place, px. */
const SINGLE_PX = 9;

/** Left edge and width of a row's mark, px. */
function bucket(picture: Picture, width: number, row: number): readonly [number, number] {
  const at = picture.at[row] ?? Number.NaN;
  const left = placeX(picture, width, at);
  if (!picture.hasBuckets) return [left - SINGLE_PX / 2, SINGLE_PX];
  const wide = placeX(picture, width, at + picture.step) - left;
  // A gap between neighbors, where there is room for it.
  const gap = wide > 6 ? 2 : wide > 3 ? 1 : 0;
  return [left, Math.max(1.5, wide - gap)];
}

function paintSpread(
  { context, width, picture }: Pen,
  rows: readonly number[],
  { y }: Scale,
  { strong, soft }: PanelColors,
): void {
  const column = (name: string) => picture.y.find((each) => each.name === name);
  const [p50, p95, p99, most] = [column("p50"), column("p95"), column("p99"), column("max")];
  for (const row of rows) {
    const [left, wide] = bucket(picture, width, row);
    const [low, high, higher, top] = [p50, p95, p99, most].map((each) => valueAt(each, row));
    if (low === undefined || Number.isNaN(low)) continue;
    context.fillStyle = soft;
    if (high !== undefined && high >= low)
      context.fillRect(left, y(high), wide, Math.max(1, y(low) - y(high)));
    context.fillStyle = strong;
    context.fillRect(left, y(low) - 1, wide, 2);
    if (higher !== undefined && higher > (high ?? low))
      context.fillRect(left + wide / 2 - 0.5, y(higher), 1, y(high ?? low) - y(higher));
    if (top !== undefined && !Number.isNaN(top)) dot(context, left + wide / 2, y(top), 2);
  }
}

/** Strokes of the columns of one panel; the first is solid. */
const DASHES = [[], [5, 3], [2, 3], [8, 3, 2, 3]];

function paintLines(
  { context, width, picture }: Pen,
  rows: readonly number[],
  { y }: Scale,
  { columns, strong }: PanelColors,
): void {
  context.lineWidth = 1.5;
  const ordered = [...rows].sort((a, b) => (picture.at[a] ?? 0) - (picture.at[b] ?? 0));
  for (const [i, column] of picture.y.entries()) {
    context.strokeStyle = context.fillStyle = columns[i] ?? strong;
    context.setLineDash(DASHES[i % DASHES.length] ?? []);
    context.beginPath();
    let before = Number.NaN;
    for (const row of ordered) {
      const at = picture.at[row] ?? Number.NaN;
      const [x, value] = [middleX(picture, width, row), valueAt(column, row)];
      // A bucket without a row interrupts the line.
      const goesOn = at - before < 1.5 * picture.step;
      before = Number.isNaN(value) ? Number.NaN : at;
      if (Number.isNaN(value)) continue;
      if (goesOn) context.lineTo(x, y(value));
      else context.moveTo(x, y(value));
    }
    context.stroke();
    context.setLineDash([]);
    if (ordered.length > width / 6) continue;
    for (const row of ordered) {
      MARKS[0]?.(context, middleX(picture, width, row), y(valueAt(column, row)));
    }
  }
  context.lineWidth = 1;
}

function paintDots(
  { context, width, picture }: Pen,
  rows: readonly number[],
  { y }: Scale,
  { columns, strong }: PanelColors,
): void {
  for (const [i, column] of picture.y.entries()) {
    context.fillStyle = context.strokeStyle = columns[i] ?? strong;
    const mark = MARKS[i % MARKS.length];
    for (const row of rows) {
      mark?.(context, middleX(picture, width, row), y(valueAt(column, row)));
    }
  }
}

type Mark = (context: CanvasRenderingContext2D, x: number, y: number) => void;

const isOn = (x: number, y: number): boolean => !Number.isNaN(x) && !Number.isNaN(y);

/** Dot, box, strokes: shapes that can be distinguished without a color. */
const MARKS: readonly Mark[] = [
  (context, x, y) => {
    if (isOn(x, y)) dot(context, x, y, 2);
  },
  (context, x, y) => {
    if (isOn(x, y)) context.strokeRect(x - 2, y - 2, 4, 4);
  },
  (context, x, y) => {
    if (isOn(x, y)) context.fillRect(x - 1, y - 3, 2, 6);
  },
  (context, x, y) => {
    if (isOn(x, y)) context.fillRect(x - 3, y - 1, 6, 2);
  },
];
const MARK_WORDS = ["dot", "box", texts.uprightStroke, texts.levelStroke];

function paintBars(
  { context, width, picture }: Pen,
  rows: readonly number[],
  scale: Scale,
  { strong, columns }: PanelColors,
): void {
  for (const row of rows) {
    const [left, wide] = bucket(picture, width, row);
    const each = wide / picture.y.length;
    for (const [i, column] of picture.y.entries()) {
      const value = valueAt(column, row);
      if (Number.isNaN(value)) continue;
      context.fillStyle = columns[i] ?? strong;
      const top = scale.y(value);
      const foot = scale.y(Math.max(scale.from, 0));
      context.fillRect(
        left + i * each,
        Math.min(top, foot),
        Math.max(1, each - 1),
        Math.max(1, Math.abs(foot - top)),
      );
    }
  }
}

function dot(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

function paintFrame(
  { context, tokens, width, picture }: Pen,
  row: number,
  { top, height }: { readonly top: number; readonly height: number },
): void {
  const [left, wide] = hasWidth(picture)
    ? bucket(picture, width, row)
    : [middleX(picture, width, row) - 4, 8];
  if (Number.isNaN(left)) return;
  context.strokeStyle = tokens["--ink"];
  context.lineWidth = 1.5;
  context.strokeRect(left - 2, top, wide + 4, height);
  context.lineWidth = 1;
}

/** Under the lowest panel: the clock, numbers, or words. */
function paintTimes({ context, tokens, width, picture }: Pen, height: number): void {
  context.font = `400 10.5px ${tokens["--font"]}`;
  context.fillStyle = tokens["--ink-3"];
  context.textAlign = "center";
  for (const { at, label } of xTicks(picture, width)) {
    const x = placeX(picture, width, at);
    const half = (label.length * 6) / 2;
    if (x - half < 0 || x + half > width) continue;
    context.fillText(label, x, height - 4);
  }
  context.textAlign = "left";
}

/** Least width of a label, px. */
const LABEL_PX = 76;

function xTicks({ x, from, to, words }: Picture, width: number): Tick[] {
  const most = Math.max(2, Math.floor((width - PANEL_PX.left) / LABEL_PX));
  if (x.kind === "text") {
    const every = Math.ceil(words.length / most);
    const letters = Math.max(4, Math.floor((width - PANEL_PX.left) / Math.min(words.length, most) / 6.2));
    return words.flatMap((word, i) =>
      i % every === 0
        ? [{ at: i + 0.5, label: word.length > letters ? `${word.slice(0, letters - 1)}…` : word }]
        : [],
    );
  }
  if (x.kind === "time") {
    const originTicks = String(filetimeOfUnixUs(BigInt(Math.round(from))));
    const axis = timeAxis(0, to - from, { originTicks, durationUs: to - from, zone: UTC }, most);
    return axis.ticks.map(({ at, label }) => ({ at: from + at, label }));
  }
  return scaleLinear()
    .domain([from, to])
    .ticks(most)
    .map((at) => ({ at, label: valueLabel(at, x.unit) }));
}

/** Meaning of the marks, in one line. */
export function pictureText({ kind, y, isLogarithmic }: Picture): string {
  const names = y.map(({ name }) => name);
  const scale = isLogarithmic ? texts.logAxisOneScale : texts.oneScaleForAll;
  if (kind === "spread") {
    const rest = [names.includes("p99") ? texts.strokeToP99 : "", names.includes("max") ? texts.dotMax : ""];
    return texts.lineP50Bar(rest.join(""), scale);
  }
  if (kind === "bars") return `${names.join(", then ")}. ${scale}`;
  const marks = kind === "lines" ? ["whole", "dashed", "dotted", texts.dashAndDot] : MARK_WORDS;
  const words = names.length === 1 ? names[0] : names.map((name, i) => `${name} ${marks[i % 4]}`).join(", ");
  return `${words}. ${scale}`;
}
