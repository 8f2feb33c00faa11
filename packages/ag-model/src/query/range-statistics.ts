import {
  blocksInRange,
  commitLatencies,
  commitsInRange,
  countGates,
  pick,
  STRETCH_IDS,
  stageStatisticsOf,
  stretchStatisticsOf,
} from "../columns/index.ts";
import { statisticsOf } from "../numbers/index.ts";
import { STAGES } from "../replication/stages.ts";
import type { CaptureModel } from "../replication/tables.ts";
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
    commitLatency: withoutNaN(statisticsOf(pick(commitLatencies(model), commits))),
    gates: countGates(model, commits),
    stages: model.hops.map((_, secondary) =>
      Object.fromEntries([
        ...STAGES.map(({ id }) => [id, withoutNaN(stageStatisticsOf(model, secondary, id, blocks))]),
        ...STRETCH_IDS.map((id) => [id, withoutNaN(stretchStatisticsOf(model, secondary, id, blocks))]),
      ]),
    ),
  };
}
