import { availableParallelism } from "node:os";
import type { Problem, Progress } from "@aglens/contract";
import { buffersOfEvents } from "@aglens/ag-model/replication";
import { ProblemError } from "@aglens/engine/problems";
import { ThreadActivity } from "../../threads/thread-activity.ts";
import { Thread } from "../../threads/thread.ts";
import type { AnalysisResult, KeptAnalysis } from "@aglens/engine/analysis";
import type { OpenedAglensFile, OpenRequest, SaveRequest } from "./aglens-files.ts";
import type { AnalysisRequest } from "./analyze.ts";
import { DecodedFiles } from "../reading/decoded-files.ts";
import type { DecodedFile } from "../reading/decoded-files.ts";
import type { FileToReceive, ReceivedFile } from "../reading/received-file.ts";
import { AnalysisError, isServersOnly } from "@aglens/engine/analysis";
import { CancelledError } from "../jobs/job.ts";
import { AnalysisQueue, limitsOfMachine } from "./analysis-queue.ts";
import type { AnalysisLimits, QueuedJob } from "./analysis-queue.ts";
import type { Job } from "../jobs/job.ts";
import { Recognizers } from "../reading/recognisers.ts";
import type { FollowedFile, Recognition } from "../reading/recognisers.ts";
import { semaphore } from "../../kernel/semaphore.ts";
import type { UnpackedFile, UnpackRequest } from "../reading/unpack.ts";

/** Tasks of a thread. */
export type Task =
  | { readonly kind: "unpack"; readonly request: UnpackRequest }
  | { readonly kind: "save"; readonly request: SaveRequest }
  | { readonly kind: "open"; readonly request: OpenRequest }
  | {
      readonly kind: "analyse";
      readonly request: AnalysisRequest;
      /** Files that need not be read again. */
      readonly decoded: readonly DecodedFile[];
    };

export type TaskReport =
  | { readonly kind: "progress"; readonly progress: Progress }
  | { readonly kind: "preview"; readonly preview: Uint8Array }
  | { readonly kind: "written" }
  | { readonly kind: "unpacked"; readonly files: readonly UnpackedFile[] }
  | { readonly kind: "saved" }
  | { readonly kind: "opened"; readonly opened: OpenedAglensFile }
  | { readonly kind: "refused"; readonly problem: Problem }
  /** Part of an analysis's result, sent before the analysis ends. */
  | { readonly kind: "kept"; readonly kept: KeptAnalysis }
  | { readonly kind: "analysed"; readonly first: NonNullable<AnalysisResult["first"]> }
  | { readonly kind: "failed"; readonly code: string; readonly message: string };

/** Messages of a thread that does one task (`analyze-worker.ts`). */
export interface TaskMessages {
  /** The kind of the task; the thread loads the modules for it before the task arrives. */
  readonly data: Task["kind"];
  readonly toThread: Task;
  readonly fromThread: TaskReport;
}

/** Numbers of busy threads, and of tasks that wait for one. */
export interface AnalyzerLoad {
  readonly analysing: number;
  readonly analysesWaiting: number;
  readonly recognising: number;
  readonly filesWaiting: number;
}

/** Listeners of an analysis while it waits and runs. */
export interface HearsOfAnalysis {
  readonly onProgress: (progress: Progress) => void;
  /** The picture of the entire capture. */
  readonly onPreview?: (preview: Uint8Array) => void;
  /** Called with all results to keep; only the first answers are still missing. */
  readonly onKept?: (kept: KeptAnalysis) => void;
  /** Called when the values that `waiting` returns have changed. */
  readonly onPlace?: () => void;
}

