/** Means of stages: rows of their table, time in which a server was unresponsive, names, colors and limits. */
import {
  isStageId,
  isWritePart,
  REMOTE_PATH,
  REMOTE_STAGE_IDS,
  type RemoteStageId,
  stageDefinition,
  type StageId,
  stageLabel,
  stageName,
  writePart,
  type WritePartId,
} from "@aglens/ag-model/replication";
import type {
  DistributionStage,
  PausedPath,
  RangeStatistics,
  SlowBlock,
  SlowCommit,
  Summary,
} from "@aglens/contract";
import { barPieces } from "../../charts/block-pieces.ts";
import { type ReplicaNames, stageToken, type StageToken } from "../../lanes/palette.ts";
import { captureViewTexts as texts } from "../../messages/capture-view.ts";
import { durationText, formatPercent, unbroken } from "../../ui/words.ts";
import { replicaNames } from "./names.ts";
import type { TermId } from "../../messages/terms.ts";

/** Means by stage, µs, or their shares; null or absent where the mean is not known. */
export type Means = Readonly<Partial<Record<StageId, number | null>>>;

/** The means of a secondary's stages. */
export const meansOf = (stages: Summary["stages"][number] | undefined): Means =>
  Object.fromEntries(Object.entries(stages ?? {}).map(([id, { mean }]) => [id, mean]));

/** One row of the stage table; ack build and ack send are one row. */
export interface StageRow {
  readonly key: string;
  readonly label: string;
  readonly token: StageToken;
  readonly ids: readonly RemoteStageId[];
}

/** Rows of the remote path in its order. */
export function stageRows(names: ReplicaNames): StageRow[] {
  return REMOTE_PATH.filter(({ id }) => id !== "ackSend").map(({ id }) => ({
    key: id,
    label: id === "ackBuild" ? texts.ack(names.secondary) : stageName(id, names),
    token: stageToken(id),
    ids: id === "ackBuild" ? ["ackBuild", "ackSend"] : [id],
  }));
}

const HIDDEN = "hidden";

/** True when no file of the secondary separates its part from the network's. */
export const isHidden = (means: Means): boolean => (means["wireOut"] ?? null) === null;

/** True when the mean of the complete remote path is known, even if some of its parts are not. */
export const isTotalKnown = (means: Means): boolean => (means["remoteHarden"] ?? null) !== null;

/** Rows without the secondary's file: the stages that the primary shows, and the rest as one row. */
export function rowsWithoutFile(names: ReplicaNames): StageRow[] {
  const seen = stageRows(names).filter(({ ids }) => ids.includes("send") || ids.includes("ackReceive"));
  return [...seen, { key: HIDDEN, label: texts.networkAnd(names.secondary), token: "--wait", ids: [] }];
}

/** The remote path without the primary's own stages, µs. */
function hiddenMean(means: Means): number | null {
  const whole = means["remoteHarden"];
  if (whole === null || whole === undefined) return null;
  return whole - (means["send"] ?? 0) - (means["ackReceive"] ?? 0);
}

/** Sum of a row's stages, µs; null when no stage is known. */
export function rowMean(row: StageRow, means: Means): number | null {
  return row.key === HIDDEN ? hiddenMean(means) : rowSum(row, means);
}

/** Sum of the known values of a row's stages, such as their shares; null when no value is known. */
export function rowSum({ ids }: StageRow, values: Means): number | null {
  const known = ids.map((id) => values[id]).filter((value) => value !== null && value !== undefined);
  return known.length === 0 ? null : known.reduce((a, b) => a + b, 0);
}

/**
 * Mean remote harden, µs: the means of the path's stages add up to it. Without the secondary's file only the total is
 * known; where the total is not known, it is the sum of the known stages (`knownPart`).
 */
export function pathMean(means: Means): number | null {
  const whole = means["remoteHarden"];
  if (isHidden(means) && whole !== null && whole !== undefined) return whole;
  const known = REMOTE_PATH.map(({ id }) => means[id]).filter((us) => us !== null && us !== undefined);
  return known.length === 0 ? null : known.reduce((a, b) => a + b, 0);
}

