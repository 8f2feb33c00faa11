/** The commands of this package, for the program that offers them; those of `replay.ts`, and what is printed, bring the whole model along. */
export { analyze } from "./analyze.ts";
export { answerCommand } from "./answer-command.ts";
export { analyzeFiles, type Analysis, type AnalyzedCapture } from "./analyzed-captures.ts";
