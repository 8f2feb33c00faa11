import {
  blockRun,
  commitRun,
  countGatesOfRun,
  latencyStatisticsIn,
  stageStatisticsIn,
  STRETCH_IDS,
  stretchStatisticsIn,
} from "../columns/index.ts";
import { rowsInRun } from "../numbers/index.ts";
import { STAGE_IDS } from "../replication/stages.ts";
import { recordOf, type CaptureModel } from "../replication/tables.ts";
import { withoutNaN } from "./null-for-nan.ts";

/** Statistics of the blocks and commits that overlap [from, to), µs: what is in view; `stages[s]` has the stretches too. */
export function rangeStatistics(model: CaptureModel, range: { readonly from: number; readonly to: number }) {
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
