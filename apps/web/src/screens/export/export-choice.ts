/** The kinds of export, and their names in the dialog. */
import { ROW_TABLES, type RowTable } from "@aglens/ag-model/tables";
import { firstView, type Summary } from "@aglens/contract";
import type { TableFormat, TimeRange } from "../../data/capture-source.ts";
import type { View } from "../../state/view.ts";
import { databaseIndex } from "../capture-view/databases.ts";
import { firstViewName, isFirstPart } from "../capture-view/shown-range.ts";
import { phaseIndex } from "../capture-view/phases.ts";
import { durationText, formatCount, formatRange } from "../../ui/words.ts";
import type { PictureFormat, PictureOf } from "./picture-file.tsx";
import type { ReportChoice, ReportPart } from "./report/report-data.ts";

export type Exported = "report" | "capture" | PictureOf | RowTable;

export interface ExportChoice extends ReportChoice {
  readonly what: Exported;
  readonly pictureFormat: PictureFormat;
  readonly tableFormat: TableFormat;
  /** The event files are exported with the capture. */
  readonly withFiles: boolean;
}

export const isTable = (what: Exported): what is RowTable => (ROW_TABLES as readonly string[]).includes(what);

export const WHAT: readonly { readonly id: Exported; readonly label: string; readonly note: string }[] = [
  { id: "report", label: "Report", note: "verdict, charts, sequences, tables for a ticket: one HTML file" },
  { id: "timeline", label: "Timeline as a picture", note: "the range, with names and figures" },
  { id: "overview", label: "Overview as a picture", note: "the capture's charts" },
  { id: "blocks", label: "Log blocks", note: "a row per block: the primary's instants" },
  { id: "hops", label: "Hops", note: "a row per block and replica: send to acknowledgment" },
  { id: "commits", label: "Commits", note: "a row per commit, and what released it" },
  {
    id: "capture",
    label: "The capture itself",
    note: "an .aglens file: opens on any AG Lens, with its notes",
  },
];

/** Whether the export has no range to choose. */
export const coversCapture = (what: Exported): boolean => what === "overview" || what === "capture";

export const PARTS: readonly { readonly id: ReportPart; readonly label: string }[] = [
  { id: "verdict", label: "Verdict, evidence, check next" },
  { id: "overview", label: "Overview charts" },
  { id: "timeline", label: "Timeline of the range" },
  { id: "notes", label: "Notes" },
  { id: "sequences", label: "Sequences: slowest, slowest on the network, typical" },
  { id: "slowest", label: "Slowest blocks" },
  { id: "stages", label: "Stage tables, also as SSMS reports them" },
  { id: "blocks", label: "All blocks of the range as a table" },
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
    label: "Whole capture",
    // The summary only counts the blocks of the complete capture.
    note: isComplete
      ? `${durationText(summary.durationUs)}, ${formatCount(summary.blocks.total)} blocks`
      : durationText(summary.durationUs),
    range: { from: 0, to: summary.durationUs },
  };
  const [from, to] = firstView(summary);
  const common: ExportRange[] = isFirstPart(summary)
    ? [
        {
          key: "common",
          label: firstViewName(summary),
          note: `${durationText(to - from)}, covered by every file`,
          range: { from, to },
        },
      ]
    : [];
  const episodes = summary.verdict.episodes
    .filter(({ secondary }) => secondary === view.secondary)
    .map(({ label, from: begin, to: end, blocks }, i) => ({
      key: `episode${i}`,
      label,
      note: `${durationText(end - begin)}, ${formatCount(blocks)} blocks`,
      range: { from: begin, to: end },
    }));
  const own = [
    stretchOfView(summary, "selection", view.selected, "selected"),
    stretchOfView(summary, "view", view.range, "as on screen"),
  ];
  return [whole, ...common, ...episodes, ...own.filter((stretch) => stretch !== null)];
}

function stretchOfView(
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
