/** The complete report as one document: it opens offline, sends no requests, and prints on paper. */
import type { ReactNode } from "react";
import type { Summary } from "@aglens/contract";
import { reportTexts as texts } from "../../../messages/report.ts";
import { durationText, formatCount, formatDate, formatRange } from "../../../ui/words.ts";
import { scopeText } from "../../capture-view/databases.ts";
import { AllBlocksPart } from "./all-blocks-part.tsx";
import { SequencesPart, SlowestPart } from "./blocks-part.tsx";
import { OverviewPart } from "./overview-part.tsx";
import { Contents } from "./contents.tsx";
import { HappenedPart } from "./happened-part.tsx";
import { NotesPart } from "./notes-part.tsx";
import { PrintPatterns, printRules } from "./print-patterns.tsx";
import type { ReportData, ReportFilter, ReportPart } from "./report-data.ts";
import { Section } from "./section.tsx";
import { SvgPicture } from "./svg-picture.tsx";
import { CompletenessPart, StagesPart } from "./tables-part.tsx";
import { heightText, timelineDrawing } from "./timeline-drawing.ts";
import { VerdictPart } from "./verdict-part.tsx";

/** The report loads nothing and runs no scripts. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:";

export interface ReportFrame {
  readonly data: ReportData;
  /** The complete style sheet, including fonts. */
  readonly css: string;
  /** When it was written: `2026-11-21 14:52 UTC`. */
  readonly madeAt: string;
}

/** The document. */
export function Report({ data, css, madeAt }: ReportFrame): ReactNode {
  const { summary, choice } = data;
  const has = (part: ReportPart): boolean => choice.parts.has(part);
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta httpEquiv="Content-Security-Policy" content={POLICY} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{texts.agLensReport(summary.name)}</title>
        <style>{css}</style>
        <style media="print">{printRules()}</style>
      </head>
      <body>
        <PrintPatterns />
        <main>
          <header className="head">
            <b>{texts.agLensReportLabel}</b>
            <span>{captureText(data)}</span>
          </header>
          {data.filter === null ? null : <p className="filter">{filterSentence(data.filter, summary)}</p>}
          <Contents data={data} />
          {has("verdict") ? <VerdictPart summary={summary} /> : null}
          {has("happened") ? <HappenedPart data={data} /> : null}
          {has("overview") ? <OverviewPart data={data} /> : null}
          {has("timeline") ? <TimelinePart data={data} /> : null}
          {has("notes") ? <NotesPart data={data} /> : null}
          {has("sequences") ? <SequencesPart data={data} /> : null}
          {has("slowest") ? <SlowestPart data={data} /> : null}
          {has("stages") ? <StagesPart data={data} /> : null}
          {has("blocks") ? <AllBlocksPart data={data} /> : null}
          <CompletenessPart data={data} />
          <Made data={data} madeAt={madeAt} />
        </main>
      </body>
    </html>
  );
}

/** The effect of a block filter on a report. */
const filterSentence = ({ words, blocks }: ReportFilter, summary: Summary): string =>
  texts.filterOfLogBlocks(words, formatCount(blocks), formatCount(summary.blocks.total));

/** Name, database, phase, day and range of the report. */
export function captureText({ summary, choice }: ReportData): string {
  const day = formatDate(summary, 0);
  const named = hasDay(summary) ? "" : `, ${day} ${formatRange(summary, 0, summary.durationUs)}`;
  const scope = scopeText(summary, choice);
  return `${summary.name}${scope === null ? "" : `, ${scope}`}${named}, ${durationText(summary.durationUs)}`;
}

/** Whether the capture's name contains its date, as generated names do. */
export const hasDay = ({ name, originUtc }: Pick<Summary, "name" | "originUtc">): boolean =>
  name.includes(originUtc.slice(0, 4));

function TimelinePart({ data }: { readonly data: ReportData }): ReactNode {
  const { choice, summary, statistics } = data;
  const { from, to } = choice.range;
  const times = formatRange(summary, from, to, to - from < 10e6 ? 3 : 0);
  return (
    <Section
      id="timeline"
      title={texts.timeline(times)}
      note={texts.rangeBlocksData(durationText(to - from), formatCount(statistics.blocks), heightText(data))}
    >
      <SvgPicture id="timeline-picture" drawing={timelineDrawing(data)} />
    </Section>
  );
}

function Made({ data, madeAt }: { readonly data: ReportData; readonly madeAt: string }): ReactNode {
  const { summary, choice } = data;
  return (
    <Section id="made" title={texts.howThisWasMade}>
      <p>
        {texts.writtenByAgLens(
          madeAt,
          summary.files.map(({ name }) => name).join(", ") || texts.liveRun,
          choice.replacesNames,
        )}
      </p>
    </Section>
  );
}
