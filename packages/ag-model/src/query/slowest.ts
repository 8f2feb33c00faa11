import {
  blockRun,
  blocksInRange,
  extremeRowsIn,
  longestCommits,
  pausedPaths,
  stageColumn,
  stageDuration,
} from "../columns/index.ts";
import { rankedRows, rowsInRun } from "../numbers/index.ts";
import { STAGE_IDS, type StageId } from "../replication/shapes/stages.ts";
import { formatLsn } from "../replication/shapes/identity.ts";
import { recordOf, type CaptureModel } from "../replication/shapes/tables.ts";
import { filteredBlocks, filteredRows, type BlockFilter } from "./block-filter.ts";
import { largestStage } from "./largest-stage.ts";
import { matchedOf, type Matched } from "./matched.ts";
import { orNull } from "./null-for-nan.ts";

/** Orders of slow blocks: by a stage, or "commit" for the block's longest commit. */
export type SlowestSort = StageId | "commit";

export const SLOWEST_SORTS: readonly SlowestSort[] = ["commit", ...STAGE_IDS];

export type SlowestOrder = SlowestSort | "time" | "matched";

export interface SlowestOptions {
  readonly from: number;
  readonly to: number;
  /** "time": in the order the blocks begin. "matched": by the duration that met the filter's first condition about one. */
  readonly sort: SlowestOrder;
  readonly descending: boolean;
  readonly secondary: number;
  readonly limit: number;
  readonly offset: number;
  /** Only these blocks. */
  readonly filter?: BlockFilter | null;
}

/**
 * Blocks of the range in order of a stage's duration; blocks without that figure are last either way. `stages` of a row
 * has every stage and "commit", µs; `matched` the value that met the filter's first condition about a duration, null
 * without one.
 */
export function slowestBlocks(model: CaptureModel, options: SlowestOptions) {
  const { from, to, descending, secondary, limit, offset, filter } = options;
  const matched = filter ? matchedOf(model, filter) : null;
  const column = orderColumn(model, options.sort, secondary, matched);
  const run = blockRun(model, from, to);
  const wanted = offset + limit;
  const order = descending ? "descending" : "ascending";
  const filtered = filter ? filteredRows(filteredBlocks(model, filter), run) : null;
  const rows =
    filtered ??
    extremeRowsIn(model, column, run, wanted, descending ? "largest" : "smallest") ??
    blocksInRange(model, from, to);
  const ranked = rankedRows(column, rows, wanted, order);
  return {
    total: filtered?.length ?? rowsInRun(run),
    rows: Array.from(ranked.subarray(offset), (row) => ({
      ...slowBlock(model, secondary, row),
      matched: matched?.figureOf(row) ?? null,
    })),
  };
}

/** Without a condition about a duration, hits are in the order of remote harden. */
function orderColumn(
  model: CaptureModel,
  sort: SlowestOrder,
  secondary: number,
  matched: Matched | null,
): Float64Array {
  if (sort === "time") return model.blocks.time;
  if (sort === "matched") return matched?.column ?? stageColumn(model, secondary, "remoteHarden");
  return sort === "commit" ? longestCommits(model) : stageColumn(model, secondary, sort);
}

function slowBlock(model: CaptureModel, secondary: number, row: number) {
  const { blocks } = model;
  // Only for some rows: a column of each stage would be computed for a complete capture that was just opened.
  const stages = recordOf(SLOWEST_SORTS, (sort) =>
    orNull(sort === "commit" ? longestCommits(model)[row] : stageDuration(model, secondary, sort, row)),
  );
  return {
    row,
    database: blocks.database[row],
    lsn: formatLsn(blocks.blockId[row]),
    time: blocks.time[row],
    commits: blocks.commits[row],
    gate: blocks.gate[row],
    largest: largestStage(stages),
    paused: pausedPaths(model, secondary).get(row) ?? null,
    localStart: orNull(blocks.localFlushStart[row] - (model.hops[secondary]?.sendStart[row] ?? Number.NaN)),
    stages,
  };
}
