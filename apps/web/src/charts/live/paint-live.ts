/** Draws a running picture: lanes that fill towards a fixed "now" line, gauges below them, and the axis above. */
import { hatch, type UnknownTime } from "../hatch.ts";
import type { Tokens, TokenName } from "../../lanes/palette.ts";
import type { LaneBox } from "../timeline/heights.ts";
import { logHeight } from "../duration-scale.ts";
import { paintHeat } from "../timeline/paint-heat.ts";
import { pixelColumns } from "./bin-columns.ts";
import { edges, type LiveView, nowX, usPerPx, xAt } from "./live-scale.ts";
import { type HappenedBox, paintHappened } from "./paint-happened.ts";

type Context = CanvasRenderingContext2D;

const remarkFont = (tokens: Tokens): string => `400 11px ${tokens["--font"]}`;
/** Between the words in a gap and its edges, px. */
const GAP_PADDING = 8;
const LINE_PX = 14;
/** A row of words in a lane, px. */
const WORDS_PX = 16;
/** The end of a lane counts as out of view when it is later than the view by this much, µs: "now" varies a little. */
const BEYOND_VIEW_US = 1_000_000;
/** A missing end that is shorter than this is due to the picture's own delay and gets no hatch, µs. */
const LEAST_HATCH_US = 200_000;
/** Two polls whose ends are this near follow each other, µs. */
const JOINED_US = 500_000;

export interface LaneBins {
  readonly width: number;
  readonly firstBin: number;
  readonly length: number;
  readonly p50: ReadonlyMap<string, Float64Array>;
  readonly max: ReadonlyMap<string, Float64Array>;
}

export interface GaugeBox {
  readonly top: number;
  readonly height: number;
  readonly color: TokenName;
  readonly steps: readonly { readonly from: number; readonly to: number; readonly value: number }[];
  /** Time in which no poll was answered: from, to. */
  readonly missed: readonly (readonly [number, number])[];
  /** Value at the box's upper edge. */
  readonly scale: number;
}

/** A period of a lane without known data. */
export interface GapInLane {
  readonly from: number;
  readonly to: number;
  readonly state: UnknownTime;
  /** Lines of text that a tall lane shows in the gap where there is room; empty in a lane without text. */
  readonly lines: readonly string[];
}

interface Plate {
  readonly at: number;
  readonly before: string;
  readonly after: string;
}

export interface LiveScene {
  readonly view: LiveView;
  readonly tokens: Tokens;
  readonly patterns: boolean;
  readonly boxes: readonly LaneBox[];
  /** Height of all lanes and gauges, px. */
  readonly height: number;
  readonly bins: LaneBins | null;
  readonly gauges: readonly GaugeBox[];
  /** Lanes of the servers' events; null without any. */
  readonly happened: HappenedBox | null;
  /** Time up to which a lane is known, by key, µs. */
  readonly ends: ReadonlyMap<string, number>;
  /** Said in a lane before its hatched end. */
  readonly remarks: ReadonlyMap<string, string>;
  /** Names of a lane before and after an instant at which the roles changed. */
  readonly plates: ReadonlyMap<string, readonly Plate[]>;
  readonly gaps: ReadonlyMap<string, readonly GapInLane[]>;
  /** Dotted for a mark of a rule, solid for a mark of a person. */
  readonly marks: readonly { readonly at: number; readonly label: string; readonly byRule: boolean }[];
  readonly ticks: readonly { readonly at: number; readonly label: string }[];
  /** True while the view is paused: the present is outside of the view. */
  readonly held: boolean;
}

/** The lanes' bars, drawn once per picture on a grid of pixels that is fixed in time, so that moving them costs one copy. */
export interface Track {
  readonly canvas: HTMLCanvasElement;
  readonly firstColumn: number;
  readonly columns: number;
}

/** Draws the bars from `from` on into a separate canvas. */
export function paintTrack(
  canvas: HTMLCanvasElement,
  scene: LiveScene,
  from: number,
  columns: number,
  ratio: number,
): Track {
  const step = usPerPx(scene.view);
  const firstColumn = Math.floor(from / step);
  canvas.width = Math.ceil(columns * ratio);
  canvas.height = Math.ceil(scene.height * ratio);
  const context = canvas.getContext("2d")!;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const heatScene = {
    selected: -1,
    chosen: null,
    tokens: scene.tokens,
    patterns: scene.patterns,
    scale: { width: columns },
  };
  if (scene.bins === null) return { canvas, firstColumn, columns };
  for (const box of scene.boxes) {
    const { key } = box.lane;
    const values = { p50: scene.bins.p50.get(key), max: scene.bins.max.get(key) };
    const heat = pixelColumns(scene.bins, values, firstColumn, columns, step);
    context.save();
    context.beginPath();
    context.rect(0, box.top, columns, box.height);
    context.clip();
    paintHeat(context, heatScene, box, heat);
    context.restore();
  }
  return { canvas, firstColumn, columns };
}

