/** From the files of a capture to its tables and verdict. */
export type { AnalyzedFile } from "./analyzed-file.ts";
export { analyzeEvidence } from "./alone.ts";
export { AnalysisError } from "./analysis-error.ts";
export {
  analyzeFiles,
  PREVIEW_FILE,
  SUMMARY_FILE,
  type AnalysisResult,
  type FilesToAnalyze,
  type KeptAnalysis,
} from "./analyze.ts";
export type { OnFileProgress } from "./progress.ts";
export { isServersOnly } from "./server-inputs.ts";