/**
 * Name of the part of the remote path that `pathMean` covers: the secondary's own part without the primary's file or
 * start_timestamp, and some stages where no acknowledgment is seen to arrive. Null where it covers all of the path, and
 * where nothing is known.
 * @param secondary its name
 */
export function knownPart(means: Means, secondary: string): string | null {
  const known = REMOTE_PATH.filter(({ id }) => (means[id] ?? null) !== null);
  if (isTotalKnown(means) || known.length === 0) return null;
  return known.every(({ place }) => place === "secondary") ? texts.sPart(secondary) : texts.knownStages;
}

const nameOfMean = (part: string | null): string =>
  part === null ? texts.meanRemoteHarden : texts.meanOf(part);

/** Name of `pathMean`. */
export const pathMeanName = (means: Means, names: ReplicaNames): string =>
  nameOfMean(knownPart(means, names.secondary));

/** One of several means that are shown side by side: the mean of a database or a phase. */
export interface ComparedMean {
  readonly name: string;
  readonly means: Means;
  /** Name of the secondary. */
  readonly secondary: string;
}

/**
 * The common title of means that are shown side by side, and a sentence for each mean that covers less than the title;
 * `less` is null where no mean does.
 */
export function namesOfMeans(beside: readonly ComparedMean[]): {
  readonly title: string;
  readonly less: string | null;
} {
  const rows = beside
    .filter(({ means }) => pathMean(means) !== null)
    .map(({ name, means, secondary }) => ({ name, part: knownPart(means, secondary) }));
  const parts = [...new Set(rows.map(({ part }) => part))];
  const together = parts.length < 2 ? (parts[0] ?? null) : parts.includes(null) ? null : texts.knownStages;
  const less = rows
    .filter(({ part }) => part !== null && part !== together)
    .map(({ name, part }) => texts.meanOfPart(name, part));
  return { title: nameOfMean(together), less: less.length === 0 ? null : less.join(" ") };
}

export interface Standstill {
  /** Name of the server; of several servers the one with the largest part. */
  readonly server: string;
  /** The server's part of the mean, µs. */
  readonly us: number;
  /** The server's share of the mean, 0..1. */
  readonly share: number;
}

/**
 * The standstill in the blocks of a range for one secondary; null where no server was unresponsive, and where nothing
 * is known yet.
 */
export function standstillOf(
  statistics: Pick<RangeStatistics, "stages" | "paused"> | null,
  secondary: number,
  { replicas }: Pick<Summary, "replicas">,
): Standstill | null {
  const paused: PausedPath = statistics?.paused[secondary] ?? null;
  const whole = pathMean(meansOf(statistics?.stages[secondary]));
  if (paused === null || whole === null || !(whole > 0)) return null;
  const us = REMOTE_STAGE_IDS.reduce((sum, id) => sum + (paused.stages[id] ?? 0), 0);
  return { server: replicas[paused.replica]?.name ?? texts.server, us, share: us / whole };
}

/** `SQL2 was unresponsive for 95 % of it` */
export const standstillText = ({ server, share }: Standstill): string =>
  texts.wasUnresponsive(server, formatPercent(share));

/** The same standstill as a sentence next to a table of means. @param mean which one: `the mean of all blocks` */
export const standstillSentence = ({ server, us, share }: Standstill, mean: string): string =>
  texts.wasUnresponsiveFor(server, unbroken(`${durationText(us)} (${formatPercent(share)})`), mean);

/**
 * Means over the complete capture under the names of SSMS and its counters, with the stages that each one covers; µs.
 */
