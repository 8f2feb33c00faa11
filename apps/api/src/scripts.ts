/** Where the bundled scripts of threads, and of the process with DuckDB, lie: in `dist`, beside this folder and, once bundled, around this file. */
export type ThreadScript =
  | "analyse-worker"
  | "answer-worker"
  | "dataset-worker"
  | "decode-worker"
  | "list-worker"
  | "picture-worker"
  | "prepare-worker"
  | "recognise-worker"
  | "shared-answer-worker"
  | "sql-worker";

/** The plain JavaScript of a thread, as `bundle.ts` writes it; the sources are never run in a thread. */
export function scriptOf(name: ThreadScript): URL {
  return new URL(`../dist/${name}.js`, import.meta.url);
}
