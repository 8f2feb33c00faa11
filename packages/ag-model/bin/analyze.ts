/**
 * `xel analyze FILE... [--primary FILE...] [--secondary FILE...] [--topology XML...] [--json] [--force]`: finds which
 * server wrote which file, builds the replication model of each capture and prints its figures. A role that is given is a
 * hint.
 */
import { AnalyzeError, analyzeFiles, isExpected, parseArguments } from "./analyzed-captures.ts";
import type { ReadingOptions } from "./given-files.ts";

/**
 * Runs the command, writes its answer and returns the exit code: 0 done, 1 the files cannot be analysed or not all of
 * them could be read, 2 wrong usage. Errors, and what could not be read, go to standard error, one sentence a line.
 */
export async function analyze(
  args: readonly string[],
  write: (text: string) => void = (text) => console.log(text),
  reading?: Pick<ReadingOptions, "threadsFrom">,
): Promise<number> {
  const report = () => import("./report.ts");
  try {
    const captures = await analyzeFiles(args, { ...reading, meanwhile: report });
    return (await report()).printAnalysis(captures, parseArguments(args).json, write);
  } catch (error) {
    if (!isExpected(error)) throw error;
    console.error(error.message);
    return error instanceof AnalyzeError && error.code === "analyze.usage" ? 2 : 1;
  }
}
