import { renderToStaticMarkup } from "react-dom/server";
import type { Summary } from "@aglens/contract";
import { filterInName } from "../../capture-view/table-file.ts";
import type { CaptureSource } from "../../../data/capture-source.ts";
import { fileName, type WrittenFile } from "../../../frame/save-file.ts";
import { reportTexts as texts } from "../../../messages/report.ts";
import { readReport, type ReportChoice } from "./report-data.ts";
import { captureText, hasDay, Report } from "./report.tsx";
import { reportStyleSheet } from "./style-sheet.ts";

/**
 * Writes a capture's report as one HTML file.
 * @param madeAt time of creation for the report's text
 * Rejects with ProblemError when the server refuses an answer, with an AbortError when `signal` fires.
 */
export async function writeReport(
  source: CaptureSource,
  summary: Summary,
  choice: ReportChoice,
  madeAt: string,
  signal: AbortSignal,
): Promise<WrittenFile> {
  const [data, css] = await Promise.all([
    readReport(source, summary, choice, signal),
    reportStyleSheet(signal),
  ]);
  const sheet = `${css}\n${paperRules(texts.fileTitle(captureText(data)))}`;
  const { name, originUtc } = data.summary;
  const day = hasDay(data.summary) ? "" : ` ${originUtc.slice(0, 10)}`;
  const markup = renderToStaticMarkup(<Report data={data} css={sheet} madeAt={madeAt} />);
  return {
    name: `${fileName(`${name}${day}${filterInName(data.filter?.words ?? null)}`)}.html`,
    type: "text/html",
    content: `<!doctype html>\n${markup}`,
  };
}

/** A4 or Letter with the capture in each page's head and the page's number in its foot. */
export function paperRules(head: string): string {
  const words = JSON.stringify(head).replaceAll("<", String.raw`\3c `);
  return `@page {
  margin: 15mm;
  @top-left { content: ${words}; font: 8pt sans-serif; color: #667080; }
  @bottom-right { content: "page " counter(page) " of " counter(pages); font: 8pt sans-serif; color: #667080; }
}`;
}
