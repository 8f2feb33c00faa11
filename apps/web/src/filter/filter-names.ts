/** What the conditions of a filter are called: stages and replicas, as a person types and reads them. */
import type { FilterStage } from "@aglens/contract";
import { stageDefinition } from "@aglens/ag-model/replication";

/** The names of a capture that conditions may hold. */
export interface FilterNames {
  readonly primary: string;
  /** By slot. */
  readonly secondaries: readonly string[];
  readonly databases: readonly string[];
}

/** The stages of conditions with the words they are typed as; the first is the one that is printed. */
const STAGE_NAMES: Readonly<Record<FilterStage, readonly string[]>> = {
  commit: ["commit", "commits", "commit wait", "wait"],
  commitQueue: ["commit queue", "queue"],
  localFlush: ["log write"],
  secondaryFlush: ["log write"],
  // After both: the words without a replica mean any.
  logWrite: ["log write", "log writes", "write", "log flush", "flush"],
  captureLag: ["capture lag"],
  compression: ["compression"],
  send: ["capture and send", "send", "capture"],
  wireOut: ["network out", "out"],
  secondaryAppend: ["receive and append", "append", "receive"],
  decompression: ["decompression"],
  ackBuild: ["ack build"],
  ackSend: ["ack send"],
  acknowledge: ["acknowledge", "ack"],
  wireBack: ["network back", "back"],
  ackReceive: ["ack receive"],
  commitWakeUp: ["commit wake-up", "wake-up", "wakeup"],
  networkRoundTrip: ["round trip", "network round trip", "network", "rtt"],
  remoteHarden: ["remote harden", "harden"],
  secondaryTotal: ["secondary total"],
};

/** The word of a stage. */
export const stageSubject = (stage: FilterStage): string => STAGE_NAMES[stage][0]!;

/** Stages by every word they are typed as, ids included; "log write" is the one of any replica. */
export const STAGES_BY_WORD: ReadonlyMap<string, FilterStage> = new Map(
  (Object.keys(STAGE_NAMES) as FilterStage[]).flatMap((stage) =>
    [...STAGE_NAMES[stage], stage.toLowerCase()].map((word) => [word, stage] as const),
  ),
);

/** Whether a stage is the log write of one replica or of any. */
export const isLogWrite = (stage: FilterStage): stage is "logWrite" | "localFlush" | "secondaryFlush" =>
  stage === "logWrite" || stage === "localFlush" || stage === "secondaryFlush";

/** Words a condition may begin with, in the order they are offered. */
export const SUBJECTS: readonly string[] = [
  "log write",
  "commit",
  "round trip",
  "network out",
  "network back",
  "remote harden",
  "capture and send",
  "receive and append",
  "acknowledge",
  "commit queue",
  "size",
  "gate",
  "class",
  "lsn",
  "db",
];

/** Whether a stage takes place on the primary alone: it has no secondary to be named. */
export const isOnPrimary = (stage: FilterStage): boolean =>
  stage === "commit" ||
  stage === "localFlush" ||
  stage === "commitQueue" ||
  stage === "commitWakeUp" ||
  stage === "captureLag";

/** The limit from which a stage is worth a look, µs: over 50 ms for log writes. */
export function slowLimit(stage: FilterStage): number {
  if (stage === "commit") return 200_000;
  if (stage === "networkRoundTrip") return 20_000;
  if (stage === "acknowledge") return 1_000;
  if (isLogWrite(stage)) return 50_000;
  const { limitUs } = stageDefinition(stage);
  return Number.isFinite(limitUs) ? limitUs : 50_000;
}
