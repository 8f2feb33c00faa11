/** The commands of this package, for the program that offers them. */
export { analyze, analyzeFiles, isExpected, printAnalysis, type AnalyzedCapture } from "./analyze.ts";
export { waiting, whatIf } from "./replay.ts";
