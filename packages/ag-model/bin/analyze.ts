/**
 * `xel analyze PATH... [--primary PATH...] [--secondary PATH...] [--topology XML...] [--json] [--force]`: finds which
 * server wrote which file, builds the replication model of each capture and prints its figures. A role on the command
 * line is a hint.
 */
import { analyzeFiles, parseArguments } from "./analyzed-captures.ts";
import { answerCommand } from "./answer-command.ts";
import type { ReadingOptions } from "./input-files.ts";
import { printAnalysis } from "./report.ts";

/** Runs the command, writes its answer and returns the exit code. Errors, and what could not be read, go to standard error. */
export function analyze(
  args: readonly string[],
  write: (text: string) => void = (text) => console.log(text),
  reading?: Pick<ReadingOptions, "threadsFrom">,
): Promise<number> {
  return answerCommand(
    () => analyzeFiles(args, { ...reading, withEvidence: true }),
    (analysis) => printAnalysis(analysis, parseArguments(args).json, write),
  );
}
