import {
  blockRun,
  commitLatencies,
  commitRun,
  commitsInRange,
  countGates,
  countGatesOfRun,
  latencyStatisticsIn,
  pickRows,
  rowsOfRun,
  stageColumn,
  stageStatisticsIn,
  STRETCH_IDS,
  stretchColumn,
  stretchStatisticsIn,
} from "../columns/index.ts";
import { type RowRun, rowsInRun, statisticsOf } from "../numbers/index.ts";
import { STAGE_IDS } from "../replication/stages.ts";
import { recordOf, type CaptureModel } from "../replication/tables.ts";
import { filteredBlocks, filteredCommits, filteredRows, type BlockFilter } from "./block-filter.ts";
import { withoutNaN } from "./null-for-nan.ts";

/** A stretch of time, µs. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * Statistics of the blocks and commits that overlap [from, to), µs: what is in view; `stages[s]` has the stretches too. Those
 * that overlap `except` are left out: the rest beside a selection.
 */
export function rangeStatistics(
  model: CaptureModel,
  range: Stretch,
  filter: BlockFilter | null = null,
  except: Stretch | null = null,
) {
  return filter === null && except === null
    ? statisticsOfAll(model, range)
    : statisticsOfSome(model, range, filter, except);
}

function statisticsOfAll(model: CaptureModel, range: Stretch) {
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

/** The same of the blocks that a filter and a stretch leave, and of their commits. */
function statisticsOfSome(
  model: CaptureModel,
  { from, to }: Stretch,
  filter: BlockFilter | null,
  except: Stretch | null,
) {
  const filtered = filter && filteredBlocks(model, filter);
  const ofBlocks = blockRun(model, from, to);
  const allCommits = commitsInRange(model, from, to);
  const blocks = outside(
    filtered === null ? rowsOfRun(ofBlocks) : filteredRows(filtered, ofBlocks),
    except && blockRun(model, except.from, except.to),
  );
  const commits = outside(
    filtered === null ? allCommits : filteredCommits(model, filtered, allCommits),
    except && commitRun(model, except.from, except.to),
  );
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

/** The rows that a run does not have. */
function outside(rows: Uint32Array, run: RowRun | null): Uint32Array {
  if (run === null) return rows;
  const { before, first, end } = run;
  const isBefore = new Set(before);
  return rows.filter((row) => (row < first || row >= end) && !isBefore.has(row));
}
