/** Snapping of a ruler, the distance between its ends, and the precision of that distance. */
import { formatLsn, isOnSecondaryClock } from "@aglens/ag-model/replication";
import type { Lane } from "../../lanes/lanes.ts";
import { chartsTexts as texts } from "../../messages/charts.ts";
import type { Ruler, RulerEnd } from "@aglens/contract";
import { timeAt, xOf } from "../time-scale.ts";
import { barSpan, blockIdOf, rowAt } from "./buffered.ts";
import { laneAt } from "./pointed-bar.ts";
import type { Scene } from "./scene.ts";
import { positionOf, type Buffer, type ClockShift } from "./spans.ts";

/** An end this near to an edge snaps to it, px. */
const SNAP_PX = 6;

/** Facts about the capture that a ruler needs. */
export interface Measured {
  readonly lanes: readonly Lane[];
  /** Error bound of each secondary's clock, µs. */
  readonly uncertainty: readonly number[];
  /** Added to each secondary's instants where they are drawn, µs. */
  readonly shift: ClockShift;
}

/**
 * The secondary whose clock measures an end; -1 for the primary's. An end that is on no edge is on the axis, which is
 * the primary's.
 */
function clockOf({ edge }: RulerEnd, lanes: readonly Lane[]): number {
  const lane = edge && lanes.find(({ key }) => key === edge.lane);
  if (!lane?.anchors) return -1;
  return isOnSecondaryClock(lane.anchors[edge?.side === "start" ? 0 : 1]) ? lane.secondary : -1;
}

/** Where an end is drawn, µs: with raw clocks a secondary's edges are elsewhere. */
export function drawnAt(end: RulerEnd, { lanes, shift }: Measured): number {
  return end.at + (shift[clockOf(end, lanes)] ?? 0);
}

/** The end of a ruler at a place of the plot, px: on an edge of a bar of that lane within 6 px, unless it is to be free. */
export function rulerEndAt(
  scene: Scene,
  measured: Measured,
  x: number,
  y: number,
  isFree: boolean,
): RulerEnd {
  const free = { at: timeAt(scene.scale, x), edge: null };
  const box = laneAt(scene.boxes, y);
  const layout = box && scene.layouts.get(box.lane.key);
  const spans = box && scene.buffer.spans.get(box.lane.key);
  if (isFree || !layout || layout.kind !== "bars" || !spans || !scene.buffer.blocks) return free;
  let best: RulerEnd | null = null;
  let nearest = SNAP_PX + 1e-9;
  for (let i = 0; i < layout.count; i++) {
    const entry = layout.entry[i];
    const block = spans.block[entry];
    for (const side of ["start", "end"] as const) {
      const distance = Math.abs(xOf(scene.scale, spans[side][entry]) - x);
      if (!(distance < nearest) || block < 0) continue;
      nearest = distance;
      best = onEdge(spans[side][entry], side, rowAt(scene.buffer, block), box.lane, measured);
    }
  }
  return best ?? free;
}

/** The end of a ruler on an edge of a loaded block's bar; null for a block without a bar. */
export function rulerEndOfBar(
  buffer: Buffer,
  lane: Lane,
  row: number,
  side: "start" | "end",
  measured: Measured,
): RulerEnd | null {
  const period = barSpan(buffer, lane.key, positionOf(buffer, row));
  const at = period?.[side === "start" ? 0 : 1] ?? Number.NaN;
  return Number.isNaN(at) ? null : onEdge(at, side, row, lane, measured);
}

/** `drawn` µs is the edge's position on the plot. */
function onEdge(
  drawn: number,
  side: "start" | "end",
  row: number,
  lane: Lane,
  { lanes, shift }: Measured,
): RulerEnd {
  const edge = { side, row, lane: lane.key };
  return { at: drawn - (shift[clockOf({ at: drawn, edge }, lanes)] ?? 0), edge };
}

/**
 * Distance between the ends of a ruler, µs, and its error bound: null where both are on one clock, since the distance
 * is then exact.
 */
export function lengthOf(
  [from, to]: Ruler,
  { lanes, uncertainty }: Measured,
): { readonly us: number; readonly uncertaintyUs: number | null } {
  const [a, b] = [clockOf(from, lanes), clockOf(to, lanes)];
  const off = (clock: number): number => (clock < 0 ? 0 : (uncertainty[clock] ?? Number.NaN));
  return { us: Math.abs(to.at - from.at), uncertaintyUs: a === b ? null : off(a) + off(b) };
}

/** An end in words: `end of SQL2 log write, block …1ee`; null for an end on no edge. `laneText` names a lane. */
export function endText(
  { edge }: RulerEnd,
  lanes: readonly Lane[],
  buffer: Buffer | null,
  laneText: (lane: Lane) => string,
): string | null {
  const lane = edge && lanes.find(({ key }) => key === edge.lane);
  if (!edge || !lane) return null;
  const position = positionOf(buffer, edge.row);
  const block = buffer && position >= 0 ? texts.block(formatLsn(blockIdOf(buffer, position)).slice(-3)) : "";
  const words = laneText(lane);
  const isName = /^[A-Z][a-z]/u.test(words);
  return `${edge.side} of ${isName ? words.charAt(0).toLowerCase() + words.slice(1) : words}${block}`;
}
