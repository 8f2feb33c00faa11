import { RankedColumn, rowsInRun, type RowRun } from "../numbers/ranked-column.ts";
import { countsBelow, statisticsOf, type Statistics } from "../numbers/statistics.ts";
import { STAGE_IDS, type StageId } from "../replication/stages.ts";
import type { CaptureModel } from "../replication/tables.ts";
import { commitLatencies, longestCommits } from "./commit-columns.ts";
import { oncePerModel } from "./once-per-model.ts";
import { pickRows } from "./rows-in-range.ts";
import { stageColumn, stageStatistics } from "./stage-columns.ts";
import { STRETCH_IDS, stretchColumn, type StretchId } from "./stretches.ts";

/** The whole capture is what a screen asks for first, and its figures are known already. */
export const isWhole = (model: CaptureModel, rows: Uint32Array): boolean =>
  rows.length === model.blocks.length;

/** Up to so many rows are picked and sorted as far as needed; a longer run is worth a column that is ranked once. */
const MOST_PICKED = 8_192;

/** Statistics of one stage over blocks, µs; `rows` hold no row twice. */
export function stageStatisticsOf(
  model: CaptureModel,
  secondary: number,
  id: StageId,
  rows: Uint32Array,
): Statistics {
  if (isWhole(model, rows)) return stageStatistics(model, secondary, id);
  return statisticsOf(pickRows(stageColumn(model, secondary, id), rows));
}

/** Statistics of one stage over a run of blocks, µs. */
export const stageStatisticsIn = (
  model: CaptureModel,
  secondary: number,
  id: StageId,
  run: RowRun,
): Statistics => runStatistics(model, stageColumn(model, secondary, id), run);

/** Statistics of one stretch over a run of blocks, µs. */
export const stretchStatisticsIn = (
  model: CaptureModel,
  secondary: number,
  id: StretchId,
  run: RowRun,
): Statistics => runStatistics(model, stretchColumn(model, secondary, id), run);

/** Statistics of the latencies of a run of commits, µs. */
export const latencyStatisticsIn = (model: CaptureModel, run: RowRun): Statistics =>
  runStatistics(model, commitLatencies(model), run);

/**
 * How many known durations of a run are under each limit.
 * @param column one that is computed once per model
 * @param limits ascending, µs
 */
export const countsBelowIn = (
  model: CaptureModel,
  column: Float64Array,
  run: RowRun,
  limits: Float64Array,
): Float64Array =>
  rowsInRun(run) > MOST_PICKED
    ? rankedOnce(model, column).countsBelow(run, limits)
    : countsBelow(valuesOfRun(column, run), limits);

/** The values of a run, one by one. */
export function valuesOfRun(column: Float64Array, run: RowRun): Float64Array {
  const values = new Float64Array(rowsInRun(run));
  values.set(pickRows(column, run.before));
  values.set(column.subarray(run.first, run.end), run.before.length);
  return values;
}

/** @param column one that is computed once per model */
export function runStatistics(model: CaptureModel, column: Float64Array, run: RowRun): Statistics {
  if (rowsInRun(run) > MOST_PICKED) return rankedOnce(model, column).statistics(run);
  return statisticsOf(valuesOfRun(column, run));
}

/**
 * Rows of a run that come first when it is sorted from its longest or its shortest duration, ascending; rows without one after all
 * others. Null where looking at all rows is as quick.
 * @param column one that is computed once per model
 */
export const extremeRowsIn = (
  model: CaptureModel,
  column: Float64Array,
  run: RowRun,
  count: number,
  end: "largest" | "smallest",
): Uint32Array | null =>
  rowsInRun(run) > MOST_PICKED ? rankedOnce(model, column).extremeRows(run, count, end) : null;

/** Ranks the columns that statistics and the slowest blocks of ranges need, one at each step: for the time in which nobody asks. */
export function* rankColumns(model: CaptureModel): Generator<void> {
  const { blocks, commits, hops } = model;
  const columns = [
    ...(commits.length > MOST_PICKED ? [() => commitLatencies(model)] : []),
    ...(blocks.length > MOST_PICKED ? [() => longestCommits(model)] : []),
    ...(blocks.length > MOST_PICKED
      ? hops.flatMap((_, secondary) => [
          ...STAGE_IDS.map((id) => () => stageColumn(model, secondary, id)),
          ...STRETCH_IDS.map((id) => () => stretchColumn(model, secondary, id)),
        ])
      : []),
  ];
  for (const column of columns) {
    rankedOnce(model, column());
    yield;
  }
}

function rankedOnce(model: CaptureModel, column: Float64Array): RankedColumn {
  const ranked = oncePerModel(model, "ranked", () => new Map<Float64Array, RankedColumn>());
  const known = ranked.get(column) ?? new RankedColumn(column);
  ranked.set(column, known);
  return known;
}