/** True when the track shows all of the view. */
export function covers(track: Track, view: LiveView): boolean {
  const [from, to] = edges(view);
  const step = usPerPx(view);
  return (
    track.firstColumn * step <= from && (track.firstColumn + track.columns) * step >= Math.min(to, view.now)
  );
}

/** One frame of lanes and gauges; the context is cleared and in CSS pixels. */
export function paintLive(context: Context, scene: LiveScene, track: Track | null, ratio: number): void {
  const { view, tokens } = scene;
  const now = nowX(view);
  for (const box of scene.boxes) paintLaneGround(context, scene, box);
  for (const gauge of scene.gauges) ground(context, scene, gauge);
  if (track !== null) {
    // On whole device pixels: half a pixel would blur every stroke.
    const x = Math.round(xAt(view, track.firstColumn * usPerPx(view)) * ratio) / ratio;
    context.save();
    context.beginPath();
    context.rect(0, 0, now, scene.height);
    context.clip();
    context.drawImage(track.canvas, x, 0, track.canvas.width / ratio, track.canvas.height / ratio);
    context.restore();
  }
  for (const box of scene.boxes) paintUnknown(context, scene, box);
  for (const gauge of scene.gauges) paintGauge(context, scene, gauge);
  if (scene.happened !== null) paintHappened(context, scene, scene.happened);
  paintMarks(context, scene);
  if (scene.held) return;
  context.fillStyle = tokens["--ink"];
  context.fillRect(now, 0, 1.5, scene.height);
}

function ground(context: Context, scene: LiveScene, box: { top: number; height: number }): void {
  const { tokens, view } = scene;
  context.fillStyle = tokens["--surface"];
  context.fillRect(0, box.top, view.width, box.height);
  context.fillStyle = tokens["--grid"];
  for (const tick of scene.ticks) context.fillRect(Math.round(xAt(view, tick.at)), box.top, 1, box.height);
}

function paintLaneGround(context: Context, scene: LiveScene, box: LaneBox): void {
  ground(context, scene, box);
  if (!box.tall) return;
  context.fillStyle = scene.tokens["--line"];
  for (const us of [10_000, 100_000])
    context.fillRect(
      0,
      Math.round(box.top + box.height - logHeight(us) * (box.height - 4)),
      scene.view.width,
      1,
    );
}

/** A gap has the pattern of its state: not recorded, lost, or not arrived yet. */
function paintUnknown(context: Context, scene: LiveScene, box: LaneBox): void {
  const { view, tokens } = scene;
  const now = nowX(view);
  const edgesOf = (from: number, to: number): [left: number, right: number] => [
    Math.max(0, Math.round(xAt(view, from))),
    Math.min(now, Math.round(xAt(view, to))),
  ];
  const area = (from: number, to: number, state: UnknownTime): void => {
    const [left, right] = edgesOf(from, to);
    if (right <= left) return;
    context.fillStyle = tokens["--surface"];
    context.fillRect(left, box.top, right - left, box.height);
    hatch(context, tokens, [left, box.top, right - left, box.height], state);
  };
  // Before the run, or before the first data, the time is unknown too.
  const begin = scene.bins === null ? 0 : Math.min(0, scene.bins.firstBin * scene.bins.width);
  area(edges(view)[0], begin, "notRecorded");
  const end = scene.ends.get(box.lane.key) ?? Number.NEGATIVE_INFINITY;
  if (view.now - end > LEAST_HATCH_US) area(end, view.now, "notArrived");
  // Events of a gap that lasts do not arrive: it covers the end.
  for (const { from, to, lines, state } of scene.gaps.get(box.lane.key) ?? []) {
    area(from, to, state);
    if (box.tall) paintGapLines(context, scene, box, lines, edgesOf(from, to));
  }
  if (view.now - end > LEAST_HATCH_US) {
    const x = Math.round(xAt(view, end));
    context.fillStyle = tokens["--ink"];
    if (x > 0 && x < now) context.fillRect(x, box.top, 1, box.height);
  }
  paintPlates(context, scene, box);
  paintEndRemark(context, scene, box, end);
}

