import { oncePerModel } from "./stage-columns.ts";
import type { CaptureModel } from "../replication/tables.ts";

/** First index of an ascending column whose value is at or after `value`; its length when there is none. */
export function firstAtOrAfter(column: Float64Array, value: number): number {
  let low = 0;
  let high = column.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (column[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Largest end up to each row. Ends are not ascending (a slow block outlasts the next ones), their running maximum is,
 * so a binary search finds the first row that can still reach into a range.
 */
export function runningMaximum(ends: Float64Array): Float64Array {
  let latest = Number.NEGATIVE_INFINITY;
  return ends.map((end) => (latest = end > latest ? end : latest));
}

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
  const rows = new Uint32Array(Math.max(0, stop - firstAtOrAfter(latest, from)));
  let n = 0;
  for (let row = stop - rows.length; row < stop; row++) {
    // An unknown end counts as the start.
    if (ends[row] >= from || (Number.isNaN(ends[row]) && starts[row] >= from)) rows[n++] = row;
  }
  return rows.subarray(0, n);
}

/** The values of `column` at `rows`. */
export function pick(column: Float64Array, rows: ArrayLike<number>): Float64Array {
  const values = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) values[i] = column[rows[i]];
  return values;
}
