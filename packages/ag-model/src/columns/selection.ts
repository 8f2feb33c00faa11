import { statisticsOf, type Statistics } from "../numbers/statistics.ts";
import type { StageId } from "../replication/stages.ts";
import type { CaptureModel } from "../replication/tables.ts";
import { pickRows } from "./rows-in-range.ts";
import { stageColumn, stageStatistics } from "./stage-columns.ts";
import { stretchColumn, stretchStatistics, type StretchId } from "./stretches.ts";

/** The whole capture is what a screen asks for first, and its figures are known already. */
export const isWhole = (model: CaptureModel, rows: Uint32Array): boolean =>
  rows.length === model.blocks.length;

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

/** Statistics of one stretch over blocks, µs; `rows` hold no row twice. */
export function stretchStatisticsOf(
  model: CaptureModel,
  secondary: number,
  id: StretchId,
  rows: Uint32Array,
): Statistics {
  if (isWhole(model, rows)) return stretchStatistics(model, secondary, id);
  return statisticsOf(pickRows(stretchColumn(model, secondary, id), rows));
}
