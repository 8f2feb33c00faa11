import {
  blockRun,
  commitRun,
  completeRows,
  latencyStatisticsIn,
  rowsOfRun,
  stageColumn,
  stageStatisticsIn,
} from "../columns/index.ts";
import { rowsInRun, type RowRun } from "../numbers/index.ts";
import { PATH_STAGES, type PathStage } from "../replication/shapes/stages.ts";
import { Gate, recordOf, type CaptureModel } from "../replication/shapes/tables.ts";
import { behindOverTime, type BehindOptions } from "./behind-over-time.ts";
import { orNull, withoutNaN } from "./null-for-nan.ts";

/** Range in µs; `bins` and `columns` as in `BehindOptions`. */
export type ReplicaRowsOptions = BehindOptions;

/**
 * Releases of the commits that end in a range, over time, and the duration of the path to each replica: a row per slot,
 * and the local log write. A commit whose release is not known is counted in no row.
 */
export function replicaRows(model: CaptureModel, options: ReplicaRowsOptions) {
  const { from, to, bins } = options;
  const blocks = blockRun(model, from, to);
  const released = releasesInBins(model, options);
  const countOf = (gate: number): number => released[gate].reduce((sum, n) => sum + n, 0);
  return {
    from,
    to,
    binUs: (to - from) / bins,
    /** Commits whose release is known. */
    commits: released.slice(Gate.localFlush).reduce((sum, row) => sum + row.reduce((a, n) => a + n, 0), 0),
    latency: withoutNaN(latencyStatisticsIn(model, commitRun(model, from, to))),
    blocks: rowsInRun(blocks),
    local: {
      commits: countOf(Gate.localFlush),
      released: Array.from(released[Gate.localFlush]),
      write: withoutNaN(stageStatisticsIn(model, 0, "localFlush", blocks)),
    },
    replicas: model.hops.map((_, slot) => ({
      commits: countOf(Gate.ofSecondary(slot)),
      released: Array.from(released[Gate.ofSecondary(slot)]),
      path: withoutNaN(stageStatisticsIn(model, slot, "remoteHarden", blocks)),
      ...meansOfPath(model, slot, blocks),
      behind: isAsynchronous(model, slot) ? behindOverTime(model, slot, options) : null,
    })),
  };
}

/** Range in µs, and the number of periods in which releases are counted. */
export type ReleasesOptions = Pick<BehindOptions, "from" | "to" | "bins">;

/** Commits of a range by their release (`Gate`) and by the period in which they end, without any other figures. */
export const releasesOf = (model: CaptureModel, options: ReleasesOptions) => ({
  from: options.from,
  to: options.to,
  binUs: (options.to - options.from) / options.bins,
  released: releasesInBins(model, options).map((bins) => Array.from(bins)),
});

/** No commit waits for it in any phase in which blocks are sent to it, so that it can lag. */
function isAsynchronous({ phases }: CaptureModel, slot: number): boolean {
  const modes = phases.map(({ commitModes }) => commitModes[slot]).filter((mode) => mode != null);
  return modes.length > 0 && modes.every((mode) => mode === "async");
}

/** Commits by gate and by the bin of their end. */
function releasesInBins(model: CaptureModel, { from, to, bins }: ReleasesOptions): Uint32Array[] {
  const { end, gate } = model.commits;
  const counts = Array.from({ length: model.hops.length + 2 }, () => new Uint32Array(bins));
  // A commit that ends with the capture's last instant belongs to it.
  const isIn = (instant: number): boolean => instant >= from && (instant < to || instant === model.duration);
  const count = (row: number): void => {
    if (to < end[row] || !isIn(end[row])) return;
    const bin = Math.min(bins - 1, Math.floor(((end[row] - from) / (to - from)) * bins));
    counts[gate[row]][bin]++;
  };
  const run = commitRun(model, from, to);
  for (const row of run.before) count(row);
  for (let row = run.first; row < run.end; row++) count(row);
  return counts;
}

/**
 * Mean of each stage of the path, µs, over the blocks whose complete path is known, so that the stages add up; without
 * such a block (a replica without a file) each over the blocks that have it.
 */
function meansOfPath(
  model: CaptureModel,
  slot: number,
  run: RowRun,
): { wholePaths: number; stages: Record<PathStage, number | null> } {
  const complete = completeRows(model, slot);
  const rows = rowsOfRun(run).filter((row) => complete[row] === 1);
  const meanOf = (id: PathStage): number | null => {
    if (rows.length === 0) return orNull(stageStatisticsIn(model, slot, id, run).mean);
    const column = stageColumn(model, slot, id);
    return rows.reduce((sum, row) => sum + column[row], 0) / rows.length;
  };
  return { wholePaths: rows.length, stages: recordOf(PATH_STAGES, meanOf) };
}
