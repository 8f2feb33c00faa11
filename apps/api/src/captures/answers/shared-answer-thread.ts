import { availableParallelism } from "node:os";
import { ProblemError } from "@aglens/engine/problems";
import { memoryOfProcess } from "../../kernel/memory.ts";
import { Thread } from "../../threads/thread.ts";
import { captureChanged } from "./answer-thread.ts";
import type { AnswerReport, AnswerThread, AskedQuestion, HeldCapture } from "./answer-thread.ts";
import { sendBytes, sizesOf } from "../kept/far-files.ts";
import type { BytesForThread, BytesWanted, FarFiles } from "../kept/far-files.ts";
import type { Answer, Question } from "@aglens/engine/answers";

/** Messages of a thread that answers questions about many captures (`shared-answer-worker.ts`, decision 102). */
export interface SharedAnswerMessages {
  readonly data: {
    /** Bytes of stored tables that the thread may keep; a single capture with more is kept alone. */
    readonly mostBytes: number;
  };
  /** A question about a capture, or a capture that is to be forgotten. */
  readonly toThread:
    | (AskedQuestion & { readonly capture: HeldCapture })
    | { readonly kind: "forget"; readonly folder: string }
    | BytesForThread;
  readonly fromThread: AnswerReport | BytesWanted;
}

/** Tables up to this size are read in some 50 ms, and no question about them takes long. */
const SMALL_BYTES = 24e6;
const MOST_THREADS = 4;

/** Share of the process's memory that all these threads together may use. */
const SHARE_OF_MEMORY = 1 / 8;
/** An open capture takes some two to three times as many bytes as its tables have. */
const BYTES_PER_TABLE_BYTE = 3;
/** Limit for the stored tables of one thread. */
const MOST_BYTES = 200e6;

/** An open capture as `Answers` uses it. */
export type OpenedThread = Pick<AnswerThread, "ask" | "isBusy" | "close"> & {
  /** Whether the thread answers about many captures: an open capture then needs no thread of its own. */
  readonly isShared?: boolean;
};

/** Whether a capture's tables are known to be small. */
export function isSmall({ stored }: HeldCapture): boolean {
  const sizes = Object.values(stored?.files ?? {}).map(({ bytes }) => bytes);
  return sizes.length > 0 && sizes.reduce((sum, bytes) => sum + bytes, 0) <= SMALL_BYTES;
}

/**
 * Threads that answer about small captures, as many as cores: a hundred of them in use at once would otherwise end each other's
 * threads all the time, and a thread costs more to start than such a capture to read.
 */
export class SharedAnswerThreads {
  readonly #threads: SharedAnswerThread[];
  #opened = 0;

  /**
   * @param beginWork as `AnswerThread` has it
   * @param memoryBytes that the process may use
   */
  constructor(beginWork: () => () => void = () => () => {}, memoryBytes: number = memoryOfProcess()) {
    const count = Math.min(MOST_THREADS, availableParallelism());
    const share = (memoryBytes * SHARE_OF_MEMORY) / BYTES_PER_TABLE_BYTE / count;
    const mostBytes = Math.min(MOST_BYTES, share);
    this.#threads = Array.from({ length: count }, () => new SharedAnswerThread(beginWork, mostBytes));
  }

  /** @param onEnded called once, when it is closed: a thread that breaks starts again for the next question */
  open(capture: HeldCapture, onEnded: () => void): OpenedThread {
    const thread = this.#threads[this.#opened++ % this.#threads.length]!;
    let isOpen = true;
    return {
      isShared: true,
      get isBusy() {
        return thread.isBusyWith(capture.folder);
      },
      ask: (question, signal, far) =>
        isOpen ? thread.ask({ capture, question, signal, far }) : Promise.reject(captureChanged()),
      close: () => {
        if (isOpen) {
          isOpen = false;
          thread.forget(capture.folder);
          onEnded();
        }
        return Promise.resolve();
      },
    };
  }

  /** Ends every thread; for shutdown. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}

interface Asked {
  readonly capture: HeldCapture;
  readonly question: Question;
  readonly signal: AbortSignal;
  readonly far: FarFiles | undefined;
}

interface Waiting extends Asked {
  readonly settle: PromiseWithResolvers<Answer | null>;
}

/** One such thread: answers one question after the other, about any capture. */
class SharedAnswerThread {
  readonly #beginWork: () => () => void;
  readonly #mostBytes: number;
  #thread: Thread<SharedAnswerMessages> | null = null;
  #waiting: Waiting[] = [];
  #current: Waiting | null = null;
  #endWork: () => void = () => {};

  constructor(beginWork: () => () => void, mostBytes: number) {
    this.#beginWork = beginWork;
    this.#mostBytes = mostBytes;
  }

  isBusyWith(folder: string): boolean {
    return [this.#current, ...this.#waiting].some((each) => each?.capture.folder === folder);
  }

  ask(asked: Asked): Promise<Answer | null> {
    const settle = Promise.withResolvers<Answer | null>();
    this.#waiting.push({ ...asked, settle });
    this.#next();
    return settle.promise;
  }

  /** Refuses the questions about a capture, and lets its tables go. */
  forget(folder: string): void {
    const isAbout = ({ capture }: Waiting): boolean => capture.folder === folder;
    for (const { settle } of this.#waiting.filter(isAbout)) settle.reject(captureChanged());
    this.#waiting = this.#waiting.filter((each) => !isAbout(each));
    // The answer in progress arrives later and is dropped.
    if (this.#current !== null && isAbout(this.#current)) this.#current.settle.reject(captureChanged());
    this.#thread?.send({ kind: "forget", folder });
  }

  async close(): Promise<void> {
    const thread = this.#thread;
    this.#fail(captureChanged());
    await thread?.end();
  }

  #next(): void {
    if (this.#current !== null) return;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      if (!next.signal.aborted) {
        this.#current = next;
        this.#endWork = this.#beginWork();
        this.#thread ??= this.#start();
        const { capture, question, far } = next;
        this.#thread.send({ kind: "ask", capture, question, farSizes: sizesOf(far) });
        return;
      }
      next.settle.resolve(null);
    }
  }

  #start(): Thread<SharedAnswerMessages> {
    const thread = new Thread<SharedAnswerMessages>("answer-small", {
      mostBytes: this.#mostBytes,
    });
    thread.onMessage((report) => {
      if (report.kind === "bytesWanted") void sendBytes(thread, this.#current?.far, report);
      else this.#done(report);
    });
    thread.onEnd((error) => {
      if (this.#thread === thread) this.#fail(error ?? new Error("The thread that answers ended."));
    });
    return thread;
  }

  #done(report: AnswerReport): void {
    const settle = this.#current?.settle;
    this.#current = null;
    this.#endWork();
    if (report.kind === "answer") settle?.resolve(report.answer);
    if (report.kind === "problem") settle?.reject(new ProblemError(report.problem));
    this.#next();
  }

  /** The question that broke it is refused; the others are asked of a new thread. */
  #fail(error: Error): void {
    this.#thread = null;
    const failed = this.#current;
    this.#current = null;
    if (failed !== null) {
      this.#endWork();
      failed.settle.reject(error);
    }
    if (error instanceof ProblemError) for (const { settle } of this.#waiting.splice(0)) settle.reject(error);
    this.#next();
  }
}
