/** Files of a capture that an analysis reads, and reasons to refuse it. */
import type { CaptureFile } from "@aglens/contract";
import { problem } from "../problems/problems.ts";
import { evidenceIn } from "./evidence-files.ts";
import { groupedFiles } from "./grouped-files.ts";

/**
 * The event files that are not excluded; none for a capture that only shows what happened.
 * @throws ProblemError where every file is excluded
 */
export function filesToAnalyze(files: readonly CaptureFile[]): CaptureFile[] {
  const events = files.filter(isAnalyzedEvents);
  if (events.length > 0 || evidenceIn(files).length > 0) return events;
  throw problem(
    "nothing-to-analyse",
    "The capture has no readable .xel file. Add the event files of the primary and of its secondaries.",
  );
}

/** Whether a file has events that an analysis reads. */
export const isAnalyzedEvents = ({ kind, role }: CaptureFile): boolean =>
  kind === "xel" && role !== "ignored";

/**
 * Refuses files of several captures, and files whose server can't be determined.
 * @param isOne they are one capture, however they are grouped
 * @throws ProblemError `several-captures`, `undecided-server`
 */
export function refuseUnclearGroups(files: readonly CaptureFile[], isOne = false): void {
  const { groups } = groupedFiles(files);
  if (groups.length > 1 && !isOne) {
    throw problem(
      "several-captures",
      `The files are ${groups.length} captures: ${groups.map(({ name }) => name).join("; ")}. Create a capture for each group first (POST .../parts).`,
    );
  }
  const refusing = groups.flatMap(({ warnings }) => warnings).find(({ refuses }) => refuses);
  if (refusing !== undefined) throw problem("undecided-server", refusing.sentence);
}
