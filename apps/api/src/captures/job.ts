import { availableParallelism } from "node:os";
import type { Progress } from "@aglens/contract";
import { scriptOf } from "../scripts.ts";
import { Thread } from "../threads/thread.ts";
import type { AnalysisRequest, AnalysisResult } from "./analyse.ts";
import type { FileToRecognise } from "./recognise.ts";
import type { Recognised } from "./recognised.ts";
import { AnalysisError, CancelledError } from "./analysis-error.ts";
import { semaphore } from "./semaphore.ts";

/** What a thread is started for. */
export type Task =
  | { readonly kind: "recognise"; readonly file: FileToRecognise }
  | { readonly kind: "analyse"; readonly request: AnalysisRequest };

export type TaskReport =
  | { readonly kind: "progress"; readonly progress: Progress }
  | { readonly kind: "preview"; readonly preview: Uint8Array }
  | { readonly kind: "recognised"; readonly recognised: Recognised }
  | { readonly kind: "analysed"; readonly result: AnalysisResult }
  | { readonly kind: "failed"; readonly code: string; readonly message: string };

/** Of a thread that does one task (`analyse-worker.ts`). */
export interface TaskMessages {
  readonly data: Task;
  readonly toThread: never;
  readonly fromThread: TaskReport;
}

export interface Job<T> {
  readonly done: Promise<T>;
  /** Refuses the result at once, and waits until the thread has ended; its memory goes with it. */
  cancel(): Promise<void>;
}

/** Decoding and analysis, away from the thread that answers HTTP. */
export interface Analyser {
  recognise(file: FileToRecognise): Job<Recognised>;
  analyse(
    request: AnalysisRequest,
    onProgress: (progress: Progress) => void,
    onPreview?: (preview: Uint8Array) => void,
  ): Job<AnalysisResult>;
}

/** Analyser with one thread per job; recognition waits for a free core, analysis does not. */
export function workerAnalyser(cores: number = availableParallelism()): Analyser {
  const slots = semaphore(Math.max(1, cores));
  return {
    recognise: (file) => {
      let inner: Job<Recognised> | null = null;
      let cancelled = false;
      const done = slots(async () => {
        if (cancelled) throw new CancelledError("Cancelled.");
        inner = run({ kind: "recognise", file }, (report) =>
          report.kind === "recognised" ? report.recognised : null,
        );
        return inner.done;
      });
      return {
        done,
        cancel: async () => {
          cancelled = true;
          await inner?.cancel();
        },
      };
    },
    analyse: (request, onProgress, onPreview) =>
      run({ kind: "analyse", request }, (report) => {
        if (report.kind === "progress") onProgress(report.progress);
        if (report.kind === "preview") onPreview?.(report.preview);
        return report.kind === "analysed" ? report.result : null;
      }),
  };
}

/** Runs one task in a thread of its own; `take` gives the result once a report holds it. */
function run<T>(task: Task, take: (report: TaskReport) => T | null): Job<T> {
  const thread = new Thread<TaskMessages>(scriptOf("analyse-worker"), task);
  const result = Promise.withResolvers<T>();
  thread.onMessage((report) => {
    if (report.kind === "failed") result.reject(new AnalysisError(report.code, report.message));
    const value = take(report);
    if (value !== null) result.resolve(value);
  });
  thread.onEnd((error) =>
    result.reject(error ? failureOfThread(error) : new CancelledError("The thread ended without a result.")),
  );
  return {
    done: result.promise,
    cancel: async () => {
      result.reject(new CancelledError("Cancelled."));
      await thread.end();
    },
  };
}

function failureOfThread(error: Error & { readonly code?: unknown }): Error {
  if (error.code === "ERR_WORKER_OUT_OF_MEMORY") {
    return new AnalysisError(
      "out-of-memory",
      "The analysis needs more memory than there is. Analyse fewer files or a shorter time.",
    );
  }
  return error;
}
