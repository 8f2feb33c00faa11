import { useQuery } from "@tanstack/react-query";
import { useTokens, type Tokens } from "../../lanes/palette.ts";
import { type OpenCapture, useCapture } from "../capture-view/capture-context.ts";
import { tableFile, traceFile } from "../capture-view/table-file.ts";
import type { ExportChoice } from "./export-choice.ts";
import { writePicture } from "./picture-file.tsx";
import { readReport } from "./report/report-data.ts";
import { fileName, type WrittenFile } from "../../frame/save-file.ts";
import { dayInstantText, UTC, type Zone } from "../../ui/zone.ts";
import { writeReport } from "./report/write-report.tsx";

export interface WritingFile {
  /** The file as it would be saved; null while it is written, and before `write` where that is not done at once. */
  readonly file: WrittenFile | null;
  readonly bytes: number | null;
  readonly error: Error | null;
  readonly isWriting: boolean;
  readonly write: () => void;
}

/**
 * Writes the file again after each change of the choice, so that its size is known before it is saved. A trace is only
 * written by `write`: one of a long range is large.
 */
export function useExport(choice: ExportChoice): WritingFile {
  const capture = useCapture();
  const tokens = useTokens();
  const { range, parts, ...rest } = choice;
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["export", capture.source.id, range.from, range.to, [...parts], rest, tokens["--surface"]],
    queryFn: ({ signal }) => writeFile(capture, choice, tokens, signal),
    enabled: choice.what !== "trace",
    gcTime: 0,
  });
  return {
    file: data ?? null,
    bytes: data === undefined ? null : new Blob([data.content]).size,
    error,
    isWriting: isFetching,
    write: () => void refetch(),
  };
}

async function writeFile(
  { source, summary, view, hasEvidence }: OpenCapture,
  choice: ExportChoice,
  tokens: Tokens,
  signal: AbortSignal,
): Promise<WrittenFile> {
  const { what } = choice;
  if (what === "report") {
    const parts = new Set([...choice.parts].filter((part) => part !== "happened" || hasEvidence !== false));
    return writeReport(source, summary, { ...choice, parts }, nowIn(summary.zone ?? UTC), signal);
  }
  if (what === "timeline" || what === "overview") {
    const data = await readReport(source, summary, { ...choice, parts: new Set([what]) }, signal);
    return writePicture(data, what, choice.pictureFormat, tokens, signal);
  }
  if (what === "capture") {
    const asked = source.aglensFile(choice);
    if (asked === null) throw new Error("A link gives no capture away: ask who sent it for the file.");
    const name = choice.replacesNames ? "capture" : fileName(summary.name);
    return { name: `${name}.aglens`, type: "application/octet-stream", content: await asked.ask(signal) };
  }
  if (what === "trace") {
    const file = traceFile({ source, summary, view }, choice.range);
    if (file === null) throw new Error("A link shows no tables: ask who sent it for the file.");
    return file.ask(signal);
  }
  const file = tableFile({ source, summary, view }, what, choice.tableFormat, choice.range);
  if (file === null) throw new Error("A link shows no tables: ask who sent it for the file.");
  return file.ask(signal);
}

/** `2026-11-21 14:52 UTC` */
const nowIn = (zone: Zone): string => dayInstantText(zone, new Date().toISOString());
