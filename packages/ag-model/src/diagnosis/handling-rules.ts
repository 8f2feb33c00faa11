import { commitWakeUps, stageColumn, stageStatistics } from "../columns/index.ts";
import { statisticsOf } from "../numbers/index.ts";
import type { StageId } from "../replication/stages.ts";
import type { CaptureModel } from "../replication/tables.ts";
import { replicaName, shareOf, sumOfStages, waitedFor } from "./aspects.ts";
import type { Settings } from "./settings.ts";
import type { Finding } from "./verdict.ts";
import { formatDuration } from "../words/words.ts";

/** D4, D5, D8 and D9: work of processors and schedulers on either side. */
export function handlingRules(model: CaptureModel, settings: Settings): Finding[] {
  const perSecondary = waitedFor(model).flatMap((s) => [
    ...send(model, s, settings),
    ...compression(model, s, settings),
    ...secondaryWork(model, s, settings),
    ...ackReceive(model, s, settings),
  ]);
  return [...perSecondary, ...wakeUp(model, settings)];
}

function finding(
  rule: string,
  stage: StageId,
  secondary: number | null,
  sentence: string,
  checkNext: string[],
): Finding {
  return { rule, severity: "notice", sentence, share: null, stage, secondary, checkNext };
}

function send(model: CaptureModel, secondary: number, settings: Settings): Finding[] {
  const compressions = stageColumn(model, secondary, "compression");
  const without = stageColumn(model, secondary, "send").map((us, row) => us - (compressions[row] || 0));
  const { p95, mean } = statisticsOf(without);
  const share = mean / stageStatistics(model, secondary, "remoteHarden").mean;
  if (!(p95 > settings.sendP95Us) && !(share > settings.sendShare)) return [];
  const sentence = `Handing blocks for ${replicaName(model, secondary + 1)} to transport takes ${formatDuration(p95)} at p95.`;
  const checks = [
    `Runnable tasks and worker threads on ${replicaName(model, 0)}`,
    "Databases per mirroring endpoint, endpoint encryption",
    "Flow control and ucs events",
  ];
  return [{ ...finding("D4", "send", secondary, sentence, checks), share }];
}

function compression(model: CaptureModel, secondary: number, settings: Settings): Finding[] {
  return (["compression", "decompression"] as const).flatMap((id) => {
    const { p95 } = stageStatistics(model, secondary, id);
    if (!(p95 > settings.compressionP95Us)) return [];
    const word = id === "compression" ? "Compression for" : "Decompression on";
    const sentence = `${word} ${replicaName(model, secondary + 1)} costs ${formatDuration(p95)} per block at p95.`;
    const checks = [
      "Processor load of both replicas",
      "Trace flags 9592, 1462 and 9567: is compression wanted here?",
    ];
    return [finding("D5", id, secondary, sentence, checks)];
  });
}

function secondaryWork(model: CaptureModel, secondary: number, settings: Settings): Finding[] {
  const parts = ["secondaryAppend", "ackBuild", "ackSend"] as const;
  const append = stageStatistics(model, secondary, "secondaryAppend").p95;
  const ack = statisticsOf(sumOfStages(model, secondary, ["ackBuild", "ackSend"])).p95;
  const whole = statisticsOf(sumOfStages(model, secondary, parts));
  const share = whole.mean / stageStatistics(model, secondary, "secondaryTotal").mean;
  const isSlow = append > settings.secondaryWorkP95Us || ack > settings.secondaryWorkP95Us;
  // A high share of a short time is a fast disk, not slow handling.
  const isLarge = share > settings.secondaryWorkShare && whole.p95 > settings.secondaryWorkP95Us / 2;
  if (!isSlow && !isLarge) return [];
  const name = replicaName(model, secondary + 1);
  const sentence = `${name} spends ${formatDuration(whole.p95)} at p95 outside the log write.`;
  const checks = [`Schedulers and worker threads of ${name}`, "Log cache contention"];
  return [
    {
      ...finding("D8", "secondaryAppend", secondary, sentence, checks),
      share: shareOf(model, secondary, parts),
    },
  ];
}

function ackReceive(model: CaptureModel, secondary: number, settings: Settings): Finding[] {
  const { p95 } = stageStatistics(model, secondary, "ackReceive");
  if (!(p95 > settings.ackP95Us)) return [];
  const sentence = `${replicaName(model, 0)} takes ${formatDuration(p95)} at p95 to act on acknowledgements of ${replicaName(model, secondary + 1)}.`;
  return [finding("D9", "ackReceive", secondary, sentence, primaryChecks(model))];
}

function wakeUp(model: CaptureModel, settings: Settings): Finding[] {
  const { p95 } = statisticsOf(commitWakeUps(model));
  if (!(p95 > settings.ackP95Us)) return [];
  const sentence = `${replicaName(model, 0)} takes ${formatDuration(p95)} at p95 to wake commits that are released.`;
  return [finding("D9", "commitWakeUp", null, sentence, primaryChecks(model))];
}

const primaryChecks = (model: CaptureModel): string[] => [
  `Processor load and non-yielding schedulers of ${replicaName(model, 0)}`,
  "HADR_LOGPROGRESS_SYNC waits",
];
