import { RankedColumn, rowsInRun, type RowRun } from "../numbers/ranked-column.ts";
import { statisticsOf, type Statistics } from "../numbers/statistics.ts";
import type { StageId } from "../replication/stages.ts";
import type { CaptureModel } from "../replication/tables.ts";
import { commitLatencies } from "./commit-columns.ts";
import { oncePerModel } from "./once-per-model.ts";
import { pickRows } from "./rows-in-range.ts";
import { stageColumn, stageStatistics } from "./stage-columns.ts";
import { stretchColumn, stretchStatistics, type StretchId } from "./stretches.ts";

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
): Statistics =>
  rowsInRun(run) === model.blocks.length
    ? stageStatistics(model, secondary, id)
    : runStatistics(model, stageColumn(model, secondary, id), run);

/** Statistics of one stretch over a run of blocks, µs. */
export const stretchStatisticsIn = (
  model: CaptureModel,
  secondary: number,
  id: StretchId,
  run: RowRun,
): Statistics =>
  rowsInRun(run) === model.blocks.length
    ? stretchStatistics(model, secondary, id)
    : runStatistics(model, stretchColumn(model, secondary, id), run);

/** Statistics of the latencies of a run of commits, µs. */
export const latencyStatisticsIn = (model: CaptureModel, run: RowRun): Statistics =>
  runStatistics(model, commitLatencies(model), run);

/** @param column one that is computed once per model */
function runStatistics(model: CaptureModel, column: Float64Array, run: RowRun): Statistics {
  if (rowsInRun(run) > MOST_PICKED) return rankedOnce(model, column).statistics(run);
  const values = new Float64Array(rowsInRun(run));
  values.set(pickRows(column, run.before));
  values.set(column.subarray(run.first, run.end), run.before.length);
  return statisticsOf(values);
}

function rankedOnce(model: CaptureModel, column: Float64Array): RankedColumn {
  const ranked = oncePerModel(model, "ranked", () => new Map<Float64Array, RankedColumn>());
  const known = ranked.get(column) ?? new RankedColumn(column);
  ranked.set(column, known);
  return known;
}
