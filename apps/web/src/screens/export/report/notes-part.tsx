import type { ReactNode } from "react";
import type { Summary } from "@aglens/contract";
import { reportTexts as texts } from "../../../messages/report.ts";
import { formatInstant, formatRange } from "../../../ui/words.ts";
import { authorOf, type PlacedNote, zonedWrittenText } from "../../../notes/placed-note.ts";
import { UTC } from "../../../ui/zone.ts";
import type { ReportData } from "./report-data.ts";
import { Section } from "./section.tsx";

/** Notes of users on ranges and log blocks, in order of time; shows nothing where there are no notes. */
export function NotesPart({ data: { notes, summary } }: { readonly data: ReportData }): ReactNode {
  if (notes.length === 0) return null;
  return (
    <Section id="notes" title={texts.notes} note={texts.writtenByWhoLooked}>
      <ul className="notes">
        {notes.map((note) => (
          <li key={note.id}>
            <b>{texts.noteOn(placeInDay(note, summary))}</b> {note.text}{" "}
            <span className="quiet">
              {authorOf(note)}, {zonedWrittenText(note.written, summary.zone ?? UTC)}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function placeInDay({ from, to, lsn }: PlacedNote, summary: Summary): string {
  const digits = to - from < 10e6 ? 3 : 0;
  return lsn === null
    ? formatRange(summary, from, to, digits)
    : texts.block(lsn, formatInstant(summary, from, digits));
}
