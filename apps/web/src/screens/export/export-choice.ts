/** The kinds of export, and their names in the dialog. */
import { isEvidenceTable, ROW_TABLES, type EvidenceTable, type RowTable } from "@aglens/ag-model/tables";
import { firstView, type Summary } from "@aglens/contract";
import type { TableFormat, TimeRange } from "../../data/capture-source.ts";
import { exportTexts as texts } from "../../messages/export.ts";
import type { View } from "../../state/view.ts";
import { databaseIndex } from "../capture-view/databases.ts";
import { firstViewName, isFirstPart } from "../capture-view/shown-range.ts";
import { phaseIndex } from "../capture-view/phases.ts";
import { durationText, formatCount, formatRange } from "../../ui/words.ts";
import type { PictureFormat, PictureOf } from "./picture-file.tsx";
import type { ReportChoice, ReportPart } from "./report/report-data.ts";

export type Exported = "report" | "capture" | "trace" | PictureOf | RowTable | EvidenceTable;

export interface ExportChoice extends ReportChoice {
  readonly what: Exported;
  readonly pictureFormat: PictureFormat;
  readonly tableFormat: TableFormat;
  /** The event files are exported with the capture. */
  readonly withFiles: boolean;
}

export const isTable = (what: Exported): what is RowTable | EvidenceTable =>
  isEvidenceTable(what) || (ROW_TABLES as readonly string[]).includes(what);

export const WHAT: readonly { readonly id: Exported; readonly label: string; readonly note: string }[] = [
  { id: "report", label: texts.report, note: texts.verdictChartsSequences },
  { id: "timeline", label: texts.timelineAsAPicture, note: texts.rangeWithNames },
  { id: "overview", label: texts.overviewAsAPicture, note: texts.capturesCharts },
  { id: "blocks", label: texts.logBlocks, note: texts.rowPerBlock },
  { id: "hops", label: texts.hops, note: texts.rowPerBlockAnd },
  { id: "commits", label: texts.commits, note: texts.rowPerCommit },
  { id: "evidence_events", label: texts.evidenceEvents, note: texts.rowPerEvent },
  { id: "evidence_samples", label: texts.evidenceSamples, note: texts.rowPerSample },
  { id: "trace", label: texts.perfettoTrace, note: texts.pathsAsSlices },
  {
    id: "capture",
    label: texts.captureItself,
    note: texts.aglensFileOpens,
  },
];

/** Whether the file has the rows of the filter's blocks alone, with their names, and is not given behind a link. */
export const hasRows = (what: Exported): what is RowTable | EvidenceTable | "trace" =>
  isTable(what) || what === "trace";

/** Whether the export has no range to choose. */
export const coversCapture = (what: Exported): boolean => what === "overview" || what === "capture";

export const PARTS: readonly { readonly id: ReportPart; readonly label: string }[] = [
  { id: "verdict", label: texts.verdictEvidenceCheckNext },
  { id: "happened", label: texts.causesAndEvents },
  { id: "overview", label: texts.overviewCharts },
  { id: "timeline", label: texts.timelineOfTheRange },
  { id: "notes", label: texts.notes },
  { id: "sequences", label: texts.sequencesSlowestSlowest },
  { id: "slowest", label: texts.slowestBlocks },
  { id: "stages", label: texts.stageTablesAlso },
  { id: "blocks", label: texts.allBlocks },
];
export const FIRST_PARTS: readonly ReportPart[] = PARTS.map(({ id }) => id).filter((id) => id !== "blocks");

/** Maximum size that mail and ticket systems often accept. */
export const MOST_REPORT_BYTES = 5e6;

export interface ExportRange {
  readonly key: string;
  readonly label: string;
  readonly note: string;
  readonly range: TimeRange;
}

/**
 * The complete capture, the time that all files cover, each episode, the selected range, and the range in view. The
 * last one is the most likely choice.
 */
export function exportRanges(
  summary: Summary,
  view: Pick<View, "range" | "selected" | "secondary" | "database" | "phase">,
): ExportRange[] {
  const isComplete =
    databaseIndex(summary, view.database) === null && phaseIndex(summary, view.phase) === null;
  const whole: ExportRange = {
    key: "whole",
    label: texts.wholeCapture,
    // The summary only counts the blocks of the complete capture.
    note: isComplete
      ? texts.blocks(durationText(summary.durationUs), formatCount(summary.blocks.total))
      : durationText(summary.durationUs),
    range: { from: 0, to: summary.durationUs },
  };
  const [from, to] = firstView(summary);
  const common: ExportRange[] = isFirstPart(summary)
    ? [
        {
          key: "common",
          label: firstViewName(summary),
          note: texts.coveredByEveryFile(durationText(to - from)),
          range: { from, to },
        },
      ]
    : [];
  const episodes = summary.verdict.episodes
    .filter(({ secondary }) => secondary === view.secondary)
    .map(({ label, from: begin, to: end, blocks }, i) => ({
      key: `episode${i}`,
      label,
      note: texts.blocks(durationText(end - begin), formatCount(blocks)),
      range: { from: begin, to: end },
    }));
  const own = [
    periodOfView(summary, "selection", view.selected, "selected"),
    periodOfView(summary, "view", view.range, texts.asOnScreen),
  ];
  return [whole, ...common, ...episodes, ...own.filter((period) => period !== null)];
}

function periodOfView(
  summary: Summary,
  key: string,
  range: View["range"],
  words: string,
): ExportRange | null {
  if (range === null) return null;
  const [from, to] = range;
  const label = formatRange(summary, from, to, to - from < 10e6 ? 3 : 0);
  return { key, label, note: `${durationText(to - from)}, ${words}`, range: { from, to } };
}
