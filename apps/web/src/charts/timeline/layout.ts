/**
 * From columns to rectangles: pure, no canvas. Every level keeps the maximum of each pixel (docs/contribute/design.md
 * 8), so an outlier never vanishes, and a lane never has more than about one rectangle per pixel.
 */
import { firstAtOrAfter } from "@aglens/ag-model/numbers";
import type { BinWindow } from "@aglens/contract";
import type { Lane } from "../../lanes/lanes.ts";
import { timeAt, xOf, type TimeScale } from "../time-scale.ts";
import type { Buffer, LaneSpans } from "./spans.ts";

/** 0 heat, 1 skyline, 2 single blocks, 3 single blocks with their events. */
export type Level = 0 | 1 | 2 | 3;

const HEAT_BLOCKS_PER_PX = 4;
const SINGLE_BLOCKS_PER_PX = 0.02;
const SINGLE_BLOCK_SPAN_US = 100_000;
const EVENTS_SPAN_US = 3_000;
/** More blocks than this are never drawn one by one with labels, even in a short view. */
const MOST_SINGLE_BLOCKS = 2_000;
export const MOST_TRACKS = 3;
/** Largest number of a pixel's blocks that its median is computed from, evenly spread. */
const MEDIAN_SAMPLE = 31;

/** Entries that may touch the range, [first, last). */
export function visibleEntries(spans: LaneSpans, scale: TimeScale): readonly [number, number] {
  return [firstAtOrAfter(spans.reach, scale.from), firstAtOrAfter(spans.time, scale.to)];
}

/** Level of detail for a number of blocks in view (table in docs/contribute/design.md 8). */
export function levelOf(blocksInView: number, scale: TimeScale, haveBlocks: boolean): Level {
  if (!haveBlocks) return 0;
  const span = scale.to - scale.from;
  const density = blocksInView / Math.max(1, scale.width);
  if (blocksInView <= MOST_SINGLE_BLOCKS && (density < SINGLE_BLOCKS_PER_PX || span < SINGLE_BLOCK_SPAN_US))
    return span < EVENTS_SPAN_US ? 3 : 2;
  return density > HEAT_BLOCKS_PER_PX ? 0 : 1;
}

/** Far more blocks than there is room for single bars: three times the limit of that level. */
export const isCrowded = (blocksInView: number, scale: TimeScale): boolean =>
  blocksInView > 3 * SINGLE_BLOCKS_PER_PX * scale.width;

/** Rectangles of one lane. `entry` points into the lane's spans. */
export interface Bars {
  readonly kind: "bars";
  readonly count: number;
  readonly x: Float64Array;
  readonly width: Float64Array;
  /** Duration, µs; negative when a raw clock turns cause and effect around. */
  readonly value: Float64Array;
  readonly entry: Int32Array;
  readonly track: Uint8Array;
  readonly tracks: number;
  /** Bars that found no free track; drawn as "+ n". */
  readonly hidden: number;
}

/** Per pixel column: largest and median duration, µs; NaN for an empty column. */
export interface Heat {
  readonly kind: "heat";
  readonly max: Float64Array;
  readonly p50: Float64Array;
  /** Entry of the largest; -1 when unknown. */
  readonly entry: Int32Array;
}

export type LaneLayout = Bars | Heat;

interface Collected {
  readonly x: number[];
  readonly width: number[];
  readonly value: number[];
  readonly entry: number[];
}

function put(out: Collected, scale: TimeScale, spans: LaneSpans, entry: number): void {
  const a = xOf(scale, Math.min(spans.start[entry], spans.end[entry]));
  const b = xOf(scale, Math.max(spans.start[entry], spans.end[entry]));
  out.x.push(a);
  out.width.push(Math.max(1, b - a));
  out.value.push(spans.end[entry] - spans.start[entry]);
  out.entry.push(entry);
}

function bars(out: Collected, track: Uint8Array, tracks: number, hidden: number): Bars {
  return {
    kind: "bars",
    count: out.x.length,
    x: Float64Array.from(out.x),
    width: Float64Array.from(out.width),
    value: Float64Array.from(out.value),
    entry: Int32Array.from(out.entry),
    track,
    tracks,
    hidden,
  };
}

const inView = (start: number, end: number, scale: TimeScale) =>
  Math.max(start, end) >= scale.from && Math.min(start, end) < scale.to;

/**
 * Skyline: of all bars that start in the same pixel only the longest is kept; it covers the others in both directions.
 * Bars that start left of the view are all kept.
 */
