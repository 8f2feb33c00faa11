import type { ReactNode } from "react";
import { happenedTexts } from "../../../messages/happened.ts";
import { reportTexts as texts } from "../../../messages/report.ts";
import type { ReportData, ReportPart } from "./report-data.ts";

interface Entry {
  /** Id of the section's heading. */
  readonly id: string;
  readonly words: string;
  /** Null: in every report. */
  readonly part: ReportPart | null;
}

const ENTRIES: readonly Entry[] = [
  { id: "verdict", words: "Verdict", part: "verdict" },
  { id: "happened", words: happenedTexts.whatHappened, part: "happened" },
  { id: "latency", words: "Latency", part: "overview" },
  { id: "shares", words: texts.stagesOverTime, part: "overview" },
  { id: "timeline", words: "Timeline", part: "timeline" },
  { id: "notes", words: "Notes", part: "notes" },
  { id: "sequences", words: "Sequences", part: "sequences" },
  { id: "slowest", words: texts.slowestBlocks, part: "slowest" },
  { id: "stages", words: texts.stageTables, part: "stages" },
  { id: "clock", words: "Clock", part: null },
  { id: "completeness", words: "Completeness", part: null },
  { id: "made", words: texts.howThisWasMade, part: null },
];

/** Links to each part, for the screen; paper has pages. */
export function Contents({ data: { choice, notes, evidence } }: { readonly data: ReportData }): ReactNode {
  const entries = ENTRIES.filter(
    ({ id, part }) =>
      (part === null || choice.parts.has(part)) &&
      (id !== "notes" || notes.length > 0) &&
      (id !== "happened" || evidence !== null),
  );
  return (
    <nav aria-label={texts.partsOfTheReport}>
      {entries.map(({ id, words }) => (
        <a key={id} href={`#${id}`}>
          {words}
        </a>
      ))}
    </nav>
  );
}
