import type { Capture, Progress } from "@aglens/contract";
import { phaseWords } from "./analysis-steps.tsx";
import { remainingWords } from "./remaining.ts";

/** Where an analysis is that waits for others; null for one that runs. */
export function waitingWords(progress: Progress | null): string | null {
  if (progress?.waiting === undefined) return null;
  const { place } = progress.waiting;
  return place === 1 ? "Waiting, next to begin" : `Waiting, place ${place} of those that wait`;
}

/** Why it waits, as the beginning of a text; empty for one that runs. */
export function waitingReason(progress: Progress | null): string {
  return progress?.waiting === undefined ? "" : `${progress.waiting.reason} `;
}

/** What the analysis does, in one line. @param rate bytes read per second, null while it is not known */
export function progressHeadline(
  capture: Pick<Capture, "files">,
  progress: Progress | null,
  rate: number | null,
): string {
  const files = capture.files.filter((file) => file.kind === "xel" && file.role !== "ignored").length;
  const what = files === 1 ? "Reading 1 file" : `Reading ${files} files`;
  const waiting = waitingWords(progress);
  if (waiting !== null) return waiting;
  if (progress === null || progress.bytesTotal === 0) return what;
  if (progress.bytesDone >= progress.bytesTotal)
    return `${files === 1 ? "The file is" : `All ${files} files are`} read, ${phaseWords(progress.phase)}`;
  const share = Math.floor((100 * progress.bytesDone) / progress.bytesTotal);
  const left =
    rate === null ? "" : `, ${remainingWords((progress.bytesTotal - progress.bytesDone) / rate)} left`;
  return `${what}, ${share}\u2009% done${left}`;
}
