/** How far an analysis is. */
import type { Progress } from "@aglens/contract";
import type { AnalyzedFile } from "./analyzed-file.ts";

/** @param at time of the last event read, UTC, ISO 8601; null leaves the one before */
export type OnFileProgress = (bytesDone: number, events: number, at: string | null) => void;

export interface ProgressReport {
  file(id: string, ...done: Parameters<OnFileProgress>): void;
  phase(phase: Progress["phase"], blocks?: number): void;
}

const REPORT_MS = 200;

/** Keeps the progress of all files together and reports it, not more often than people can see. */
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
      // A file that is read again from its beginning is not at its beginning for who waits.
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
