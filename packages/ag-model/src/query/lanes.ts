/** Figures in the bins of a window: the lanes' durations, and how slow each block is. */
import {
  commitLatencies,
  durationKey,
  longestCommits,
  perModel,
  stageColumn,
  SPAN_IDS,
  spanColumn,
} from "../columns/index.ts";
import { isLocalStage, STAGES } from "../replication/shapes/stages.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";

/** Names of figures of bins; those of a lane are `MAX` or `P50` and the lane's key. */
export const COUNT = "count";
export const SLOWEST = "slowest";
export const MAX = "max.";
export const P50 = "p50.";

/** Row of an empty bin's slowest block. */
export const NO_ROW = 0xffffffff;

/** The lane whose values are one per commit; all others have one per block. */
export const COMMIT_LANE = "commit";

/** Durations that lanes draw, by their key in `BinWindow.max`; each column is computed on its first use. */
export function laneColumns(model: CaptureModel): ReadonlyMap<string, () => Float64Array> {
  const columns = new Map([[COMMIT_LANE, () => commitLatencies(model)]]);
  for (let secondary = 0; secondary < Math.max(1, model.hops.length); secondary++) {
    for (const { id } of STAGES) {
      const key = durationKey(id, secondary);
      if (!columns.has(key) && (isLocalStage(id) || secondary < model.hops.length))
        columns.set(key, () => stageColumn(model, secondary, id));
    }
  }
  model.hops.forEach((_, secondary) => {
    for (const id of SPAN_IDS)
      columns.set(durationKey(id, secondary), () => spanColumn(model, secondary, id));
  });
  return columns;
}

/**
 * Row of the slowest block of each bin.
 * @param rows first row of each bin, and the end; places in `only` where it exists
 * @param only rows of the counted blocks, ascending
 */
export function slowestPerBin(
  model: CaptureModel,
  rows: Float64Array,
  only: Uint32Array | null = null,
): Float64Array {
  const slowness = blockSlowness(model);
  return rows
    .slice(1)
    .map((end, bin) =>
      only === null
        ? rowOfLargest(slowness, rows[bin], end)
        : rowOfLargestAmong(slowness, only, rows[bin], end),
    );
}

/** `slowestPerBin` of bins twice as wide. */
export function slowestInPairs(model: CaptureModel, slowest: Float64Array): Float64Array {
  const slowness = blockSlowness(model);
  return Float64Array.from({ length: Math.ceil(slowest.length / 2) }, (_, bin) => {
    const [first, second = NO_ROW] = slowest.subarray(2 * bin, 2 * bin + 2);
    if (second === NO_ROW || slowness[second] <= slowness[first]) return first;
    return second;
  });
}

function rowOfLargest(column: Float64Array, first: number, end: number): number {
  let found = first < end ? first : NO_ROW;
  for (let row = first; row < end; row++) if (column[row] > column[found]) found = row;
  return found;
}

function rowOfLargestAmong(column: Float64Array, rows: Uint32Array, first: number, end: number): number {
  let found = first < end ? rows[first] : NO_ROW;
  for (let i = first; i < end; i++) if (column[rows[i]] > column[found]) found = rows[i];
  return found;
}

/** Slowness of a block: its longest commit, else its longest remote harden; 0 when neither is known. */
export const blockSlowness = perModel((model: CaptureModel): Float64Array => {
  const commits = longestCommits(model);
  const hardens = model.hops.map((_, s) => stageColumn(model, s, "remoteHarden"));
  const slowness = new Float64Array(commits.length);
  for (let row = 0; row < slowness.length; row++) {
    if (!Number.isNaN(commits[row])) slowness[row] = commits[row];
    else for (const harden of hardens) if (harden[row] > slowness[row]) slowness[row] = harden[row];
  }
  return slowness;
});
