import {
  blocksInRange,
  commitLatencies,
  commitsInRange,
  countGates,
  pickRows,
  stageStatisticsOf,
  STRETCH_IDS,
  stretchStatisticsOf,
} from "../columns/index.ts";
import { statisticsOf } from "../numbers/index.ts";
import { STAGE_IDS } from "../replication/stages.ts";
import { recordOf, type CaptureModel } from "../replication/tables.ts";
import { withoutNaN } from "./null-for-nan.ts";

/** Statistics of the blocks and commits that overlap [from, to), µs: what is in view; `stages[s]` has the stretches too. */
export function rangeStatistics(model: CaptureModel, range: { readonly from: number; readonly to: number }) {
  const blocks = blocksInRange(model, range.from, range.to);
  const commits = commitsInRange(model, range.from, range.to);
  return {
    from: range.from,
    to: range.to,
    blocks: blocks.length,
    commits: commits.length,
    commitLatency: withoutNaN(statisticsOf(pickRows(commitLatencies(model), commits))),
    gates: countGates(model, commits),
    stages: model.hops.map((_, secondary) => ({
      ...recordOf(STAGE_IDS, (id) => withoutNaN(stageStatisticsOf(model, secondary, id, blocks))),
      ...recordOf(STRETCH_IDS, (id) => withoutNaN(stretchStatisticsOf(model, secondary, id, blocks))),
    })),
  };
}
