/**
 * Lanes of a secondary that lags: their bars begin long after their blocks. Bins place these by their own beginning, as
 * single blocks are drawn, so that nothing moves when single blocks replace bins.
 */
import { durationKey, perModel, SPAN_ANCHORS, SPAN_IDS } from "../columns/index.ts";
import {
  allRows,
  figuresOfRuns,
  firstAtOrAfter,
  gatherFloat64,
  sortRows,
  type RowSet,
} from "../numbers/index.ts";
import { isLocalStage, STAGES } from "../replication/shapes/stages.ts";
import type { CaptureModel, HopAnchor } from "../replication/shapes/tables.ts";
import { rowsAt, type BinFigures, type FiguresBetween } from "./bin-tiles.ts";
import { laneColumns, MAX, P50 } from "./lanes.ts";

/** Anchors whose latest known instant shows how late a block's way to a secondary is. */
const LATE_ANCHORS: readonly HopAnchor[] = ["sendStart", "received", "secondaryFlushEnd", "ackReceived"];

/** Longest time from a block's beginning to a step of its way to a secondary, µs; 0 without a known one. */
const latenessOf = perModel((model: CaptureModel, secondary: number): number => {
  const { time } = model.blocks;
  let most = 0;
  for (const anchor of LATE_ANCHORS) {
    const column = model.hops[secondary][anchor];
    for (let row = 0; row < time.length; row++) {
      const us = column[row] - time[row];
      if (us > most) most = us;
    }
  }
  return most;
});

/** When the bars of a secondary's lanes begin, µs by block row, by the lane's key. */
function beginsOf({ hops }: CaptureModel, secondary: number): Map<string, Float64Array> {
  const hop = hops[secondary];
  const begins = new Map<string, Float64Array>();
  for (const { id, from } of STAGES)
    if (!isLocalStage(id) && from !== null && from in hop)
      begins.set(durationKey(id, secondary), hop[from as HopAnchor]);
  for (const id of SPAN_IDS) begins.set(durationKey(id, secondary), hop[SPAN_ANCHORS[id][0]]);
  return begins;
}

/** Figures of only those lanes in which a bar may begin in a later bin than its block. @param only null for all rows */
export function figuresByOwnTimes(model: CaptureModel, only: RowSet | null = null): FiguresBetween {
  return (edges) => {
    const width = edges[1] - edges[0];
    const figures: Record<string, Float64Array> = {};
    for (const secondary of model.hops.keys()) {
      const late = latenessOf(model, secondary);
      if (!(late >= width)) continue;
      const rows = rowsBegunIn(model, edges[0] - late, edges[edges.length - 1], only);
      for (const [key, begins] of beginsOf(model, secondary)) {
        const column = laneColumns(model).get(key);
        if (column !== undefined) Object.assign(figures, figuresOfLane(key, column(), begins, rows, edges));
      }
    }
    return figures;
  };
}

/** Rows of blocks that begin in [from, to), ascending. */
function rowsBegunIn(model: CaptureModel, from: number, to: number, only: RowSet | null): Uint32Array {
  const { time } = model.blocks;
  const [first, end] = [firstAtOrAfter(time, from), firstAtOrAfter(time, to)];
  if (only === null) return allRows(end - first).map((place) => first + place);
  return only.rows.subarray(firstAtOrAfter(only.rows, first), firstAtOrAfter(only.rows, end));
}

function figuresOfLane(
  key: string,
  values: Float64Array,
  begins: Float64Array,
  rows: Uint32Array,
  edges: Float64Array,
): BinFigures {
  const [from, to] = [edges[0], edges[edges.length - 1]];
  const inRange = rows.filter((row) => begins[row] >= from && begins[row] < to);
  const times = gatherFloat64(begins, inRange);
  const order = sortRows(allRows(inRange.length), times);
  const sorted = gatherFloat64(gatherFloat64(values, inRange), order);
  const { max, p50 } = figuresOfRuns(sorted, rowsAt(gatherFloat64(times, order), edges));
  return { [MAX + key]: max, [P50 + key]: p50 };
}
