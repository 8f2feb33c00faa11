import type { Problem } from "@aglens/contract";
import { ZodError } from "zod";
import { AnalysisError } from "@aglens/engine/analysis";
import { problemDocument, ProblemError } from "@aglens/engine/problems";

/**
 * Messages of Chromium ("Array buffer allocation failed"), Firefox and Safari ("out of memory", "allocation size
 * overflow").
 */
const OUT_OF_MEMORY = /allocation failed|allocation size overflow|out of memory/iu;

/** The problem document for any thrown value, as a server would answer it. */
export function problemOfError(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  if (error instanceof AnalysisError) return problemDocument("analysis-failed", error.message);
  if (error instanceof ZodError)
    return problemDocument("bad-request", `${error.issues[0]?.message ?? "Not valid"}.`);
  if (OUT_OF_MEMORY.test(String(error))) {
    return problemDocument(
      "too-big",
      "This browser has no memory left for it. Use fewer files, close other tabs, or analyze the files on a server.",
    );
  }
  // The browser only reports that a file changed or disappeared.
  if (error instanceof DOMException && error.name === "NotReadableError") {
    return problemDocument(
      "file-not-found",
      "A file cannot be read any more: it was changed, moved or deleted since it was chosen. Choose it again.",
    );
  }
  return problemDocument("internal", `This page hit an unexpected error: ${String(error)}`);
}