export function ssmsAverages(
  summary: Summary,
  secondary: number,
): { readonly name: string; readonly term: TermId; readonly covers: string; readonly mean: number | null }[] {
  const stages = summary.stages[secondary];
  const names = replicaNames(summary, secondary);
  return [
    { name: "Commit", term: "commit", covers: texts.queueToRelease, mean: summary.commits.latency.mean },
    {
      name: texts.remoteHardenTime,
      term: "remoteHarden",
      covers: texts.toAndBack(names.secondary),
      mean: stages?.remoteHarden.mean ?? null,
    },
    {
      name: texts.primaryLogFlush,
      term: "localFlush",
      covers: stageName("localFlush", names),
      mean: stages?.localFlush.mean ?? null,
    },
    {
      name: texts.secondaryLogFlush,
      term: "secondaryFlush",
      covers: stageName("secondaryFlush", names),
      mean: stages?.secondaryFlush.mean ?? null,
    },
    {
      name: texts.secondaryProcessing,
      term: "secondaryTotal",
      covers: texts.receiveToAcknowledgment,
      mean: stages?.secondaryTotal.mean ?? null,
    },
  ];
}

type Servers = Pick<Summary, "replicas">;

/** A stage of a block, as tables name it. */
export interface Part {
  readonly label: string;
  readonly token: StageToken;
  readonly us: number | null;
  /** Absent where it is not one stage. */
  readonly stage?: StageId;
}

/**
 * Largest stage of the remote path. Without the secondary's file its part and the network's are one. Time in which a
 * server was unresponsive belongs to no stage.
 */
export function largestPart(block: SlowBlock, names: ReplicaNames, summary: Servers): Part | null {
  const { stages, largest } = block;
  const paused = pausedPart(block, summary);
  if (paused !== null) return paused;
  const hidden = barPieces(stages).find(({ token }) => token === "--wait");
  if (hidden && hidden.duration > (largest === null ? 0 : (stages[largest] ?? 0)))
    return { label: texts.networkAnd(names.secondary), token: hidden.token, us: hidden.duration };
  if (largest === null) return null;
  return {
    label: stageName(largest, names),
    token: stageToken(largest),
    us: stages[largest] ?? null,
    stage: largest,
  };
}

/** The server that was unresponsive for more of a path than any other stage of it took; null without such a server. */
export function pausedPart(
  { stages, paused }: Pick<SlowBlock, "stages" | "paused"> | SlowCommit["paths"][number],
  { replicas }: Servers,
): (Part & { readonly server: string }) | null {
  if (paused === null) return null;
  const us = Object.values(paused.stages).reduce((sum, each) => sum + each, 0);
  const others = REMOTE_STAGE_IDS.filter((id) => paused.stages[id] === undefined);
  if (us <= Math.max(0, ...others.map((id) => stages[id] ?? 0))) return null;
  const server = replicas[paused.replica]?.name ?? texts.server;
  return { label: texts.wasUnresponsivePart(server), token: "--wait", us, server };
}

/** Stages that a DBA chooses from: commits first, then the path in its order. */
export function distributionStageName(id: DistributionStage, names: ReplicaNames): string {
  if (isWritePart(id)) {
    const { of, label } = writePart(id);
    return texts.partOfWrite(stageLabel(of, names), label);
  }
  if (!isStageId(id)) return id === "commit" ? "Commit" : "Acknowledge";
  return stageLabel(id, names);
}

/** The complete acknowledgment counts as handling on the secondary. */
export function stageColor(id: DistributionStage): StageToken {
  if (isWritePart(id)) return writePartColor(id);
  return id === "acknowledge" ? "--s-work" : stageToken(id);
}

/** The device is strong, SQL Server soft, in the hue of their server. */
function writePartColor(id: WritePartId): StageToken {
  const { of, part } = writePart(id);
  if (of === "localFlush") return part === "device" ? "--p-disk" : "--p-work";
  return part === "device" ? "--s-disk" : "--s-work";
}

const COMMIT_LIMIT_US = 10_000;
const ACKNOWLEDGE_LIMIT_US = 1_000;

/** Maximum expected duration, µs; NaN for a stage without a limit. Log writes have classes instead. */
export function expectedLimit(id: DistributionStage): number {
  if (id === "commit") return COMMIT_LIMIT_US;
  if (id === "acknowledge") return ACKNOWLEDGE_LIMIT_US;
  return isLogWrite(id) || isWritePart(id) ? Number.NaN : stageDefinition(id).limitUs;
}

export const isLogWrite = (id: DistributionStage): boolean => id === "localFlush" || id === "secondaryFlush";
