import { runningMaximum } from "../numbers/extremes.ts";
import { rowsInRun, type RowRun } from "../numbers/ranked-column.ts";
import { firstAtOrAfter } from "../numbers/search.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import { perModel } from "./per-model.ts";

/** Rows of blocks that overlap [from, to): they begin before `to` and end at or after `from`. */
export const blocksInRange = (model: CaptureModel, from: number, to: number): Uint32Array =>
  rowsOfRun(blockRun(model, from, to));

/** The same rows as a run. */
export function blockRun(model: CaptureModel, from: number, to: number): RowRun {
  const { time, timeEnd } = model.blocks;
  return overlapping(time, timeEnd, latestBlockEnds(model), from, to);
}

/** Rows of commits that overlap [from, to). */
export const commitsInRange = (model: CaptureModel, from: number, to: number): Uint32Array =>
  rowsOfRun(commitRun(model, from, to));

/** The same rows as a run. */
export function commitRun(model: CaptureModel, from: number, to: number): RowRun {
  const { start, end } = model.commits;
  return overlapping(start, end, latestCommitEnds(model), from, to);
}

const latestBlockEnds = perModel(({ blocks }: CaptureModel) => runningMaximum(blocks.timeEnd));
const latestCommitEnds = perModel(({ commits }: CaptureModel) => runningMaximum(commits.end));

function overlapping(
  starts: Float64Array,
  ends: Float64Array,
  latest: Float64Array,
  from: number,
  to: number,
): RowRun {
  const end = firstAtOrAfter(starts, to);
  const first = Math.min(end, firstAtOrAfter(starts, from));
  // A block that began before may have ended before; an unknown end counts as the start.
  const before: number[] = [];
  for (let row = Math.min(first, firstAtOrAfter(latest, from)); row < first; row++)
    if (ends[row] >= from) before.push(row);
  return { before: Uint32Array.from(before), first, end };
}

/** The rows of a run, those before its first one to begin with. */
export function rowsOfRun(run: RowRun): Uint32Array {
  const { before, first, end } = run;
  const rows = new Uint32Array(rowsInRun(run));
  rows.set(before);
  for (let row = first; row < end; row++) rows[before.length + row - first] = row;
  return rows;
}

/** The values of `column` at `rows`. */
export function pickRows(column: Float64Array, rows: ArrayLike<number>): Float64Array {
  const values = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) values[i] = column[rows[i]];
  return values;
}
