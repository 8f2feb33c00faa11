/** What has a distribution, and the column of its durations. */
import { commitLatencies, stageColumn, stretchColumn } from "../columns/index.ts";
import { isLocalStage, STAGE_IDS, type StageId } from "../replication/shapes/stages.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import { logBinsOf } from "./distribution-bins.ts";

/** What has a distribution: the commits, a stage, or the whole acknowledgment on the secondary. */
export type DistributionStage = "commit" | StageId | "acknowledge";

export const DISTRIBUTION_STAGES: readonly DistributionStage[] = ["commit", ...STAGE_IDS, "acknowledge"];

/** What is always answered, in this order; another stage when it is asked for. */
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
  /** µs, one per block or per commit; NaN where it is not known. */
  readonly column: Float64Array;
  /** As `logBinsOf` has them. */
  readonly codes: Uint8Array;
}

export function binnedDurations(model: CaptureModel, id: DistributionStage, secondary: number): BinnedColumn {
  const column = id === "commit" ? commitLatencies(model) : blockDurations(model, id, secondary);
  // One column for all secondaries where a stage is the same towards each.
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
    ? stretchColumn(model, secondary, id)
    : stageColumn(model, secondary, "ackBuild");
}
