import { oncePerModel, stageColumn, stageStatistics } from "../columns/index.ts";
import { type Statistics, statisticsOf } from "../numbers/index.ts";
import type { StageId } from "../replication/stages.ts";
import type { CaptureModel } from "../replication/tables.ts";
import type { VerdictPlace } from "./verdict.ts";

/** A part of the remote path that one team can act on: both network legs are one, so is all work beside the disk. */
export interface Aspect {
  /** Stage under whose name a verdict has it. */
  readonly stage: StageId;
  /** Stages of the remote path that it sums up. */
  readonly parts: readonly StageId[];
  readonly place: VerdictPlace;
  /** Rule of docs/model.md 6.2 about it. */
  readonly rule: string;
}

export const REMOTE_ASPECTS: readonly Aspect[] = [
  { stage: "networkRoundTrip", parts: ["wireOut", "wireBack"], place: "network", rule: "D3" },
  { stage: "secondaryFlush", parts: ["secondaryFlush"], place: "secondary", rule: "D2" },
  { stage: "send", parts: ["send"], place: "primary", rule: "D4" },
  {
    stage: "secondaryAppend",
    parts: ["secondaryAppend", "ackBuild", "ackSend"],
    place: "secondary",
    rule: "D8",
  },
  { stage: "ackReceive", parts: ["ackReceive"], place: "primary", rule: "D9" },
];

/** The whole remote path, for a secondary whose file is missing: its split is not known. */
export const UNSPLIT: Aspect = {
  stage: "remoteHarden",
  parts: ["remoteHarden"],
  place: "none",
  rule: "D13",
};

/** Share of the mean remote harden that stages take together, 0..1; NaN when it is not known. */
export function shareOf(model: CaptureModel, secondary: number, parts: readonly StageId[]): number {
  const whole = stageStatistics(model, secondary, "remoteHarden").mean;
  return parts.reduce((sum, id) => sum + stageStatistics(model, secondary, id).mean, 0) / whole;
}

/** The part of the remote path that takes most of the mean remote harden, or null when the split is not known. */
export function largestAspect(model: CaptureModel, secondary: number): Aspect | null {
  const known = REMOTE_ASPECTS.filter((a) => !Number.isNaN(shareOf(model, secondary, a.parts)));
  // Without the secondary's file only the primary's stages are known; those alone say nothing about the rest.
  if (known.length < REMOTE_ASPECTS.length) return null;
  return known.reduce((best, aspect) =>
    shareOf(model, secondary, aspect.parts) > shareOf(model, secondary, best.parts) ? aspect : best,
  );
}

/** Time of all parts of an aspect, one per block, µs. */
export function aspectColumn(model: CaptureModel, secondary: number, aspect: Aspect): Float64Array {
  return oncePerModel(model, `aspect/${secondary}/${aspect.stage}`, () =>
    sumOfStages(model, secondary, aspect.parts),
  );
}

/** Sum of several stages, one per block, µs; NaN where one is missing. */
export function sumOfStages(model: CaptureModel, secondary: number, parts: readonly StageId[]): Float64Array {
  const columns = parts.map((id) => stageColumn(model, secondary, id));
  const sums = columns[0].slice();
  for (const column of columns.slice(1)) for (let row = 0; row < sums.length; row++) sums[row] += column[row];
  return sums;
}

/** Statistics of the rows for which `wanted` holds. */
export function statisticsWhere(column: Float64Array, wanted: (row: number) => boolean): Statistics {
  return statisticsOf(column.filter((_, row) => wanted(row)));
}

/** Secondaries whose acknowledgement commits may wait for: all but asynchronous ones. */
export function waitedFor(model: CaptureModel): number[] {
  return model.hops.map((_, s) => s).filter((s) => model.replicas[s + 1].commitMode !== "async");
}

export const replicaName = (model: CaptureModel, replica: number): string =>
  model.replicas[replica]?.name ?? `Replica ${replica}`;
