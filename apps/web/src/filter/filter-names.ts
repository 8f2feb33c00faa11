/** Names in the conditions of a filter: stages and replicas, as a person types and reads them. */
import { FilterStage } from "@aglens/contract";
import { isStageId, isWritePart, stageDefinition, writePart } from "@aglens/ag-model/replication";

/** The names of a capture that conditions may contain. */
export interface FilterNames {
  readonly primary: string;
  /** By slot. */
  readonly secondaries: readonly string[];
  readonly databases: readonly string[];
  /** By number, the first one empty; none where no event of a commit names its application. */
  readonly applications: readonly string[];
}

/** Other words that a person may type for a stage, in addition to its name. */
const OTHER_WORDS: Readonly<Partial<Record<FilterStage, readonly string[]>>> = {
  commit: ["commits", "commit wait", "wait"],
  commitQueue: ["queue"],
  logWrite: ["log writes", "write", "log flush", "flush"],
  send: ["send", "capture"],
  wireOut: ["out"],
  secondaryAppend: ["append", "receive"],
  acknowledge: ["ack"],
  wireBack: ["back"],
  commitWakeUp: ["wake-up", "wakeup"],
  networkRoundTrip: ["round trip", "network", "rtt"],
  remoteHarden: ["harden"],
  secondaryTotal: ["secondary total"],
};

/** The word of a stage that is printed. */
export function stageSubject(stage: FilterStage): string {
  if (stage === "networkRoundTrip") return "round trip";
  if (stage === "logWrite") return "log write";
  if (isWritePart(stage)) {
    const { of, part } = writePart(stage);
    return `${of === "localFlush" ? "primary " : ""}log write ${part}`;
  }
  return isStageId(stage) ? stageDefinition(stage).label.toLowerCase() : stage;
}

/** Stages by every word they are typed as, ids included; "log write" is the one of any replica. */
export const STAGES_BY_WORD: ReadonlyMap<string, FilterStage> = new Map(
  FilterStage.options.flatMap((stage) =>
    [stageSubject(stage), ...(OTHER_WORDS[stage] ?? []), stage.toLowerCase()].map(
      (word) => [word, stage] as const,
    ),
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
  "app",
  "session",
];

/** Whether a stage takes place only on the primary: it has no secondary to name. */
export const isOnPrimary = (stage: FilterStage): boolean =>
  stage === "commit" ||
  stage === "localFlush" ||
  stage === "commitQueue" ||
  stage === "commitWakeUp" ||
  stage === "captureLag" ||
  (isWritePart(stage) && writePart(stage).of === "localFlush");

/** Limit above which a stage is slow, µs: 50 ms for log writes. */
export function slowLimit(stage: FilterStage): number {
  if (stage === "commit") return 200_000;
  if (stage === "networkRoundTrip") return 20_000;
  if (stage === "acknowledge") return 1_000;
  if (isLogWrite(stage)) return 50_000;
  if (isWritePart(stage)) return 10_000;
  const { limitUs } = stageDefinition(stage);
  return Number.isFinite(limitUs) ? limitUs : 50_000;
}
