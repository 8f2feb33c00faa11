import { commitLatencies, durationKey, stageColumn, spanColumn } from "../columns/index.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import type { LaneColumn } from "./recent-bins.ts";

/** Stages of a secondary's path that have bins, whether a lane shows them or not. */
const BINNED = ["wireOut", "secondaryFlush", "wireBack", "remoteHarden"] as const;

/**
 * Durations of all lanes that have bins, by key, in the order of their rows.
 * @param numberOf number in the run of each of the model's secondaries
 */
export function laneColumns(model: CaptureModel, numberOf: readonly number[]): Map<string, LaneColumn> {
  const { time } = model.blocks;
  const lanes = new Map<string, LaneColumn>([
    ["commit", { times: model.commits.start, durations: commitLatencies(model) }],
    ["localFlush", { times: time, durations: stageColumn(model, 0, "localFlush") }],
  ]);
  for (const [s, number] of numberOf.entries()) {
    for (const id of BINNED)
      lanes.set(durationKey(id, number), { times: time, durations: stageColumn(model, s, id) });
    lanes.set(durationKey("unseen", number), { times: time, durations: spanColumn(model, s, "unseen") });
  }
  return lanes;
}
