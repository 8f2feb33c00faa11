/** The commands of this package, for the program that offers them, but those of `check.ts` and `replay.ts`. */
export { analyze } from "./analyze.ts";
export { answerCommand } from "./answer-command.ts";
export { analyzeFiles, isExpected, type Analysis, type AnalyzedCapture } from "./analyzed-captures.ts";
export { withFoundFiles } from "./find-files.ts";
export { openAsXel } from "./source.ts";
