/** The starter's side of a thread. */
import { setTimeout as sleep } from "node:timers/promises";
import { Worker, type ResourceLimits } from "node:worker_threads";
import { WORKER_SCRIPT } from "./scripts.ts";
import type { ThreadTask } from "./scripts.ts";

/** Messages of one kind of thread; the file that starts it declares them, and its script uses the same type. */
export interface ThreadMessages {
  /** Data for the script at its start. */
  readonly data: unknown;
  readonly toThread: unknown;
  readonly fromThread: unknown;
}

/** Set to 1 when a thread shall end; shared with the threads it started itself. */
export type EndFlag = Int32Array<SharedArrayBuffer>;

/** The worker data that `inside.ts` reads. */
export interface ThreadStart {
  /** Null for a script of its own. */
  readonly task: ThreadTask | null;
  readonly data: unknown;
  readonly end: EndFlag;
}

/** Wakes a thread that waits for messages, so that it checks its end flag. */
const WAKE = null;

/** The longest step between two looks at the end flag, a diagnosis of 500,000 blocks, takes 2 s; busy machines take longer. */
const GRACE_MS = 30_000;
/** A thread that was ended by force may never report its end. */
const FORCED_MS = 5_000;

/**
 * V8's own default for a thread: the argument that keeps the main thread small (`--max-semi-space-size`) applies to the
 * entire process.
 */
const YOUNG_MIB = 192;

/**
 * A thread that is asked to end and does so at its next checkpoint (`inside.ts`). `Worker.terminate()` is only the last
 * resort: a thread that is stopped in the middle of a file read can crash the entire process (nodejs/node#56312).
 */
export class Thread<Messages extends ThreadMessages> {
  readonly #worker: Worker;
  readonly #end: EndFlag;
  readonly #exited: Promise<true>;

  /**
   * @param task of the thread; a script of its own for tests
   * @param data for the task
   * @param end the flag of the thread that starts this one, so that both end together
   * @param transfer parts of the data that are passed without a copy
   * @param limits of its memory; with lower limits, V8 collects garbage sooner
   */
  constructor(
    task: ThreadTask | URL,
    data: Messages["data"],
    end: EndFlag = new Int32Array(new SharedArrayBuffer(4)),
    transfer: readonly ArrayBuffer[] = [],
    limits: ResourceLimits = {},
  ) {
    this.#end = end;
    this.#worker = new Worker(task instanceof URL ? task : WORKER_SCRIPT, {
      workerData: { task: task instanceof URL ? null : task, data, end } satisfies ThreadStart,
      transferList: [...transfer],
      execArgv: ["--enable-source-maps"],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB, ...limits },
    });
    this.#exited = new Promise((resolve) => this.#worker.once("exit", () => resolve(true)));
  }

  /** Whether the process waits for this thread before it ends; default true. */
  keepsProcess(keeps: boolean): void {
    if (keeps) this.#worker.ref();
    else this.#worker.unref();
  }

  /** @param transfer passed without a copy */
  send(message: Messages["toThread"], transfer: readonly ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  onMessage(listener: (message: Messages["fromThread"]) => void): void {
    this.#worker.on("message", listener);
  }

  /** Called once: with the error that broke the thread, or with null when it ended. */
  onEnd(listener: (error: Error | null) => void): void {
    let called = false;
    const call = (error: Error | null): void => {
      if (!called) listener(error);
      called = true;
    };
    this.#worker.on("error", (error) => call(error as Error));
    this.#worker.on("exit", () => call(null));
  }

  /** Asks the thread to end, and waits until it did or was ended by force. */
  async end(graceMs: number = GRACE_MS): Promise<void> {
    Atomics.store(this.#end, 0, 1);
    this.#worker.postMessage(WAKE, []);
    if (await this.#exitsWithin(graceMs)) return;
    void this.#worker.terminate();
    await this.#exitsWithin(FORCED_MS);
  }

  async #exitsWithin(ms: number): Promise<boolean> {
    const stop = new AbortController();
    const late = sleep(ms, false, { signal: stop.signal }).catch(() => false);
    const exited = await Promise.race([this.#exited, late]);
    stop.abort();
    return exited;
  }
}
