/** The target of the lanes' menu, and the texts that the menu copies. */
import { hasNoSecondary, type BlockFilter, type Summary } from "@aglens/contract";
import { formatLsn, isStageId, type StageId, stageLabel } from "@aglens/ag-model/replication";
import { blockIdOf, blockSpan, gateOf, phaseIn, stageAt } from "../../../charts/timeline/buffered.ts";
import { type Buffer, positionOf } from "../../../charts/timeline/spans.ts";
import type { Lane } from "../../../lanes/lanes.ts";
import { timelineLanesTexts } from "../../../messages/timeline-lanes.ts";
import {
  type CaptureTime,
  clockAt,
  durationText,
  formatDate,
  formatTime,
  utcTip,
} from "../../../ui/words.ts";
import { UTC } from "../../../ui/zone.ts";
import type { ZonedSummary } from "../../capture-view/zones.ts";
import { replicaNames } from "../../capture-view/names.ts";
import { laneText, lengthText } from "./block-tip.tsx";
import { releaseText } from "../panes/released-by.ts";
import { PANE_STAGES } from "../stage-names.ts";

/** A bar of a block. */
export interface MenuBar {
  readonly lane: Lane;
  /** Row of the block in the capture. */
  readonly row: number;
  /** Start of the bar, µs from the capture's origin. */
  readonly start: number;
  readonly end: number;
}

/** Place where the menu was opened: an instant (µs), and the bar under the pointer. */
export interface MenuTarget {
  readonly at: number;
  readonly bar: MenuBar | null;
}

/** A text to copy; `shown` where the line shows a shorter text. */
export interface Copy {
  readonly label: string;
  readonly text: string;
  readonly shown?: string;
}

/** `00000022:000001f7` as SQL Server's functions print it in decimal, VLF and block: `34:503`. */
export const decimalLsn = (lsn: string): string =>
  lsn
    .split(":")
    .map((part) => Number.parseInt(part, 16))
    .join(":");

/** UTC and the time of the shown zone with their dates, and the offset in seconds, both to the microsecond. */
export function timeCopies(summary: Pick<ZonedSummary, "originTicks" | "zone">, at: number): readonly Copy[] {
  const utc: CaptureTime = { originTicks: summary.originTicks, durationUs: 0 };
  const own = { ...utc, zone: summary.zone ?? UTC };
  const clocks = utcTip(own, at) === undefined ? [utc] : [utc, own];
  return [
    ...clocks.map((clock) => ({
      label: clockAt(clock, at),
      text: `${formatDate(clock, at)} ${formatTime(clock, at, 6)}`,
    })),
    { label: timelineLanesTexts.offset, text: `${at < 0 ? "-" : "+"}${(Math.abs(at) / 1e6).toFixed(6)} s` },
  ];
}

/** The LSN in both spellings, and the block's row; empty where its block is no longer loaded. */
export function blockCopies(
  summary: Summary,
  buffer: Buffer,
  { lane, row }: MenuBar,
  secondary: number,
): readonly Copy[] {
  const position = positionOf(buffer, row);
  if (position < 0) return [];
  const lsn = formatLsn(blockIdOf(buffer, position));
  const towards = lane.secondary < 0 ? secondary : lane.secondary;
  return [
    { label: timelineLanesTexts.lsnHex, text: lsn },
    { label: timelineLanesTexts.lsnDecimal, text: decimalLsn(lsn) },
    {
      label: timelineLanesTexts.rowWithAllStages,
      text: rowText(summary, buffer, position, towards),
      shown: "tab-separated",
    },
  ];
}

/** Two lines, heads and values: instants and lengths in µs, empty where a value is not known. */
function rowText(summary: Summary, buffer: Buffer, position: number, secondary: number): string {
  const lsn = formatLsn(blockIdOf(buffer, position));
  const [start] = blockSpan(buffer, position) ?? [Number.NaN];
  const [utc] = timeCopies(summary, start);
  const phase = phaseIn(buffer, position);
  const names = replicaNames(summary, secondary, phase);
  const stages: readonly StageId[] = [...PANE_STAGES, "remoteHarden"];
  const cells: readonly (readonly [head: string, value: string])[] = [
    ["LSN", lsn],
    [timelineLanesTexts.lsnDecimalLabel, decimalLsn(lsn)],
    [utc?.label ?? "", utc?.text ?? ""],
    [timelineLanesTexts.offsetS, String(Math.round(start * 10) / 10)],
    [timelineLanesTexts.releasedByLabel, releaseText(summary, gateOf(buffer, position), phase) ?? ""],
    ...stages.map((id) => {
      const us = stageAt(buffer, secondary, id, position);
      return [`${stageLabel(id, names)} µs`, us === null ? "" : String(Math.round(us * 10) / 10)] as const;
    }),
  ];
  return `${cells.map(([head]) => head).join("\t")}\n${cells.map(([, value]) => value).join("\t")}`;
}

/** "Commit of block …", and its length and release below; null where its block is no longer loaded. */
export function headOf(
  summary: Summary,
  buffer: Buffer,
  { lane, row, start, end }: MenuBar,
): { readonly what: string; readonly lsn: string; readonly more: string } | null {
  const position = positionOf(buffer, row);
  if (position < 0) return null;
  const phase = phaseIn(buffer, position);
  const release = releaseText(summary, gateOf(buffer, position), phase);
  const released =
    lane.shape === "commits" && release !== null ? timelineLanesTexts.releasedByPart(release) : "";
  return {
    what: laneText(lane, summary, phase),
    lsn: formatLsn(blockIdOf(buffer, position)),
    more: timelineLanesTexts.from(lengthText(end - start), formatTime(summary, start, 6), released),
  };
}

/** Filter for blocks whose stage took about as long as this bar or longer; null for a bar without a filter. */
export function filterLike(
  summary: Summary,
  { lane, start, end }: MenuBar,
): { readonly where: BlockFilter; readonly words: string } | null {
  const stage = lane.figure;
  const us = end - start;
  const isKnown = stage === "commit" || stage === "acknowledge" || isStageId(stage);
  if (!isKnown || !(us >= 1)) return null;
  const digit = 10 ** Math.floor(Math.log10(us));
  const least = Math.floor(us / digit) * digit;
  const secondary = hasNoSecondary(stage) ? null : Math.max(0, lane.secondary);
  const where: BlockFilter = [
    { kind: "duration", stage, secondary, comparison: { sign: ">=", amount: least } },
  ];
  return { where, words: timelineLanesTexts.fromOn(laneText(lane, summary), durationText(least)) };
}
