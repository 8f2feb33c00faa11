/** Stages that have a distribution: names, colours, and what is expected of them. */
import { isStageId, stageDefinition } from "@aglens/ag-model/replication";
import type { DistributionStage } from "@aglens/contract";
import { stageToken, type ReplicaNames, type StageToken } from "../lanes/palette.ts";

/** Stages that a DBA chooses from: commits first, then the path in its order. */
export function stageName(id: DistributionStage, names: ReplicaNames): string {
  if (!isStageId(id)) return id === "commit" ? "Commit" : "Acknowledge";
  return stageDefinition(id).label.replace("{P}", names.primary).replace("{S}", names.secondary);
}

/** The whole acknowledgement is handling on the secondary. */
export const stageColour = (id: DistributionStage): StageToken =>
  id === "acknowledge" ? "--s-work" : stageToken(id);

const COMMIT_LIMIT_US = 10_000;
const ACKNOWLEDGE_LIMIT_US = 1_000;

/** Up to where a duration is expected, µs; NaN for a stage without a limit. Log writes have classes instead. */
export function expectedLimit(id: DistributionStage): number {
  if (id === "commit") return COMMIT_LIMIT_US;
  if (id === "acknowledge") return ACKNOWLEDGE_LIMIT_US;
  return isLogWrite(id) ? Number.NaN : stageDefinition(id).limitUs;
}

export const isLogWrite = (id: DistributionStage): boolean => id === "localFlush" || id === "secondaryFlush";
