import {
  blockRun,
  commitLatencies,
  commitRun,
  commitsInRange,
  countGates,
  countGatesOfRun,
  latencyStatisticsIn,
  pickRows,
  stageColumn,
  stageStatisticsIn,
  STRETCH_IDS,
  stretchColumn,
  stretchStatisticsIn,
} from "../columns/index.ts";
import { rowsInRun, statisticsOf } from "../numbers/index.ts";
import { STAGE_IDS } from "../replication/stages.ts";
import { recordOf, type CaptureModel } from "../replication/tables.ts";
import { filteredBlocks, filteredCommits, filteredRows, type BlockFilter } from "./block-filter.ts";
import { withoutNaN } from "./null-for-nan.ts";

/** Statistics of the blocks and commits that overlap [from, to), µs: what is in view; `stages[s]` has the stretches too. */
export function rangeStatistics(
  model: CaptureModel,
  range: { readonly from: number; readonly to: number },
  filter: BlockFilter | null = null,
) {
  return filter === null ? statisticsOfAll(model, range) : statisticsOfFiltered(model, range, filter);
}

function statisticsOfAll(model: CaptureModel, range: { readonly from: number; readonly to: number }) {
  const blocks = blockRun(model, range.from, range.to);
  const commits = commitRun(model, range.from, range.to);
  return {
    from: range.from,
    to: range.to,
    blocks: rowsInRun(blocks),
    commits: rowsInRun(commits),
    commitLatency: withoutNaN(latencyStatisticsIn(model, commits)),
    gates: countGatesOfRun(model, commits),
    stages: model.hops.map((_, secondary) => ({
      ...recordOf(STAGE_IDS, (id) => withoutNaN(stageStatisticsIn(model, secondary, id, blocks))),
      ...recordOf(STRETCH_IDS, (id) => withoutNaN(stretchStatisticsIn(model, secondary, id, blocks))),
    })),
  };
}

/** The same of the blocks that a filter leaves, and of their commits. */
function statisticsOfFiltered(
  model: CaptureModel,
  { from, to }: { readonly from: number; readonly to: number },
  filter: BlockFilter,
) {
  const filtered = filteredBlocks(model, filter);
  const blocks = filteredRows(filtered, blockRun(model, from, to));
  const commits = filteredCommits(model, filtered, commitsInRange(model, from, to));
  const figures = (column: Float64Array, rows: Uint32Array) =>
    withoutNaN(statisticsOf(pickRows(column, rows)));
  return {
    from,
    to,
    blocks: blocks.length,
    commits: commits.length,
    commitLatency: figures(commitLatencies(model), commits),
    gates: countGates(model, commits),
    stages: model.hops.map((_, secondary) => ({
      ...recordOf(STAGE_IDS, (id) => figures(stageColumn(model, secondary, id), blocks)),
      ...recordOf(STRETCH_IDS, (id) => figures(stretchColumn(model, secondary, id), blocks)),
    })),
  };
}
