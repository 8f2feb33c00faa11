import { isEvidenceTable, type EvidenceTable, type RowTable } from "@aglens/ag-model/tables";
import type { TableFormat, TimeRange } from "../../data/capture-source.ts";
import type { Question } from "../../data/use-answer.ts";
import { filterText } from "../../filter/filter-text.ts";
import { fileName, type WrittenFile } from "../../frame/save-file.ts";
import { captureViewTexts as texts } from "../../messages/capture-view.ts";
import type { OpenCapture } from "./capture-context.ts";
import { filterNamesOf } from "./names.ts";

/** Maximum length of the filter in a file name, in characters. */
const MOST_LETTERS = 80;

const TYPES: Readonly<Record<TableFormat, string>> = {
  csv: "text/csv",
  arrow: "application/vnd.apache.arrow.file",
  parquet: "application/vnd.apache.parquet",
};

/**
 * A table of a range as a file, with the blocks of the view's filter; the file name then contains the filter. Null
 * behind a link.
 */
export function tableFile(
  { source, summary, view }: Pick<OpenCapture, "source" | "summary" | "view">,
  table: RowTable | EvidenceTable,
  format: TableFormat,
  range: TimeRange,
): Question<WrittenFile> | null {
  const isFiltered = !isEvidenceTable(table);
  const question = source.table(table, format, range, isFiltered ? view.where : null);
  if (question === null) return null;
  const filtered = filterInName(isFiltered ? shownFilter({ summary, view }) : null);
  return {
    key: question.key,
    ask: async (signal) => ({
      name: `${fileName(`${summary.name} ${table}${filtered}`)}.${format}`,
      type: TYPES[format],
      content: await question.ask(signal),
    }),
  };
}

/** A range as a Perfetto trace, with the blocks of the view's filter; null behind a link. */
export function traceFile(
  { source, summary, view }: Pick<OpenCapture, "source" | "summary" | "view">,
  range: TimeRange,
): Question<WrittenFile> | null {
  const question = source.trace(range, view.where);
  if (question === null) return null;
  const filtered = filterInName(shownFilter({ summary, view }));
  return {
    key: question.key,
    ask: async (signal) => ({
      name: `${fileName(`${summary.name} trace${filtered}`)}.pftrace`,
      type: "application/x-protobuf",
      content: await question.ask(signal),
    }),
  };
}

/** ` where SQL2 log write > 50 ms` for the name of a file that lists a filter's blocks alone; "" without a filter. */
export const filterInName = (words: string | null): string =>
  words === null ? "" : texts.where(words.slice(0, MOST_LETTERS));

/** The view's filter as text; null without a filter. */
export const shownFilter = ({ summary, view }: Pick<OpenCapture, "summary" | "view">): string | null =>
  view.where === null ? null : filterText(view.where, filterNamesOf(summary, view.phase));
