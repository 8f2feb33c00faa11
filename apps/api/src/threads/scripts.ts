/** Scripts in the bundle: that of all threads, and that of the process with DuckDB. */

/** Tasks for which a thread may be started (`worker.ts`). */
export type ThreadTask =
  | "analyse"
  | "answer"
  | "answer-small"
  | "decode"
  | "picture"
  | "prepare"
  | "recognise"
  | "write-tables";

/** The folder with the bundle: this file is in it once it is bundled itself. */
const BUNDLE = new URL(import.meta.url.endsWith(".ts") ? "../../dist/" : "./", import.meta.url);

/** Plain JavaScript, as `bundle.ts` writes it; the sources are never run in a thread or a process of its own. */
export const WORKER_SCRIPT = new URL("worker.js", BUNDLE);
export const SQL_SCRIPT = new URL("sql-worker.js", BUNDLE);
