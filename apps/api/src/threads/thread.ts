/** The starter's side of a thread. */
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";

/** Set to 1 when a thread shall end; shared with the threads it started itself. */
export type EndFlag = Int32Array<SharedArrayBuffer>;

/** What `inside.ts` finds as its worker data. */
export interface ThreadStart {
  readonly data: unknown;
  readonly end: EndFlag;
}

/** Wakes a thread that waits for messages, so that it sees its end flag. */
const WAKE = null;

/** The longest step between two looks at the end flag, a diagnosis of 500,000 blocks, takes 2 s; busy machines take longer. */
const GRACE_MS = 30_000;
/** A thread ended by force may never say that it has gone. */
const FORCED_MS = 5_000;

/**
 * A thread that is asked to end and does so at its next checkpoint (`inside.ts`). `Worker.terminate()` is only the last
 * resort: stopped in the middle of a file read, a thread can take the whole process with it (nodejs/node#56312).
 */
export class Thread {
  readonly worker: Worker;
  readonly #end: EndFlag;
  readonly #exited: Promise<true>;

  /**
   * @param data what the script gets as `threadData()`
   * @param end the flag of the thread that starts this one, so that both end together
   */
  constructor(script: URL, data: unknown, end: EndFlag = new Int32Array(new SharedArrayBuffer(4))) {
    this.#end = end;
    this.worker = new Worker(script, {
      workerData: { data, end } satisfies ThreadStart,
      execArgv: ["--enable-source-maps"],
    });
    this.#exited = new Promise((resolve) => this.worker.once("exit", () => resolve(true)));
  }

  /** Asks the thread to end, and waits until it did or was ended by force. */
  async end(graceMs: number = GRACE_MS): Promise<void> {
    Atomics.store(this.#end, 0, 1);
    this.worker.postMessage(WAKE, []);
    if (await this.#exitsWithin(graceMs)) return;
    void this.worker.terminate();
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
