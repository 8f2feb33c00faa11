import {
  blockRun,
  commitLatencies,
  commitRun,
  countGates,
  countGatesOfRun,
  latencyStatisticsIn,
  type PausedPath,
  pausedPaths,
  rowsOfRun,
  rowStatistics,
  stageColumn,
  stageStatisticsIn,
  SPAN_IDS,
  spanColumn,
  spanStatisticsIn,
  sumOfPaused,
  type CaptureScope,
} from "../columns/index.ts";
import { type RowRun, type RowSet, rowSetOf, rowsInRun } from "../numbers/index.ts";
import { REMOTE_STAGE_IDS, STAGE_IDS, type RemoteStageId } from "../replication/shapes/stages.ts";
import { recordOf, type CaptureModel } from "../replication/shapes/tables.ts";
import { filteredBlocks, filteredCommits, filteredRows, rowsIn, type BlockFilter } from "./block-filter.ts";
import { withoutNaN } from "./null-for-nan.ts";
import { scopeRows } from "./scope-rows.ts";

/** A range of time, µs. */
interface Period {
  readonly from: number;
  readonly to: number;
}

/** Selects the blocks and commits of a range. */
export interface StatisticsOptions {
  readonly filter?: BlockFilter | null;
  /** Blocks and commits that overlap this range are excluded: the rest outside a selection. */
  readonly except?: Period | null;
  /** Statistics of one database or phase alone. */
  readonly scope?: CaptureScope;
}

const WHOLE: CaptureScope = { database: null, phase: null };

/**
 * Statistics of the blocks and commits that overlap [from, to), µs: the range in view; `stages[s]` has the spans too.
 */
export function rangeStatistics(
  model: CaptureModel,
  range: Period,
  { filter = null, except = null, scope = WHOLE }: StatisticsOptions = {},
) {
  const isAll = filter === null && except === null && scope.database === null && scope.phase === null;
  return isAll ? statisticsOfAll(model, range) : statisticsOfSome(model, range, { filter, except, scope });
}

function statisticsOfAll(model: CaptureModel, range: Period) {
  const blocks = blockRun(model, range.from, range.to);
  const commits = commitRun(model, range.from, range.to);
  const stages = model.hops.map((_, secondary) => ({
    ...recordOf(STAGE_IDS, (id) => withoutNaN(stageStatisticsIn(model, secondary, id, blocks))),
    ...recordOf(SPAN_IDS, (id) => withoutNaN(spanStatisticsIn(model, secondary, id, blocks))),
  }));
  const isBefore = new Set(blocks.before);
  const isIn = (row: number): boolean => (row >= blocks.first && row < blocks.end) || isBefore.has(row);
  return {
    from: range.from,
    to: range.to,
    blocks: rowsInRun(blocks),
    commits: rowsInRun(commits),
    commitLatency: withoutNaN(latencyStatisticsIn(model, commits)),
    gates: countGatesOfRun(model, commits),
    stages,
    paused: pausedMeans(model, stages, isIn),
  };
}

/** The same for some blocks and commits. */
function statisticsOfSome(model: CaptureModel, { from, to }: Period, options: Required<StatisticsOptions>) {
  const { blocks, commits } = someRows(model, { from, to }, options);
  const ofBlocks = (column: Float64Array) => withoutNaN(rowStatistics(model, column, blocks));
  const stages = model.hops.map((_, secondary) => ({
    ...recordOf(STAGE_IDS, (id) => ofBlocks(stageColumn(model, secondary, id))),
    ...recordOf(SPAN_IDS, (id) => ofBlocks(spanColumn(model, secondary, id))),
  }));
  return {
    from,
    to,
    blocks: blocks.rows.length,
    commits: commits.rows.length,
    commitLatency: withoutNaN(rowStatistics(model, commitLatencies(model), commits)),
    gates: countGates(model, commits.rows),
    stages,
    paused: pausedMeans(model, stages, (row) => blocks.isIn[row] === 1),
  };
}

/**
 * For each secondary, the part of the means that is due to an unresponsive server; each stage is spread over the blocks
 * that have it.
 */
const pausedMeans = (
  model: CaptureModel,
  stages: readonly Readonly<Record<RemoteStageId, { readonly n: number }>>[],
  isIn: (row: number) => boolean,
): (PausedPath | null)[] =>
  model.hops.map((_, secondary) => {
    const paths = [...pausedPaths(model, secondary)].flatMap(([row, path]) => (isIn(row) ? [path] : []));
    const sum = sumOfPaused(paths);
    if (sum === null) return null;
    const means = REMOTE_STAGE_IDS.flatMap((id) =>
      sum.stages[id] === undefined ? [] : [[id, sum.stages[id] / stages[secondary][id].n] as const],
    );
    return { replica: sum.replica, stages: Object.fromEntries(means) };
  });

/** The blocks and commits of a range that belong to a scope, match a filter, and are outside an excluded range. */
function someRows(
  model: CaptureModel,
  { from, to }: Period,
  { filter, except, scope }: Required<StatisticsOptions>,
): { readonly blocks: RowSet; readonly commits: RowSet } {
  const ofScope = scopeRows(model, scope);
  const filtered = filter && filteredBlocks(model, filter);
  const [blockRuns, commitRuns] = [blockRun(model, from, to), commitRun(model, from, to)];
  const blocks = ofScope === null ? rowsOfRun(blockRuns) : filteredRows(ofScope.blocks, blockRuns);
  const commits = ofScope === null ? rowsOfRun(commitRuns) : filteredRows(ofScope.commits, commitRuns);
  const left = {
    blocks: filtered === null ? blocks : rowsIn(blocks, filtered.isIn),
    commits: filtered === null ? commits : filteredCommits(model, filtered, commits),
  };
  return {
    blocks: rowSetOf(
      model.blocks.length,
      outside(left.blocks, except && blockRun(model, except.from, except.to)),
    ),
    commits: rowSetOf(
      model.commits.length,
      outside(left.commits, except && commitRun(model, except.from, except.to)),
    ),
  };
}

/** The rows outside of a run. */
function outside(rows: Uint32Array, run: RowRun | null): Uint32Array {
  if (run === null) return rows;
  const { before, first, end } = run;
  const isBefore = new Set(before);
  const left = new Uint32Array(rows.length);
  let n = 0;
  for (const row of rows) if ((row < first || row >= end) && !isBefore.has(row)) left[n++] = row;
  return left.subarray(0, n);
}
