/** What of a mean remote harden a server stood still for: no stage's time, and not the network's (decision 136). */
import type { PausedPath, RangeStatistics, Summary } from "@aglens/contract";
import { REMOTE_STAGE_IDS } from "@aglens/ag-model/replication";
import { durationText, formatPercent, unbroken } from "../ui/words.ts";
import { meansOf, pathMean } from "./stage-rows.ts";

export interface Standstill {
  /** Name of the server; of several the one that most of it was spent for. */
  readonly server: string;
  /** Of the mean, µs. */
  readonly us: number;
  /** Of the mean, 0..1. */
  readonly share: number;
}

/** Of the blocks of a range towards one secondary; null where no server stood still, and where nothing is known yet. */
export function standstillOf(
  statistics: Pick<RangeStatistics, "stages" | "paused"> | null,
  secondary: number,
  { replicas }: Pick<Summary, "replicas">,
): Standstill | null {
  const paused: PausedPath = statistics?.paused[secondary] ?? null;
  const whole = pathMean(meansOf(statistics?.stages[secondary]));
  if (paused === null || whole === null || !(whole > 0)) return null;
  const us = REMOTE_STAGE_IDS.reduce((sum, id) => sum + (paused.stages[id] ?? 0), 0);
  return { server: replicas[paused.replica]?.name ?? "A server", us, share: us / whole };
}

/** `SQL2 stood still for 95 % of it` */
export const standstillWords = ({ server, share }: Standstill): string =>
  `${server} stood still for ${formatPercent(share)} of it`;

/** The same beside a table of means. @param mean which one: `the mean of all blocks` */
export const standstillSentence = ({ server, us, share }: Standstill, mean: string): string =>
  `Of ${mean} ${server} stood still for ${unbroken(`${durationText(us)}, ${formatPercent(share)}`)}: the stages that it fell in did not need this time, nor did the network.`;
