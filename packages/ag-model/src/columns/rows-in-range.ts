import { runningMaximum } from "../numbers/extremes.ts";
import { firstAtOrAfter } from "../numbers/search.ts";
import type { CaptureModel } from "../replication/tables.ts";
import { oncePerModel } from "./once-per-model.ts";

/** Rows of blocks that overlap [from, to): they begin before `to` and end at or after `from`. */
export function blocksInRange(model: CaptureModel, from: number, to: number): Uint32Array {
  const { time, timeEnd } = model.blocks;
  const latest = oncePerModel(model, "blocks/latestEnd", () => runningMaximum(timeEnd));
  return overlapping(time, timeEnd, latest, from, to);
}

/** Rows of commits that overlap [from, to). */
export function commitsInRange(model: CaptureModel, from: number, to: number): Uint32Array {
  const { start, end } = model.commits;
  const latest = oncePerModel(model, "commits/latestEnd", () => runningMaximum(end));
  return overlapping(start, end, latest, from, to);
}

function overlapping(
  starts: Float64Array,
  ends: Float64Array,
  latest: Float64Array,
  from: number,
  to: number,
): Uint32Array {
  const stop = firstAtOrAfter(starts, to);
  const begun = Math.min(stop, firstAtOrAfter(starts, from));
  const rows = new Uint32Array(Math.max(0, stop - Math.min(begun, firstAtOrAfter(latest, from))));
  let n = 0;
  // What began before may have ended before; an unknown end counts as the start.
  for (let row = stop - rows.length; row < begun; row++) if (ends[row] >= from) rows[n++] = row;
  for (let row = begun; row < stop; row++) rows[n++] = row;
  return rows.subarray(0, n);
}

/** The values of `column` at `rows`. */
export function pickRows(column: Float64Array, rows: ArrayLike<number>): Float64Array {
  const values = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) values[i] = column[rows[i]];
  return values;
}
