/**
 * Durations of a range, for all its blocks or for those of one database or phase. Figures of all blocks come from
 * ranked columns. The rows of a part are scattered, so its figures come from counts of its bins and the few values in
 * the bins that matter.
 */
import { blockRun, commitRun, countsBelowIn, runStatistics } from "../columns/index.ts";
import {
  cellsOfRanks,
  countsBelow,
  firstAtOrAfter,
  valuesAtRanks,
  type RowRun,
  type Statistics,
} from "../numbers/index.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import { filteredRows } from "./block-filter.ts";
import { CODES, logBins, UNDER } from "./distribution-bins.ts";
import { binnedDurations, type BinnedColumn, type DistributionStage } from "./distribution-stages.ts";
import type { ScopeRows } from "./scope-rows.ts";

export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** Blocks, or commits, that overlap a range. */
interface OverlappingRows {
  readonly run: RowRun;
  /** Selected rows of the run, ascending; null for all. */
  readonly rows: Uint32Array | null;
  /** When each of the table began, µs, ascending. */
  readonly times: Float64Array;
}

export interface RowsOfRange {
  readonly blocks: OverlappingRows;
  readonly commits: OverlappingRows;
}

/** Rows of blocks and commits that overlap a range. @param scope whose rows; null for all */
export function rowsOfRange(
  model: CaptureModel,
  { from, to }: TimeRange,
  scope: ScopeRows | null,
): RowsOfRange {
  const [ofBlocks, ofCommits] = [blockRun(model, from, to), commitRun(model, from, to)];
  return {
    blocks: {
      run: ofBlocks,
      rows: scope && filteredRows(scope.blocks, ofBlocks),
      times: model.blocks.time,
    },
    commits: {
      run: ofCommits,
      rows: scope && filteredRows(scope.commits, ofCommits),
      times: model.commits.start,
    },
  };
}

/** Durations of blocks or commits that overlap a range. */
export interface Durations extends OverlappingRows, BinnedColumn {
  readonly model: CaptureModel;
  /** Rows with each code. */
  readonly counts: Uint32Array;
}

/** The durations of a stage. */
export function durationsOf(
  model: CaptureModel,
  id: DistributionStage,
  secondary: number,
  { blocks, commits }: RowsOfRange,
): Durations {
  const asked = id === "commit" ? commits : blocks;
  const binned = binnedDurations(model, id, secondary);
  const { codes } = binned;
  const counts = asked.rows === null ? countCodes(codes, asked.run) : countCodesAt(codes, asked.rows);
  return { model, ...asked, ...binned, counts };
}

/** How many rows of a run have each code. */
export function countCodes(codes: Uint8Array, { before, first, end }: RowRun): Uint32Array {
  const counts = countCodesAt(codes, before);
  for (let row = first; row < end; row++) counts[codes[row]]++;
  return counts;
}

/** How many of these rows have each code. */
export function countCodesAt(codes: Uint8Array, rows: Uint32Array): Uint32Array {
  const counts = new Uint32Array(CODES);
  for (let i = 0; i < rows.length; i++) counts[codes[rows[i]]]++;
  return counts;
}

/** Number of known durations. */
export const countKnown = (counts: Uint32Array): number => sumOfCounts(counts.subarray(UNDER));

export const sumOfCounts = (counts: Uint32Array): number => counts.reduce((sum, count) => sum + count, 0);

/** µs; NaN without a known one. */
export function durationStatistics(durations: Durations): Omit<Statistics, "mean"> {
  const { model, column, run, rows, counts } = durations;
  if (rows === null) return runStatistics(model, column, run);
  const known = countKnown(counts);
  const unknown = Number.NaN;
  if (known === 0) return { n: 0, p50: unknown, p95: unknown, p99: unknown, max: unknown };
  const ranks = [50, 95, 99, 100].map((p) => (p / 100) * (known - 1));
  const { isNear, kept, below } = cellsOfRanks({ counts, known }, ranks, UNDER);
  const near = valuesWithCodes(durations, rows, isNear, kept);
  const [p50, p95, p99, max] = valuesAtRanks({ near, below }, ranks);
  return { n: known, p50, p95, p99, max };
}

/** How many known durations are under each limit. @param limits ascending, µs */
export function countsUnder(durations: Durations, limits: Float64Array): Float64Array {
  const { model, column, run, rows, counts } = durations;
  if (rows === null) return countsBelowIn(model, column, run, limits);
  const codesOfLimits = logBins(limits);
  const isNear = new Uint8Array(CODES);
  for (const code of codesOfLimits) isNear[code] = 1;
  const kept = counts.reduce((sum, count, code) => sum + count * isNear[code], 0);
  const under = countsBelow(valuesWithCodes(durations, rows, isNear, kept), limits);
  for (let i = 0, code = UNDER, others = 0; i < limits.length; i++) {
    for (; code < codesOfLimits[i]; code++) if (isNear[code] === 0) others += counts[code];
    under[i] += others;
  }
  return under;
}

/** The values of rows with wanted codes; `length` is their number. */
function valuesWithCodes(
  { column, codes }: BinnedColumn,
  rows: Uint32Array,
  isWanted: Uint8Array,
  length: number,
): Float64Array {
  const wanted = new Float64Array(length);
  let n = 0;
  for (let i = 0; i < rows.length; i++) if (isWanted[codes[rows[i]]] === 1) wanted[n++] = column[rows[i]];
  return wanted;
}

/**
 * Index among the selected rows of the first that began at or after an instant; index in the table where all rows are
 * selected.
 */
export function firstRowFrom({ rows, run, times }: OverlappingRows, instant: number): number {
  const row = Math.min(run.end, firstAtOrAfter(times, instant));
  return rows === null ? Math.max(run.first, row) : firstAtOrAfter(rows, row);
}
