import {
  RankedColumn,
  rowsInRun,
  type ColumnRanks,
  type RowRun,
  type RowSet,
} from "../numbers/ranked-column.ts";
import { countsBelow, statisticsOf, type Statistics } from "../numbers/statistics.ts";
import type { StageId } from "../replication/shapes/stages.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import { commitLatencies } from "./commit-columns.ts";
import { perModel } from "./per-model.ts";
import { blockRun, commitRun, pickRows } from "./rows-in-range.ts";
import { stageColumn, stageStatistics } from "./stage-columns.ts";
import { spanColumn, type SpanId } from "./anchor-spans.ts";

/** Screens request the complete capture first, and its figures are known already. */
export const isComplete = (model: CaptureModel, rows: Uint32Array): boolean =>
  rows.length === model.blocks.length;

/**
 * Up to this many rows are picked and sorted as far as needed, which is as fast as to look them up in a ranked column.
 */
const MOST_PICKED = 4_096;

/** Statistics of one stage over blocks, µs; `rows` has no duplicates. */
export function stageStatisticsOf(
  model: CaptureModel,
  secondary: number,
  id: StageId,
  rows: Uint32Array,
): Statistics {
  if (isComplete(model, rows)) return stageStatistics(model, secondary, id);
  return statisticsOf(pickRows(stageColumn(model, secondary, id), rows));
}

/** Statistics of one stage over a run of blocks, µs. */
export const stageStatisticsIn = (
  model: CaptureModel,
  secondary: number,
  id: StageId,
  run: RowRun,
): Statistics =>
  rowsInRun(run) === model.blocks.length
    ? stageStatistics(model, secondary, id)
    : runStatistics(model, stageColumn(model, secondary, id), run);

/** Statistics of one span over a run of blocks, µs. */
export const spanStatisticsIn = (
  model: CaptureModel,
  secondary: number,
  id: SpanId,
  run: RowRun,
): Statistics => runStatistics(model, spanColumn(model, secondary, id), run);

/** Statistics of the latencies of a run of commits, µs. */
export const latencyStatisticsIn = (model: CaptureModel, run: RowRun): Statistics =>
  runStatistics(model, commitLatencies(model), run);

/**
 * Number of known durations of a run under each limit.
 * @param column one that is computed once per model
 * @param limits ascending, µs
 */
export const countsBelowIn = (
  model: CaptureModel,
  column: Float64Array,
  run: RowRun,
  limits: Float64Array,
): Float64Array =>
  rankedFor(model, column, run)?.countsBelow(run, limits) ?? countsBelow(valuesOfRun(column, run), limits);

/** The values of a run, one by one. */
export function valuesOfRun(column: Float64Array, run: RowRun): Float64Array {
  const values = new Float64Array(rowsInRun(run));
  values.set(pickRows(column, run.before));
  values.set(column.subarray(run.first, run.end), run.before.length);
  return values;
}

/** @param column one that is computed once per model */
export function runStatistics(model: CaptureModel, column: Float64Array, run: RowRun): Statistics {
  return rankedFor(model, column, run)?.statistics(run) ?? statisticsOf(valuesOfRun(column, run));
}

/** Statistics of any rows, µs. @param column one that is computed once per model */
export const rowStatistics = (model: CaptureModel, column: Float64Array, set: RowSet): Statistics =>
  rankedColumn(model, column, set.rows.length)?.statisticsAmong(set) ??
  statisticsOf(pickRows(column, set.rows));

/** Median duration of a stage over the complete capture, µs; NaN without a known one. */
export const stageMedian = (model: CaptureModel, secondary: number, id: StageId): number =>
  rankedColumn(model, stageColumn(model, secondary, id), model.blocks.length)?.median ??
  stageStatistics(model, secondary, id).p50;

/**
 * Percent of a column's known durations that are at or below one of them, over 0 to 100; null for NaN.
 * @param column one that is computed once per model
 */
export function percentUpTo(model: CaptureModel, column: Float64Array, value: number): number | null {
  if (Number.isNaN(value)) return null;
  const ranked = rankedColumn(model, column, column.length);
  if (ranked !== null) return ranked.percentUpTo(value);
  let [known, upTo] = [0, 0];
  // Added without a branch, which a processor can't predict here: four times as fast. Only NaN differs from itself.
  for (let row = 0; row < column.length; row++) {
    known += Number(column[row] === column[row]);
    upTo += Number(column[row] <= value);
  }
  return (upTo / known) * 100;
}

/**
 * Rows of a run that are first when it is sorted from its longest or its shortest duration, ascending; rows without one
 * after all others. Null where all rows have to be read.
 * @param column one that is computed once per model
 */
export const extremeRowsIn = (
  model: CaptureModel,
  column: Float64Array,
  run: RowRun,
  count: number,
  end: "largest" | "smallest",
): Uint32Array | null => rankedFor(model, column, run)?.extremeRows(run, count, end) ?? null;

/** Whether the columns of a capture are long enough to be ranked. */
export const isWorthRanking = (model: CaptureModel): boolean => model.blocks.length > MOST_PICKED;

/**
 * Whether questions about a range are fast only with ranked columns. @param range µs @param most largest number of rows
 * that counts as few
 */
export const isLongRange = (
  model: CaptureModel,
  range: { readonly from: number; readonly to: number },
  most: number = MOST_PICKED,
): boolean =>
  Math.max(
    rowsInRun(blockRun(model, range.from, range.to)),
    rowsInRun(commitRun(model, range.from, range.to)),
  ) > most;

/** Ranked columns that are computed so far. */
const rankedColumns = perModel(() => new Map<Float64Array, RankedColumn>());

/** @param column one that is computed once per model @param ranks its ranks */
export function keepRanks(model: CaptureModel, column: Float64Array, ranks: ColumnRanks): void {
  rankedColumns(model).set(column, new RankedColumn(column, ranks));
}

const rankedFor = (model: CaptureModel, column: Float64Array, run: RowRun): RankedColumn | null =>
  rankedColumn(model, column, rowsInRun(run));

/** Ranks of a column for a request with this many rows; null where they are few, or the ranks are not computed yet. */
export const rankedColumn = (model: CaptureModel, column: Float64Array, rows: number): RankedColumn | null =>
  rows > MOST_PICKED ? (rankedColumns(model).get(column) ?? null) : null;
