/** Finds where one rollover file of a server ends and its next one begins. */
import { perModel, phaseScope, type PhaseScope } from "../../columns/index.ts";
import type { EventRun } from "../../replication/shapes/event-runs.ts";
import type { CaptureModel } from "../../replication/shapes/tables.ts";
import type { Window } from "../verdict.ts";

/**
 * One phase with the borders of the complete capture: the file after a missing one may have no event of this phase,
 * where roles changed meanwhile.
 */
export function phaseWithBorders(model: CaptureModel, phase: number): PhaseScope {
  const scope = phaseScope(model, phase);
  const borders = fileBorders(model);
  fileBorders.keep(
    scope.model,
    scope.replicas.map((replica) => borders[replica]),
  );
  return scope;
}

/** The time between two consecutive files of a server, and their indices in the model. */
export interface FileBorder extends Window {
  readonly before: number;
  readonly behind: number;
}

/** From the last event of a file to the first one of the next, µs, by replica; files that overlap have no border. */
export const fileBorders = perModel((model: CaptureModel): readonly (readonly FileBorder[])[] => {
  const spans = model.events.spans?.files ?? fileSpans(model);
  return model.replicas.map((_, replica) => {
    const own = spans
      .map((span, file) => ({ ...span, file }))
      .filter(({ from, to, file }) => model.files[file].replica === replica && from <= to)
      .sort((a, b) => a.from - b.from);
    let last = { to: -Infinity, file: -1 };
    return own.flatMap(({ from, to, file }) => {
      const border = { from: last.to, to: from, before: last.file, behind: file };
      if (to > last.to) last = { to, file };
      return Number.isFinite(border.from) && border.to > border.from ? [border] : [];
    });
  });
});

/** First and last event of log blocks in each file, µs. */
function fileSpans({ events, files }: CaptureModel): Window[] {
  const spans = files.map(() => ({ from: Infinity, to: -Infinity }));
  for (const run of events.runs) {
    // Events are in the order in which they fired, so a file's first event is its earliest and its last event its latest.
    const first = new Int32Array(files.length).fill(-1);
    const last = new Int32Array(files.length).fill(-1);
    forEachFile(run, (file, row) => {
      if (first[file] < 0) first[file] = row;
      last[file] = row;
    });
    for (const [file, span] of spans.entries()) {
      if (first[file] < 0) continue;
      if (span.from === Infinity) span.from = run.fireAt(first[file]);
      span.to = run.fireAt(last[file]);
    }
  }
  return spans;
}

/** Events whose files are read at once, so that a large run needs little memory. */
const STEP = 1 << 16;

/** Calls for each event with a known instant: one by one, reading takes several times as long. */
function forEachFile({ known, parts }: EventRun, use: (file: number, row: number) => void): void {
  const files = new Float64Array(Math.min(STEP, known));
  for (let from = 0; from < known; from += STEP) {
    const some = files.subarray(0, Math.min(STEP, known - from));
    parts.file.read(from, some);
    for (let i = 0; i < some.length; i++) use(some[i], from + i);
  }
}
