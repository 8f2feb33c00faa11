import {
  commitLatencies,
  countGates,
  oncePerModel,
  stageColumn,
  stageStatistics,
} from "../columns/stage-columns.ts";
import { STAGES, type StageId } from "../replication/stages.ts";
import { statisticsOf, type Statistics } from "../replication/statistics.ts";
import type { CaptureModel } from "../replication/tables.ts";
import { withoutNaN } from "./null-for-nan.ts";
import { blocksInRange, commitsInRange, pick } from "../columns/rows-in-range.ts";
import { STRETCH_IDS, stretchColumn, type StretchId } from "../columns/stretches.ts";

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
        ...STAGES.map(({ id }) => [id, withoutNaN(stageIn(model, secondary, id, blocks))]),
        ...STRETCH_IDS.map((id) => [id, withoutNaN(stretchIn(model, secondary, id, blocks))]),
      ]),
    ),
  };
}

function stageIn(model: CaptureModel, secondary: number, id: StageId, blocks: Uint32Array): Statistics {
  // The whole capture is what a screen asks first, and it is known already.
  if (blocks.length === model.blocks.length) return stageStatistics(model, secondary, id);
  return statisticsOf(pick(stageColumn(model, secondary, id), blocks));
}

function stretchIn(model: CaptureModel, secondary: number, id: StretchId, blocks: Uint32Array): Statistics {
  const column = stretchColumn(model, secondary, id);
  if (blocks.length < model.blocks.length) return statisticsOf(pick(column, blocks));
  return oncePerModel(model, `statistics/stretch/${secondary}/${id}`, () => statisticsOf(column));
}