/** Unpacking, decoding and analysis, away from the thread that answers HTTP. */
export interface Analyzer {
  /** @param onBytes called again and again while files are written */
  unpack(request: UnpackRequest, onBytes: () => void): Job<readonly UnpackedFile[]>;
  /** Writes a capture to an `.aglens` file. @param onBytes called again and again while it is written */
  save(request: SaveRequest, onBytes: () => void): Job<true>;
  /** Reads an `.aglens` file. @param onBytes called repeatedly while its contents are written */
  open(request: OpenRequest, onBytes: () => void): Job<OpenedAglensFile>;
  /** Announces a file that will be recognized. @returns to be called after that, or when the file will not arrive */
  expectFile(): () => void;
  /**
   * A .xel file arrives at its path, and its first bytes are there.
   * @param size bytes that the client announced
   * @returns null where the file can be recognized only when it is complete
   */
  follow(file: FileToReceive, captureId: string, size: number): FollowedFile | null;
  /**
   * @param captureId capture of the file: captures take turns
   * @param size bytes, where that is known
   */
  recognise(file: FileToReceive, captureId: string, size?: number): Job<ReceivedFile>;
  analyse(request: AnalysisRequest, hears: HearsOfAnalysis): QueuedJob<AnalysisResult>;
  /** Whether an analysis would begin at once. @param fileBytes of its files */
  mayBegin(fileBytes: number): boolean;
  readonly load: AnalyzerLoad;
  /** Files that are recognized or wait for it, by captures. */
  readonly recognitions: readonly Recognition[];
  /** Analyses at the same time. */
  readonly mostAnalyses: number;
  /** Resolves when a thread can be started; the answer is a minute old at most. */
  check(): Promise<void>;
}

const CHECK_MS = 60_000;

/**
 * Share of the memory for all analyses that decoded columns may use while their files wait for an analysis. Columns of
 * files that still arrive may use the same share; they need about as many bytes as the files.
 */
const SHARE_OF_DECODED = 1 / 8;

/**
 * Analyzer with threads: one thread per core recognizes files, as many more unpack them, and analyses run as the limits
 * allow.
 */
export function workerAnalyzer(
  limits: AnalysisLimits = limitsOfMachine(null, null),
  cores: number = availableParallelism(),
  activity: ThreadActivity = new ThreadActivity(() => performance.now()),
): Analyzer {
  const unpacking = semaphore(Math.max(1, cores));
  const mostDecoded = limits.memoryBytes * SHARE_OF_DECODED;
  const decoded = new DecodedFiles(mostDecoded);
  const recognizers = new Recognizers(
    Math.max(1, cores),
    activity,
    (path, events) => decoded.expect(path, events),
    mostDecoded,
  );
  const queue = new AnalysisQueue(limits);
  /** A task that writes files, as many at once as there are cores. */
  const writeFiles = <T>(task: Task, onBytes: () => void, take: (report: TaskReport) => T | null): Job<T> =>
    jobInTurn(unpacking, () =>
      watched(activity.begin("files"), () =>
        run(
          task.kind,
          () => task,
          (report) => {
            if (report.kind === "written") onBytes();
            return take(report);
          },
        ),
      ),
    );
  let checked = { at: Number.NEGATIVE_INFINITY, result: Promise.resolve() };
  return {
    check: () => {
      if (performance.now() - checked.at > CHECK_MS) {
        checked = { at: performance.now(), result: recognizers.check() };
      }
      return checked.result;
    },
    unpack: (request, onBytes) =>
      writeFiles({ kind: "unpack", request }, onBytes, (report) =>
        report.kind === "unpacked" ? report.files : null,
      ),
    save: (request, onBytes) =>
      writeFiles({ kind: "save", request }, onBytes, (report) => (report.kind === "saved" ? true : null)),
    open: (request, onBytes) =>
      writeFiles({ kind: "open", request }, onBytes, (report) =>
        report.kind === "opened" ? report.opened : null,
      ),
    expectFile: () => recognizers.expect(),
    follow: (file, captureId, size) => recognizers.follow(file, captureId, size),
    recognise: (file, captureId, size) => recognizers.recognise(file, captureId, size),
    analyse: (request, { onProgress, onPreview, onKept, onPlace = () => {} }) =>
      queue.start(
        bytesOf(request),
        () =>
          watched(activity.begin("analysis"), () => {
            let kept: KeptAnalysis | null = null;
            return run(
              "analyse",
              () => analysisOf(request, decoded),
              (report) => {
                if (report.kind === "progress") onProgress(report.progress);
                if (report.kind === "preview") onPreview?.(report.preview);
                if (report.kind === "kept") {
                  ({ kept } = report);
                  onKept?.(kept);
                }
                return report.kind === "analysed" && kept !== null ? { ...kept, first: report.first } : null;
              },
              decoded.whenCome(request.files.map(({ path }) => path)),
            );
          }),
        onPlace,
      ),
    mayBegin: (fileBytes) => queue.mayBegin(fileBytes),
    mostAnalyses: limits.most,
    get recognitions() {
      return recognizers.recognitions;
    },
    get load() {
      return {
        analysing: queue.running,
        analysesWaiting: queue.waiting,
        recognising: recognizers.running,
        filesWaiting: recognizers.waiting,
      };
    },
  };
}

