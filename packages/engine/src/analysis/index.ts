/** From the files of a capture to its tables and verdict. */
export { AnalysisError } from "./analysis-error.ts";
export {
  analyseFiles,
  PREVIEW_FILE,
  SUMMARY_FILE,
  type AnalysedFile,
  type AnalysisResult,
  type FilesToAnalyse,
  type OnFileProgress,
} from "./analyse.ts";
