import { availableParallelism } from "node:os";
import type { Progress } from "@aglens/contract";
import { scriptOf } from "../scripts.ts";
import { Thread } from "../threads/thread.ts";
import type { AnalysisRequest, AnalysisResult } from "./analyse.ts";
import type { FileToRecognise } from "./recognise.ts";
import type { Recognised } from "./recognised.ts";
import { AnalysisError, CancelledError } from "./analysis-error.ts";
import { semaphore } from "./semaphore.ts";

/** What the main thread asks a worker, and what comes back. */
export type WorkerTask =
  | { readonly task: "recognise"; readonly file: FileToRecognise }
  | { readonly task: "analyse"; readonly request: AnalysisRequest };

export type WorkerReport =
  | { readonly report: "progress"; readonly progress: Progress }
  | { readonly report: "preview"; readonly preview: Uint8Array }
  | { readonly report: "recognised"; readonly recognised: Recognised }
  | { readonly report: "analysed"; readonly result: AnalysisResult }
  | { readonly report: "failed"; readonly code: string; readonly message: string };

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

/** Analyser with one worker thread per job; recognition waits for a free core, analysis does not. */
export function workerAnalyser(cores: number = availableParallelism()): Analyser {
  const slots = semaphore(Math.max(1, cores));
  return {
    recognise: (file) => {
      let inner: Job<Recognised> | null = null;
      let cancelled = false;
      const done = slots(async () => {
        if (cancelled) throw new CancelledError("Cancelled.");
        inner = run({ task: "recognise", file }, (report) =>
          report.report === "recognised" ? report.recognised : null,
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
      run({ task: "analyse", request }, (report) => {
        if (report.report === "progress") onProgress(report.progress);
        if (report.report === "preview") onPreview?.(report.preview);
        return report.report === "analysed" ? report.result : null;
      }),
  };
}

/** Runs one task in a worker of its own; `take` gives the result once a report holds it. */
function run<T>(task: WorkerTask, take: (report: WorkerReport) => T | null): Job<T> {
  const thread = new Thread(scriptOf("analyse-worker"), task);
  const { worker } = thread;
  const result = Promise.withResolvers<T>();
  worker.on("message", (report: WorkerReport) => {
    if (report.report === "failed") result.reject(new AnalysisError(report.code, report.message));
    const value = take(report);
    if (value !== null) result.resolve(value);
  });
  worker.on("error", (error) => result.reject(workerFailure(error)));
  worker.on("exit", () => result.reject(new CancelledError("The worker ended without a result.")));
  return {
    done: result.promise,
    cancel: async () => {
      result.reject(new CancelledError("Cancelled."));
      await thread.end();
    },
  };
}

function workerFailure(error: unknown): Error {
  if ((error as { code?: unknown }).code === "ERR_WORKER_OUT_OF_MEMORY") {
    return new AnalysisError(
      "out-of-memory",
      "The analysis needs more memory than there is. Analyse fewer files or a shorter time.",
    );
  }
  return error as Error;
}
