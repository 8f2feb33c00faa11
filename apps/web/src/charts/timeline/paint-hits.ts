/** A filter's hits in full color over all other blocks, which are set back; the threshold of its stage. */
import { logHeight } from "../duration-scale.ts";
import { xOf } from "../time-scale.ts";
import { blockSpan } from "./buffered.ts";
import type { LaneBox } from "./heights.ts";
import type { Bars, Heat, LaneLayout, Level } from "./layout.ts";
import type { Context, Hits, Scene } from "./scene.ts";
import type { Buffer } from "./spans.ts";

/** Blocks that are no hits have this much of their color. */
const OTHERS = 0.2;
/** Least width of a hit, px. */
const LEAST_HIT_PX = 2;

type PaintLane = (context: Context, scene: Scene, box: LaneBox) => void;

/** Paints the lanes of all blocks, sets them back, and paints the hits over them. */
export function paintWithHits(context: Context, scene: Scene, hits: Hits, paintLane: PaintLane): void {
  const others: Scene = { ...scene, selected: -1, chosen: null, isSetBack: true };
  const ours: Scene = { ...scene, selected: -1, chosen: null, buffer: hits.buffer, layouts: hits.layouts };
  for (const box of scene.boxes) {
    context.save();
    context.beginPath();
    context.rect(0, box.top, scene.scale.width, box.height);
    context.clip();
    paintLane(context, others, withoutCaps(box));
    setBack(context, scene, box, OTHERS);
    context.restore();
    paintLane(context, ours, box);
  }
  for (const box of scene.boxes) paintThreshold(context, scene, box, hits);
}

/** Covers a lane with its ground, so that its content keeps a share of its color; the lines of its grid stay. */
export function setBack(
  context: Context,
  { tokens, scale, idle, ticks }: Scene,
  box: LaneBox,
  share: number,
): void {
  context.globalAlpha = 1 - share;
  context.fillStyle = tokens[idle ? "--idle" : "--surface"];
  context.fillRect(0, box.top, scale.width, box.height);
  context.fillStyle = tokens["--grid"];
  for (const x of ticks) context.fillRect(Math.round(x), box.top, 1, box.height);
  context.globalAlpha = 1;
}

/** Lanes in the background have no caps: caps mark bars that the user is looking at. */
export const withoutCaps = (box: LaneBox): LaneBox => ({ ...box, lane: { ...box.lane, capUs: Infinity } });

/** Position of the filter's threshold in a lane, px from the top; null in lanes of other stages. */
export function thresholdTop(
  { lane, tall, top, height }: LaneBox,
  level: Level,
  threshold: Hits["threshold"],
): number | null {
  if (threshold === null || !tall || level > 1 || !threshold.lanes.includes(lane.key)) return null;
  return top + height * (1 - logHeight(threshold.us));
}

function paintThreshold(context: Context, scene: Scene, box: LaneBox, { threshold }: Hits): void {
  const at = thresholdTop(box, scene.level, threshold);
  if (at === null) return;
  context.strokeStyle = scene.tokens["--ink"];
  context.lineWidth = 1;
  context.setLineDash([3, 3]);
  context.beginPath();
  context.moveTo(0, Math.round(at) + 0.5);
  context.lineTo(scene.scale.width, Math.round(at) + 0.5);
  context.stroke();
  context.setLineDash([]);
}

/** A dotted line through all lanes where the selected hit begins. */
export function paintHitLine(context: Context, scene: Scene): void {
  const start = blockSpan(scene.buffer, scene.selected)?.[0] ?? Number.NaN;
  const x = Math.round(xOf(scene.scale, start)) + 0.5;
  const last = scene.boxes.at(-1);
  if (!(x >= 0 && x <= scene.scale.width) || last === undefined) return;
  context.strokeStyle = scene.tokens["--ink"];
  context.lineWidth = 1;
  context.setLineDash([1, 2]);
  context.beginPath();
  context.moveTo(x, 0);
  context.lineTo(x, last.top + last.height);
  context.stroke();
  context.setLineDash([]);
}

/** The layout of hits, each wide enough to be visible. */
export const widened = (layout: LaneLayout): LaneLayout =>
  layout.kind === "heat" ? widenedHeat(layout) : widenedBars(layout);

const widenedBars = (layout: Bars): Bars => ({
  ...layout,
  width: layout.width.map((width) => Math.max(LEAST_HIT_PX, width)),
});

/** A column fills the next one where that is empty. */
function widenedHeat(heat: Heat): Heat {
  const wide = (column: Float64Array): Float64Array =>
    column.map((us, x) => (Number.isNaN(us) && x > 0 ? column[x - 1] : us));
  return {
    ...heat,
    max: wide(heat.max),
    p50: wide(heat.p50),
    entry: heat.entry.map((entry, x) => (entry < 0 && x > 0 ? heat.entry[x - 1] : entry)),
  };
}

/** The bars of a lane whose blocks are among `rows`, at their positions among all bars. */
export function onlyRows(layout: Bars, buffer: Buffer, laneKey: string, rows: ReadonlySet<number>): Bars {
  const spans = buffer.spans.get(laneKey);
  const row = buffer.blocks?.row;
  const kept = Array.from({ length: layout.count }, (_, i) => i).filter((i) => {
    const position = spans?.block[layout.entry[i]] ?? -1;
    return position >= 0 && row !== undefined && rows.has(row[position]);
  });
  return {
    ...layout,
    count: kept.length,
    x: Float64Array.from(kept, (i) => layout.x[i]),
    width: Float64Array.from(kept, (i) => layout.width[i]),
    value: Float64Array.from(kept, (i) => layout.value[i]),
    entry: Int32Array.from(kept, (i) => layout.entry[i]),
    track: Uint8Array.from(kept, (i) => layout.track[i]),
    hidden: 0,
  };
}
