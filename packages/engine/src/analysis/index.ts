/** From the files of a capture to its tables and verdict. */
export type { AnalysedFile } from "./analysed-file.ts";
export { AnalysisError } from "./analysis-error.ts";
export {
  analyseFiles,
  PREVIEW_FILE,
  SUMMARY_FILE,
  type AnalysisResult,
  type FilesToAnalyse,
  type KeptAnalysis,
} from "./analyse.ts";
export type { OnFileProgress } from "./progress.ts";
export { isServersOnly } from "./server-inputs.ts";