export function layoutSkyline(spans: LaneSpans, scale: TimeScale): Bars {
  const [first, last] = visibleEntries(spans, scale);
  const columns = Math.ceil(scale.width) + 1;
  const longest = new Int32Array(columns).fill(-1);
  const out: Collected = { x: [], width: [], value: [], entry: [] };
  const k = scale.width / (scale.to - scale.from);
  for (let i = first; i < last; i++) {
    const start = spans.start[i];
    const end = spans.end[i];
    if (!inView(start, end, scale)) continue;
    const column = Math.floor((start - scale.from) * k);
    if (column < 0 || column >= columns) put(out, scale, spans, i);
    else if (longest[column] < 0 || end - start > spans.end[longest[column]] - spans.start[longest[column]])
      longest[column] = i;
  }
  for (const entry of longest) if (entry >= 0) put(out, scale, spans, entry);
  return bars(out, new Uint8Array(out.x.length), 1, 0);
}

/** Assigns each bar the first track that is free at its start; at most `most`. Returns 255 for bars without one. */
export function assignTracks(x: readonly number[], width: readonly number[], most: number): Uint8Array {
  const order = x.map((_, i) => i).sort((a, b) => x[a] - x[b]);
  const freeFrom: number[] = [];
  const track = new Uint8Array(x.length);
  for (const i of order) {
    let t = freeFrom.findIndex((end) => end <= x[i] + 0.5);
    if (t < 0) t = freeFrom.length < most ? freeFrom.length : 255;
    track[i] = t;
    if (t !== 255) freeFrom[t] = x[i] + width[i];
  }
  return track;
}

/**
 * Layout of single blocks: one bar each; overlapping bars go below each other, in at most three tracks. Bars that fade
 * by `fade` px to either side also keep that distance while tracks are free: a bar may be drawn over another's fade, so
 * that it is not skipped.
 */
export function layoutBlocks(spans: LaneSpans, scale: TimeScale, most: number = MOST_TRACKS, fade = 0): Bars {
  const [first, last] = visibleEntries(spans, scale);
  const out: Collected = { x: [], width: [], value: [], entry: [] };
  for (let i = first; i < last; i++)
    if (inView(spans.start[i], spans.end[i], scale)) put(out, scale, spans, i);
  const apart = fade > 0 ? tracksApart(out, most, fade) : null;
  const track = apart ?? assignTracks(out.x, out.width, most);
  let tracks = 1;
  let hidden = 0;
  for (const t of track) {
    if (t === 255) hidden++;
    else tracks = Math.max(tracks, t + 1);
  }
  return bars(out, track, tracks, hidden);
}

/** Tracks in which no bar touches another's fade; null when that would leave one out. */
function tracksApart({ x, width }: Collected, most: number, fade: number): Uint8Array | null {
  const track = assignTracks(
    x.map((left) => left - fade),
    width.map((w) => w + 2 * fade),
    most,
  );
  return track.includes(255) ? null : track;
}

/** Inserts a value among the first `n` ascending ones; NaN is skipped. Returns the new number. */
function insertKnown(ascending: Float64Array, n: number, value: number): number {
  if (Number.isNaN(value)) return n;
  let j = n;
  for (; j > 0 && ascending[j - 1] > value; j--) ascending[j] = ascending[j - 1];
  ascending[j] = value;
  return n + 1;
}

/** Middle duration of the entries at places [first, last) of an order. */
function medianOfSample(
  spans: LaneSpans,
  order: Uint32Array,
  first: number,
  last: number,
  sample: Float64Array,
): number {
  const step = Math.max(1, (last - first) / MEDIAN_SAMPLE);
  let n = 0;
  for (let at = first; at < last && n < MEDIAN_SAMPLE; at += step) {
    const i = order[Math.floor(at)];
    n = insertKnown(sample, n, spans.end[i] - spans.start[i]);
  }
  return n === 0 ? Number.NaN : sample[n >> 1];
}

/**
 * Heat from blocks: exact maximum and sampled median of the bars that begin in each pixel. A bar of a lagging replica
 * begins long after its block, and has the same position as among single blocks.
 */
export function layoutHeat(spans: LaneSpans, scale: TimeScale): Heat {
  const columns = Math.ceil(scale.width);
  const max = new Float64Array(columns).fill(Number.NaN);
  const p50 = new Float64Array(columns).fill(Number.NaN);
  const entry = new Int32Array(columns).fill(-1);
  const sample = new Float64Array(MEDIAN_SAMPLE);
  const { order, starts } = entriesByColumn(spans, scale, columns);
  for (let column = 0; column < columns; column++) {
    const [first, last] = [starts[column], starts[column + 1]];
    for (let at = first; at < last; at++) {
      const value = spans.end[order[at]] - spans.start[order[at]];
      if (value > max[column] || (Number.isNaN(max[column]) && !Number.isNaN(value))) {
        max[column] = value;
        entry[column] = order[at];
      }
    }
    p50[column] = medianOfSample(spans, order, first, last, sample);
  }
  return { kind: "heat", max, p50, entry };
}

/**
 * Entries whose bars begin in each pixel column, in their order; the entries of a column are at places from its start
 * to the next one's.
 */