const bytesOf = ({ files }: Pick<AnalysisRequest, "files">): number =>
  files.reduce((sum, { size }) => sum + size, 0);

export type AnalysisTask = Extract<Task, { kind: "analyse" }>;

/** An analysis with the kept events of its files that it can use; others are discarded. */
function analysisOf(request: AnalysisRequest, kept: DecodedFiles): AnalysisTask {
  const decoded = request.files.flatMap((file) => {
    const { path } = file;
    const events = kept.take(path);
    const serves = events?.columns || isServersOnly(file, request.files);
    return events === null || !serves ? [] : [{ path, ...events }];
  });
  return { kind: "analyse", request, decoded };
}

/** Begins a job. @param rest called when it has ended */
function watched<T>(rest: () => void, begin: () => Job<T>): Job<T> {
  const job = begin();
  job.done.then(rest, rest);
  return job;
}

/** A job that begins in its turn. @param slots calls the function that begins it */
function jobInTurn<T>(slots: (begin: () => Promise<T>) => Promise<T>, begin: () => Job<T>): Job<T> {
  let inner: Job<T> | null = null;
  let cancelled = false;
  const done = slots(async () => {
    if (cancelled) throw new CancelledError("Cancelled.");
    inner = begin();
    return inner.done;
  });
  return {
    done,
    cancel: async () => {
      cancelled = true;
      await inner?.cancel();
    },
  };
}

/**
 * Runs one task in a thread, which ends with the task.
 * @param taskOf called once `ready` resolves, unless the thread has ended
 * @param take returns the result from the report that contains it
 * @param ready the thread loads its modules until this resolves
 */
function run<T>(
  kind: Task["kind"],
  taskOf: () => Task,
  take: (report: TaskReport) => T | null,
  ready: Promise<unknown> = Promise.resolve(),
): Job<T> {
  const thread = new Thread<TaskMessages>("analyse", kind);
  const result = Promise.withResolvers<T>();
  let ended = false;
  const begin = (): void => {
    if (ended) return;
    const task = taskOf();
    thread.send(task, task.kind === "analyse" ? task.decoded.flatMap(buffersOfEvents) : []);
  };
  thread.onMessage((report) => {
    if (report.kind === "failed") result.reject(new AnalysisError(report.code, report.message));
    if (report.kind === "refused") result.reject(new ProblemError(report.problem));
    const value = take(report);
    if (value !== null) result.resolve(value);
    if (value !== null || report.kind === "failed" || report.kind === "refused") void thread.end();
  });
  thread.onEnd((error) => {
    ended = true;
    result.reject(error ? failureOfThread(error) : new CancelledError("The thread ended without a result."));
  });
  ready.then(begin).catch(result.reject);
  return {
    done: result.promise,
    cancel: async () => {
      ended = true;
      result.reject(new CancelledError("Cancelled."));
      await thread.end();
    },
  };
}

function failureOfThread(error: Error & { readonly code?: unknown }): Error {
  if (error.code === "ERR_WORKER_OUT_OF_MEMORY") {
    return new AnalysisError(
      "out-of-memory",
      "The analysis needs more memory than there is. Analyze fewer files or a shorter time.",
    );
  }
  return error;
}
