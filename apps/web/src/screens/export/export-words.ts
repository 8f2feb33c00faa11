/** What the export dialog offers. */
import type { Summary } from "@aglens/contract";
import type { TimeRange } from "../../data/capture-source.ts";
import type { View } from "../../state/view.ts";
import { durationText, formatCount, formatUtc } from "../../ui/words.ts";
import type { ReportPart } from "./report/report-data.ts";

export const PARTS: readonly { readonly id: ReportPart; readonly label: string }[] = [
  { id: "verdict", label: "Verdict, evidence, check next" },
  { id: "overview", label: "Overview charts" },
  { id: "timeline", label: "Timeline of the stretch" },
  { id: "sequences", label: "Sequences: slowest, slowest on the network, typical" },
  { id: "slowest", label: "Slowest blocks" },
  { id: "stages", label: "Stage tables, also as SSMS reports them" },
  { id: "blocks", label: "All blocks of the stretch as a table" },
];

export interface ExportRange {
  readonly key: string;
  readonly label: string;
  readonly note: string;
  readonly range: TimeRange;
}

/** The whole capture, each episode, and what is in view; the last is what one most likely wants. */
export function exportRanges(summary: Summary, view: Pick<View, "range" | "secondary">): ExportRange[] {
  const whole: ExportRange = {
    key: "whole",
    label: "Whole capture",
    note: `${durationText(summary.durationUs)}, ${formatCount(summary.blocks.total)} blocks`,
    range: { from: 0, to: summary.durationUs },
  };
  const episodes = summary.verdict.episodes
    .filter(({ secondary }) => secondary === view.secondary)
    .map(({ label, from, to, blocks }, i) => ({
      key: `episode${i}`,
      label,
      note: `${durationText(to - from)}, ${formatCount(blocks)} blocks`,
      range: { from, to },
    }));
  if (view.range === null) return [whole, ...episodes];
  const [from, to] = view.range;
  const clock = (us: number): string => formatUtc(summary.originTicks, us, to - from < 10e6 ? 3 : 0);
  const inView = {
    key: "view",
    label: `${clock(from)} to ${clock(to)} UTC`,
    note: `${durationText(to - from)}, as on screen`,
    range: { from, to },
  };
  return [whole, ...episodes, inView];
}
