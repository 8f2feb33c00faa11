/** The script of all threads: does the task of its thread, and loads only the modules for it. */
import { task } from "./threads/inside.ts";
import type { ThreadTask } from "./threads/scripts.ts";

const TASKS: Readonly<Record<ThreadTask, () => Promise<{ readonly run: () => unknown }>>> = {
  analyse: () => import("./captures/analysis/analyze-worker.ts"),
  answer: () => import("./captures/answers/answer-worker.ts"),
  "answer-small": () => import("./captures/answers/shared-answer-worker.ts"),
  decode: () => import("./captures/reading/decode-worker.ts"),
  picture: () => import("./live/run/picture-worker.ts"),
  prepare: () => import("./captures/answers/prepare-worker.ts"),
  recognise: () => import("./captures/reading/recognise-worker.ts"),
  "write-tables": () => import("./dataset/dataset-worker.ts"),
};

if (task !== null) await (await TASKS[task]()).run();
