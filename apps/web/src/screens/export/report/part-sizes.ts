/** Size of each part of a written report. */
import type { ReportPart } from "./report-data.ts";

/** The part that a section belongs to, by the section's id; others are in every report. */
const PART_OF_SECTION: Readonly<Record<string, ReportPart>> = {
  verdict: "verdict",
  check: "verdict",
  findings: "verdict",
  happened: "happened",
  agreement: "happened",
  latency: "overview",
  shares: "overview",
  harden: "overview",
  timeline: "timeline",
  notes: "notes",
  sequences: "sequences",
  slowest: "slowest",
  stages: "stages",
  classes: "stages",
  averages: "stages",
  blocks: "blocks",
};

export type PartSizes = ReadonlyMap<ReportPart, number>;

/** Bytes of each part of a report's markup, from a section's beginning to the next section's. */
export function partSizes(markup: string): PartSizes {
  const starts = [...markup.matchAll(/<section id="(\w+)"/gu)].map(({ 1: id = "", index }) => ({
    id,
    index,
  }));
  const sizes = new Map<ReportPart, number>();
  for (const [i, { id, index }] of starts.entries()) {
    const part = PART_OF_SECTION[id];
    if (part === undefined) continue;
    const bytes = new Blob([markup.slice(index, starts[i + 1]?.index)]).size;
    sizes.set(part, (sizes.get(part) ?? 0) + bytes);
  }
  return sizes;
}

/** The largest part; null where none is known. */
export function largestOfParts(sizes: PartSizes): ReportPart | null {
  return [...sizes].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}