/** Why a lane ends, where its end is in view. */
function paintEndRemark(context: Context, scene: LiveScene, { lane, tall, top }: LaneBox, end: number): void {
  const { view } = scene;
  const remark = scene.remarks.get(lane.key);
  if (remark === undefined || !tall || end > view.now + BEYOND_VIEW_US) return;
  // Below the names at changes of roles.
  const row = platesInView(scene, lane.key).length > 0 ? 1 : 0;
  const right = Math.max(200, Math.min(nowX(view), xAt(view, end)) - 10);
  context.textAlign = "right";
  paintRemark(context, scene, remark, right, top + 14 + row * WORDS_PX);
  context.textAlign = "left";
}

/** Bars below the remark reach up to it where a stage is slow, so the text has an outline. */
function paintRemark(
  context: Context,
  { tokens }: LiveScene,
  words: string,
  x: number,
  baseline: number,
): void {
  context.font = remarkFont(tokens);
  context.fillStyle = tokens["--ink-2"];
  context.lineWidth = 4;
  context.strokeStyle = tokens["--surface"];
  context.strokeText(words, x, baseline);
  context.fillText(words, x, baseline);
}

/** Draws the reason of a gap in the middle of the gap, below the remark of the lane's end, which may overlap it. */
function paintGapLines(
  context: Context,
  scene: LiveScene,
  { top, height }: LaneBox,
  lines: readonly string[],
  [left, right]: readonly [left: number, right: number],
): void {
  context.font = remarkFont(scene.tokens);
  const widths = lines.map((line) => context.measureText(line).width);
  if (right - left < Math.max(...widths) + 2 * GAP_PADDING) return;
  const first = Math.round(top + height / 2) + 4 - ((lines.length - 1) * LINE_PX) / 2;
  for (const [i, line] of lines.entries())
    paintRemark(context, scene, line, Math.round((left + right - widths[i]) / 2), first + i * LINE_PX);
}

const platesInView = ({ view, plates }: LiveScene, key: string): readonly Plate[] =>
  (plates.get(key) ?? []).filter(({ at }) => {
    const x = Math.round(xAt(view, at));
    return x > 0 && x <= nowX(view);
  });

/** Names of the replica of a lane before and after a change of roles. */
function paintPlates(context: Context, scene: LiveScene, box: LaneBox): void {
  const { view, tokens } = scene;
  const seen = platesInView(scene, box.lane.key);
  context.fillStyle = tokens["--ink"];
  for (const { at } of seen) context.fillRect(Math.round(xAt(view, at)), box.top, 1, box.height);
  if (!box.tall) return;
  for (const { at, before, after } of seen) {
    const x = Math.round(xAt(view, at));
    paintName(context, scene, box, before, (width) => x - 4 - width);
    paintName(context, scene, box, after, () => x + 5);
  }
  // The names next to the lanes are the current ones.
  const next = scene.plates.get(box.lane.key)?.find(({ at }) => at > view.now);
  if (seen.length === 0 && next !== undefined) paintName(context, scene, box, next.before, () => 4);
}

/** The name of a lane, below the labels of marks in the uppermost one. */
function paintName(
  context: Context,
  scene: LiveScene,
  { top, height }: LaneBox,
  words: string,
  left: (width: number) => number,
): void {
  if (words === "") return;
  const { tokens } = scene;
  const below = Math.min(markRows(context, scene).length * MARK_LABEL_HEIGHT, top + height - 18);
  const y = Math.max(top, below) + 2;
  context.font = `600 11px ${tokens["--font"]}`;
  const width = context.measureText(words).width + 8;
  context.fillStyle = tokens["--surface"];
  context.fillRect(left(width), y, width, 16);
  context.fillStyle = tokens["--ink"];
  context.fillText(words, left(width) + 4, y + 12);
}

