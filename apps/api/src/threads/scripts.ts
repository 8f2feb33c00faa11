/** The bundled scripts of threads and of the process with DuckDB. */
export type ThreadScript =
  | "analyse-worker"
  | "answer-worker"
  | "dataset-worker"
  | "decode-worker"
  | "picture-worker"
  | "prepare-worker"
  | "recognise-worker"
  | "shared-answer-worker"
  | "sql-worker";

/** The folder with the bundle: this file is in it once it is bundled itself. */
const BUNDLE = new URL(import.meta.url.endsWith(".ts") ? "../../dist/" : "./", import.meta.url);

/** The plain JavaScript of a thread, as `bundle.ts` writes it; the sources are never run in a thread. */
export function scriptOf(name: ThreadScript): URL {
  return new URL(`${name}.js`, BUNDLE);
}
