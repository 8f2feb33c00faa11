/** Stages with a distribution, and the column of their durations. */
import { commitLatencies, stageColumn, spanColumn } from "../columns/index.ts";
import { isLocalStage, STAGE_IDS, type StageId } from "../replication/shapes/stages.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import { logBinsOf } from "./distribution-bins.ts";

/** Subject of a distribution: the commits, a stage, or the complete acknowledgment on the secondary. */
export type DistributionStage = "commit" | StageId | "acknowledge";

export const DISTRIBUTION_STAGES: readonly DistributionStage[] = ["commit", ...STAGE_IDS, "acknowledge"];

/** Distributions that every answer contains, in this order; another stage only on request. */
export const USUAL_DISTRIBUTIONS: readonly DistributionStage[] = [
  "commit",
  "remoteHarden",
  "networkRoundTrip",
  "secondaryFlush",
  "localFlush",
  "secondaryAppend",
  "acknowledge",
  "send",
  "ackReceive",
];

/** Durations with the bin of each. */
export interface BinnedColumn {
  /** µs, one per block or per commit; NaN where unknown. */
  readonly column: Float64Array;
  /** As `logBinsOf` has them. */
  readonly codes: Uint8Array;
}

export function binnedDurations(model: CaptureModel, id: DistributionStage, secondary: number): BinnedColumn {
  const column = id === "commit" ? commitLatencies(model) : blockDurations(model, id, secondary);
  // One column for all secondaries where a stage is the same for each.
  const isOne = id === "commit" || (id !== "acknowledge" && isLocalStage(id));
  return { column, codes: logBinsOf(model, isOne ? id : `${id}/${secondary}`, column) };
}

/** Durations of a stage, one per block, µs. */
export function blockDurations(
  model: CaptureModel,
  id: Exclude<DistributionStage, "commit">,
  secondary: number,
): Float64Array {
  if (id !== "acknowledge") return stageColumn(model, secondary, id);
  return secondary < model.hops.length
    ? spanColumn(model, secondary, id)
    : stageColumn(model, secondary, "ackBuild");
}