function entriesByColumn(
  spans: LaneSpans,
  scale: TimeScale,
  columns: number,
): { readonly order: Uint32Array; readonly starts: Uint32Array } {
  const [first, last] = visibleEntries(spans, scale);
  const columnOf = (entry: number): number => {
    const start = spans.start[entry];
    if (!(start >= scale.from && start < scale.to)) return -1;
    // Divisions round either way: a bar at the edge of a pixel may begin in the next one.
    const near = Math.min(columns - 1, Math.floor(xOf(scale, start)));
    return near + 1 < columns && start >= timeAt(scale, near + 1) ? near + 1 : near;
  };
  const starts = new Uint32Array(columns + 1);
  for (let i = first; i < last; i++) {
    const column = columnOf(i);
    if (column >= 0) starts[column + 1]++;
  }
  for (let column = 0; column < columns; column++) starts[column + 1] += starts[column];
  const next = starts.slice();
  const order = new Uint32Array(starts[columns]);
  for (let i = first; i < last; i++) {
    const column = columnOf(i);
    if (column >= 0) order[next[column]++] = i;
  }
  return { order, starts };
}

const larger = (a: number, b: number) => (Number.isNaN(a) || b > a ? b : a);

/** Figures of a lane in a bin window. */
const binColumn = (bins: BinWindow, { figure, secondary }: Lane, of: "max" | "p50"): Float64Array | null =>
  bins[of][figure] ?? bins[of][`hop${secondary}.${figure}`] ?? null;

/**
 * Median of the known values of [first, last]; NaN without values. A single slow bin must not lift the line of its
 * pixel.
 */
function middleOf(values: Float64Array, first: number, last: number, sample: Float64Array): number {
  const step = Math.max(1, (last - first + 1) / MEDIAN_SAMPLE);
  let n = 0;
  for (let at = first; at <= last && n < MEDIAN_SAMPLE; at += step)
    n = insertKnown(sample, n, values[Math.floor(at)]);
  return n === 0 ? Number.NaN : sample[(n - 1) >> 1];
}

/** Heat from a window of bins: each pixel has the largest maximum and the middle median of the bins it touches. */
export function layoutBins(bins: BinWindow, lane: Lane, scale: TimeScale): Heat {
  const columns = Math.ceil(scale.width);
  const max = new Float64Array(columns).fill(Number.NaN);
  const p50 = new Float64Array(columns).fill(Number.NaN);
  const entry = new Int32Array(columns).fill(-1);
  const sourceMax = binColumn(bins, lane, "max");
  const sourceP50 = binColumn(bins, lane, "p50");
  const sample = new Float64Array(MEDIAN_SAMPLE);
  const binAt = (x: number): number => ((timeAt(scale, x) - bins.from) / (bins.to - bins.from)) * bins.length;
  for (let column = 0; column < columns && sourceMax && sourceP50; column++) {
    // A bin that only begins at the pixel's end belongs to the next one, whatever the rounding of the divisions.
    const first = Math.max(0, Math.floor(binAt(column) + 1e-6));
    const last = Math.min(bins.length, Math.ceil(binAt(column + 1) - 1e-6)) - 1;
    for (let bin = first; bin <= last; bin++) max[column] = larger(max[column], sourceMax[bin]);
    p50[column] = middleOf(sourceP50, first, last, sample);
  }
  return { kind: "heat", max, p50, entry };
}

/**
 * Layout of one lane at a level. Commits at level 2 stack without a limit of three (they are drawn thin). `fade` is the
 * width of the bars' fade to either side, px.
 */
export function layoutLane(buffer: Buffer, lane: Lane, scale: TimeScale, level: Level, fade = 0): LaneLayout {
  const spans = buffer.spans.get(lane.key);
  if (!spans || (level === 0 && buffer.bins))
    return buffer.bins
      ? layoutBins(binsOfLane(buffer, lane) ?? buffer.bins, lane, scale)
      : layoutHeat(
          {
            start: new Float64Array(),
            end: new Float64Array(),
            time: new Float64Array(),
            reach: new Float64Array(),
            block: new Int32Array(),
          },
          scale,
        );
  if (level === 0) return layoutHeat(spans, scale);
  if (level === 1) return layoutSkyline(spans, scale);
  return layoutBlocks(spans, scale, lane.shape === "commits" ? 12 : MOST_TRACKS, fade);
}

const binsOfLane = ({ binsOf }: Buffer, { database }: Lane): BinWindow | undefined =>
  database === null ? undefined : binsOf.get(database);

/** Blocks that touch the view; for bins the sum of the bins inside. */
export function blocksInView(buffer: Buffer, scale: TimeScale): number {
  if (buffer.bins) {
    const perBin = (buffer.bins.to - buffer.bins.from) / buffer.bins.length;
    return buffer.bins.count.reduce((sum, n, i) => {
      const at = buffer.bins!.from + i * perBin;
      return at + perBin > scale.from && at < scale.to ? sum + n : sum;
    }, 0);
  }
  const { time } = buffer.blocks!.blocks;
  return firstAtOrAfter(time, scale.to) - firstAtOrAfter(time, scale.from);
}
