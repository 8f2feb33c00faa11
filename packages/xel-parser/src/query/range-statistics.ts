import { commitLatencies, countGates, stageColumn } from "../diagnosis/stage-columns.ts";
import { STAGES } from "../replication/stages.ts";
import { statisticsOf } from "../replication/statistics.ts";
import type { CaptureModel } from "../replication/tables.ts";
import { withoutNaN } from "./null-for-nan.ts";
import { blocksInRange, commitsInRange, pick } from "./rows-in-range.ts";

/** Statistics of the blocks and commits that overlap [from, to), µs: what is in view. */
export function rangeStatistics(model: CaptureModel, range: { readonly from: number; readonly to: number }) {
  const blocks = blocksInRange(model, range.from, range.to);
  const commits = commitsInRange(model, range.from, range.to);
  return {
    from: range.from,
    to: range.to,
    blocks: blocks.length,
    commits: commits.length,
    commitLatency: withoutNaN(statisticsOf(pick(commitLatencies(model), commits))),
    gates: countGates(model, commits),
    stages: model.hops.map((_, secondary) =>
      Object.fromEntries(
        STAGES.map(({ id }) => [
          id,
          withoutNaN(statisticsOf(pick(stageColumn(model, secondary, id), blocks))),
        ]),
      ),
    ),
  };
}