function paintGauge(context: Context, scene: LiveScene, gauge: GaugeBox): void {
  const { view, tokens } = scene;
  const [from, to] = edges(view);
  const bottom = gauge.top + gauge.height;
  const y = (value: number): number =>
    bottom - Math.max(1, Math.min(1, value / gauge.scale) * (gauge.height - 3));
  context.save();
  context.beginPath();
  context.rect(0, gauge.top, Math.min(view.width, nowX(view)), gauge.height);
  context.clip();
  context.fillStyle = tokens[gauge.color];
  context.strokeStyle = tokens[gauge.color];
  context.lineWidth = 1.5;
  for (const missed of gauge.missed) {
    const left = Math.max(0, Math.round(xAt(view, missed[0])));
    const right = Math.min(nowX(view), Math.round(xAt(view, missed[1])));
    if (right > left) hatch(context, tokens, [left, gauge.top, right - left, gauge.height]);
  }
  let last = Number.NaN;
  context.beginPath();
  for (const step of gauge.steps) {
    if (step.to < from || step.from > to) continue;
    // Two polls share an edge: on whole pixels it neither shows a seam nor is painted twice.
    const joins = Math.abs(step.from - last) < JOINED_US;
    const left = Math.round(xAt(view, joins ? last : step.from));
    const right = Math.round(xAt(view, step.to));
    const top = y(step.value);
    context.globalAlpha = 0.3;
    context.fillRect(left, top, right - left, bottom - top);
    // Two polls that follow each other are one line; a missed one breaks it.
    if (joins) context.lineTo(left, top);
    else context.moveTo(left, top);
    context.lineTo(right, top);
    last = step.to;
  }
  context.globalAlpha = 1;
  context.stroke();
  context.restore();
}

const MARK_LABEL_HEIGHT = 16;

interface SeenMark {
  readonly x: number;
  readonly label: string;
  readonly byRule: boolean;
}

const seenMarks = ({ view, marks }: LiveScene): SeenMark[] =>
  marks
    .map(({ at, label, byRule }) => ({ label, byRule, x: Math.round(xAt(view, at)) }))
    .filter(({ x }) => x >= 0 && x <= nowX(view))
    .toSorted((a, b) => a.x - b.x);

interface MarkLabel {
  readonly label: string;
  readonly left: number;
  readonly width: number;
}

/** Labels of the marks in view by row: one that would cover the label before it is written below that. */
function markRows(context: Context, scene: LiveScene): MarkLabel[][] {
  context.font = `600 11px ${scene.tokens["--font"]}`;
  const rows: MarkLabel[][] = [];
  for (const { x, label } of seenMarks(scene)) {
    if (label === "") continue;
    const width = context.measureText(label).width + 8;
    const left = Math.min(x + 3, nowX(scene.view) - width);
    const free = rows.find((row) => row.every((other) => other.left + other.width <= left));
    if (free === undefined) rows.push([{ label, left, width }]);
    else free.push({ label, left, width });
  }
  return rows;
}

/** Lines first, then labels. */
function paintMarks(context: Context, scene: LiveScene): void {
  const { tokens } = scene;
  const seen = seenMarks(scene);
  context.strokeStyle = tokens["--ink"];
  context.lineWidth = 1;
  for (const { x, byRule } of seen) {
    context.setLineDash(byRule ? [3, 3] : []);
    context.beginPath();
    context.moveTo(x + 0.5, 0);
    context.lineTo(x + 0.5, scene.height);
    context.stroke();
  }
  context.setLineDash([]);
  for (const [row, labels] of markRows(context, scene).entries()) {
    const top = 2 + row * MARK_LABEL_HEIGHT;
    for (const { label, left, width } of labels) {
      context.fillStyle = tokens["--surface"];
      context.fillRect(left, top, width, 15);
      context.fillStyle = tokens["--ink"];
      context.fillText(label, left + 4, top + 11);
    }
  }
}

/** The axis above the lanes: clock times that move with them. Labels that would run under the "now" pill are skipped. */
export function paintAxis(context: Context, scene: LiveScene, height: number, pill: number): void {
  const { view, tokens } = scene;
  context.font = `400 11px ${tokens["--font"]}`;
  context.textAlign = "center";
  const free = nowX(view) - pill / 2;
  for (const tick of scene.ticks) {
    const x = xAt(view, tick.at);
    context.fillStyle = tokens["--line"];
    context.fillRect(Math.round(x), height - 6, 1, 6);
    const half = context.measureText(tick.label).width / 2;
    if (x - half < 0 || x + half > free - 4) continue;
    context.fillStyle = tokens["--ink-2"];
    context.fillText(tick.label, x, height - 14);
  }
  context.textAlign = "left";
}
