/** Stages with a distribution, and the column of their durations. */
import {
  commitLatencies,
  isLocalWrite,
  isSplit,
  spanColumn,
  stageColumn,
  writePartColumn,
} from "../columns/index.ts";
import { isLocalStage, STAGE_IDS, type StageId } from "../replication/shapes/stages.ts";
import { isWritePart, partsOf, WRITE_PART_IDS, type WritePartId } from "../replication/shapes/write-parts.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import { logBinsOf } from "./distribution-bins.ts";

/** Subject of a distribution: the commits, a stage, the complete acknowledgment on the secondary, or a part of a log write. */
export type DistributionStage = "commit" | StageId | "acknowledge" | WritePartId;

export const DISTRIBUTION_STAGES: readonly DistributionStage[] = [
  "commit",
  ...STAGE_IDS,
  "acknowledge",
  ...WRITE_PART_IDS,
];

/** Distributions that every answer contains, in this order; others where log writes are split, and on request. */
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

/** The usual distributions of a secondary, each split log write followed by its queue and its device. */
export const distributionsOf = (model: CaptureModel, secondary: number): readonly DistributionStage[] =>
  USUAL_DISTRIBUTIONS.flatMap((id) =>
    (id === "localFlush" || id === "secondaryFlush") && isSplit(model, secondary, id)
      ? [id, ...partsOf(id)]
      : [id],
  );

/** Whether a stage is of the primary alone, the same for every secondary. */
export const isOfPrimary = (id: DistributionStage): boolean =>
  id === "commit" || (isWritePart(id) ? isLocalWrite(id) : id !== "acknowledge" && isLocalStage(id));

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
  return { column, codes: logBinsOf(model, isOfPrimary(id) ? id : `${id}/${secondary}`, column) };
}

/** Durations of a stage, one per block, µs. */
export function blockDurations(
  model: CaptureModel,
  id: Exclude<DistributionStage, "commit">,
  secondary: number,
): Float64Array {
  if (isWritePart(id)) return writePartColumn(model, secondary, id);
  if (id !== "acknowledge") return stageColumn(model, secondary, id);
  return secondary < model.hops.length
    ? spanColumn(model, secondary, id)
    : stageColumn(model, secondary, "ackBuild");
}
