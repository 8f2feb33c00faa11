import { useQuery } from "@tanstack/react-query";
import { useCapture } from "../capture-context.ts";
import type { ReportChoice } from "./report/report-data.ts";
import { writeReport, type WrittenFile } from "./report/write-report.tsx";

/** Mail and ticket systems often take no more. */
export const MOST_REPORT_BYTES = 5e6;

interface WritingReport {
  /** The report as it would be saved; null while it is written. */
  readonly file: WrittenFile | null;
  readonly bytes: number | null;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** Writes the report anew after each change of what it shall hold, so that its size is known before it is saved. */
export function useReport(choice: ReportChoice): WritingReport {
  const { source, summary } = useCapture();
  const { range, secondary, parts, slowest, replacesNames } = choice;
  const { data, error, refetch } = useQuery({
    queryKey: ["report", source.id, range.from, range.to, secondary, [...parts], slowest, replacesNames],
    queryFn: ({ signal }) => writeReport(source, summary, choice, nowInUtc(), signal),
    gcTime: 0,
  });
  return {
    file: data ?? null,
    bytes: data === undefined ? null : new Blob([data.content]).size,
    error,
    retry: () => void refetch(),
  };
}

/** `2026-11-21 14:52 UTC` */
const nowInUtc = (): string => `${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC`;
