/** Progress of an analysis. */
import type { Progress } from "@aglens/contract";
import type { AnalyzedFile } from "./analyzed-file.ts";

/** @param at time of the last event read, UTC, ISO 8601; null keeps the previous one */
export type OnFileProgress = (bytesDone: number, events: number, at: string | null) => void;

export interface ProgressReport {
  file(id: string, ...done: Parameters<OnFileProgress>): void;
  phase(phase: Progress["phase"], blocks?: number): void;
}

const REPORT_MS = 200;

/** Combines the progress of all files and reports it, no more often than people can read it. */
export function progressOf(
  files: readonly AnalyzedFile[],
  report: (progress: Progress) => void,
): ProgressReport {
  const perFile = new Map(
    files.map(({ id }) => [id, { id, bytesDone: 0, events: 0, at: null as string | null }]),
  );
  const bytesTotal = files.reduce((sum, { size }) => sum + size, 0);
  let phase: Progress["phase"] = "decode";
  let blocks = 0;
  const began = performance.now();
  let last = 0;
  const reportAll = (): void => {
    last = performance.now();
    const now = [...perFile.values()];
    report({
      phase,
      bytesDone: now.reduce((sum, { bytesDone }) => sum + bytesDone, 0),
      bytesTotal,
      events: now.reduce((sum, { events }) => sum + events, 0),
      blocks,
      elapsedMs: Math.round(last - began),
      files: now,
    });
  };
  return {
    file: (id, bytesDone, events, at) => {
      const before = perFile.get(id);
      // A file that is read a second time does not go back to its beginning in the progress.
      if (bytesDone >= (before?.bytesDone ?? 0))
        perFile.set(id, {
          id,
          bytesDone,
          events: Math.max(events, before?.events ?? 0),
          at: at ?? before?.at ?? null,
        });
      if (performance.now() - last >= REPORT_MS) reportAll();
    },
    phase: (next, count = 0) => {
      phase = next;
      blocks = count;
      reportAll();
    },
  };
}
