/** What a view or a report that narrows to a database or a phase is about, in words. */
import type { Summary } from "@aglens/contract";
import type { CaptureScope } from "@aglens/ag-model/query";
import { databaseName } from "./database.ts";
import { modePhaseName } from "./mode-switches.ts";
import { phaseName } from "./role-switches.ts";

type Named = Pick<Summary, "databases" | "phases" | "replicas" | "originTicks" | "durationUs">;

/** `Sales1, After`, `NODE3 asynchronous-commit from 12:03:27`; null where all of the capture is meant. */
export function scopeWords(summary: Named, { database, phase }: CaptureScope): string | null {
  const words = [
    database === null ? null : databaseName(summary, database),
    phase === null ? null : (modePhaseName(summary, phase) ?? phaseName(summary, phase)),
  ].filter((word) => word !== null);
  return words.length === 0 ? null : words.join(", ");
}

/** `whole capture`, `whole phase`, `whole capture, Sales1`: what figures are about that follow no range in view. */
export function wholeWords(summary: Named, { database, phase }: CaptureScope): string {
  const whole = phase === null ? "whole capture" : "whole phase";
  return database === null ? whole : `${whole}, ${databaseName(summary, database)}`;
}
