/** Reads files and prepares servers' events in threads, in parallel. */
import { availableParallelism } from "node:os";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { progressCounter } from "xel-parser/commands";
import { XelFormatError, type XelErrorCode } from "xel-parser/format";
import { ImpossibleIds, IMPOSSIBLE_IDS, type EventColumns } from "../src/events/index.ts";
import { buffersOfEvents, type PreparedEvents } from "../src/replication/index.ts";
import {
  readFileEvents,
  type EventWork,
  type FileEvents,
  type FilesRead,
  type FileToRead,
  type ServerEvents,
} from "./event-work.ts";

/**
 * A thread needs 0.25 s of the processor before it can read, and in 0.55 s this many bytes are read and prepared here.
 */
const WORTH_THREADS_BYTES = 128 * 2 ** 20;

/**
 * How many threads read files at the same time; below 2 the caller reads them itself.
 * @param sizes of the files, bytes
 * @param from bytes of all together from which on threads are worth it
 */
export function threadsFor(sizes: readonly number[], from: number = WORTH_THREADS_BYTES): number {
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return bytes < from ? 0 : Math.min(sizes.length, availableParallelism());
}

/** The script of a thread is next to this one, also in a bundle. */
const EXTENSION = extname(import.meta.url);

/** Data that a thread gets when it starts. */
export interface ThreadStart {
  /** Counts the bytes that are read, for the progress on a terminal; null without it. */
  readonly progress: ReturnType<typeof progressCounter>;
}

/** Task of a thread. */
export type ThreadTask =
  | { readonly kind: "read"; readonly file: FileToRead; readonly keepsColumns: boolean }
  | { readonly kind: "readInTurn"; readonly files: readonly FileToRead[]; readonly events: number }
  | { readonly kind: "prepareFiles"; readonly files: readonly FileToRead[]; readonly events: number }
  | { readonly kind: "prepare"; readonly parts: readonly EventColumns[] };

/** Result of a task. */
export type ThreadResult = FileEvents | FilesRead | ServerEvents | null;

/**
 * Answer of a thread: one answer per task. Between threads an error keeps its message and stack, and loses its class
 * and code.
 */
export type ThreadAnswer =
  | { readonly kind: "done"; readonly result: ThreadResult }
  | {
      readonly kind: "noEventFile";
      readonly code: XelErrorCode;
      readonly offset: number;
      readonly message: string;
    }
  | { readonly kind: "failed"; readonly error: Error; readonly code: string | undefined };

interface WaitingTask {
  readonly task: ThreadTask;
  readonly memory: readonly ArrayBuffer[];
  readonly answer: PromiseWithResolvers<ThreadResult>;
}

/** Threads that take one task after the other; events go to them and back without a copy. */
export class EventThreads implements EventWork {
  readonly isParallel = true;
  readonly #most: number;
  readonly #threads = new Set<Worker>();
  readonly #idle = new Set<Worker>();
  readonly #waiting: WaitingTask[] = [];
  readonly #tasks = new Map<Worker, WaitingTask>();
  #isEnded = false;

  /** @param most threads at the same time; each starts when there is work for it */
  constructor(most: number) {
    this.#most = most;
  }

  /** Standard input belongs to the main thread. */
  read(file: FileToRead, keepsColumns: boolean): Promise<FileEvents> {
    return file.path === "-"
      ? readFileEvents(file, keepsColumns)
      : (this.#run({ kind: "read", file, keepsColumns }) as Promise<FileEvents>);
  }

  readInTurn(files: readonly FileToRead[], events: number): Promise<FilesRead | null> {
    return this.#run({ kind: "readInTurn", files, events }) as Promise<FilesRead | null>;
  }

  prepare(parts: readonly EventColumns[]): Promise<ServerEvents> {
    const memory = parts.flatMap((columns) => buffersOfEvents({ columns }));
    return this.#run({ kind: "prepare", parts }, memory) as Promise<ServerEvents>;
  }

  async prepareFiles(files: readonly FileToRead[], events: number): Promise<PreparedEvents> {
    const { prepared } = (await this.#run({ kind: "prepareFiles", files, events })) as ServerEvents;
    return prepared!;
  }

  /** Pending tasks fail, and so do later ones: after one file failed, another is still read. */
  async end(): Promise<void> {
    this.#isEnded = true;
    for (const { answer } of this.#waiting.splice(0)) answer.reject(withoutAnswer());
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
  }

  #run(task: ThreadTask, memory: readonly ArrayBuffer[] = []): Promise<ThreadResult> {
    // A thread that begins now would never be ended, and would keep the process running.
    if (this.#isEnded) return Promise.reject(withoutAnswer());
    const waiting: WaitingTask = { task, memory, answer: Promise.withResolvers() };
    this.#waiting.push(waiting);
    const [idle] = this.#idle;
    const thread = idle ?? (this.#threads.size < this.#most ? this.#start() : undefined);
    if (thread !== undefined) this.#giveNext(thread);
    return waiting.answer.promise;
  }

  #start(): Worker {
    const workerData: ThreadStart = { progress: progressCounter() };
    const thread = new Worker(new URL(`event-worker${EXTENSION}`, import.meta.url), { workerData });
    this.#threads.add(thread);
    thread.on("message", (answer: ThreadAnswer) => {
      const { resolve, reject } = this.#tasks.get(thread)!.answer;
      if (answer.kind === "done") resolve(answer.result);
      else reject(errorOf(answer));
      this.#giveNext(thread);
    });
    thread.on("error", (error) => this.#tasks.get(thread)?.answer.reject(error));
    thread.on("exit", () => {
      this.#threads.delete(thread);
      this.#idle.delete(thread);
      this.#tasks.get(thread)?.answer.reject(withoutAnswer());
      if (this.#waiting.length > 0) this.#giveNext(this.#start());
    });
    return thread;
  }

  #giveNext(thread: Worker): void {
    this.#tasks.delete(thread);
    const next = this.#waiting.shift();
    if (next === undefined) return void this.#idle.add(thread);
    this.#idle.delete(thread);
    this.#tasks.set(thread, next);
    thread.postMessage(next.task, next.memory);
  }
}

const withoutAnswer = (): Error => new Error("The thread ended without an answer.");

function errorOf(answer: Exclude<ThreadAnswer, { readonly kind: "done" }>): Error {
  if (answer.kind === "noEventFile") return new XelFormatError(answer.code, answer.offset, answer.message);
  const { error, code } = answer;
  if (code === IMPOSSIBLE_IDS) return new ImpossibleIds(error.message);
  return code === undefined ? error : Object.assign(error, { code });
}
