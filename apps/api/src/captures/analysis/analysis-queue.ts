/** Which analyses run at the same time, and which wait: bound by cores and by memory. */
import { availableParallelism } from "node:os";
import type { WaitingAnalysis } from "@aglens/contract";
import { memoryOfProcess } from "../../kernel/memory.ts";
import { CancelledError } from "../jobs/job.ts";
import type { Job } from "../jobs/job.ts";

export interface AnalysisLimits {
  /** Analyses at the same time. */
  readonly most: number;
  /** Memory that they may need together; a single analysis may need more. */
  readonly memoryBytes: number;
}

/**
 * Memory that an analysis needs at its peak. Measured: 613 MB of files took 2.5 GB in addition to the server's own
 * memory, and 24 analyses of 1.6 MB took 68 MB each.
 */
const BYTES_OF_A_THREAD = 64 * 1024 * 1024;
const BYTES_PER_FILE_BYTE = 4.5;
const SHARE_OF_MEMORY = 0.5;

/** Limits of this machine, and of its control group where that is narrower; null leaves one to it. */
export function limitsOfMachine(most: number | null, memoryBytes: number | null): AnalysisLimits {
  return {
    most: most ?? availableParallelism(),
    memoryBytes: memoryBytes ?? memoryOfProcess() * SHARE_OF_MEMORY,
  };
}

/** Memory that an analysis of so many bytes of files is expected to need. */
export function memoryFor(fileBytes: number): number {
  return BYTES_OF_A_THREAD + fileBytes * BYTES_PER_FILE_BYTE;
}

/** A job that may have to wait for others. */
export interface QueuedJob<T> extends Job<T> {
  /** Its place among those that wait; null once it runs. */
  readonly waiting: WaitingAnalysis | null;
}

interface Entry {
  readonly memory: number;
  readonly begin: () => void;
  readonly onPlace: () => void;
}

/** Analyses in the order of their requests; none overtakes another, so that a place in the queue only improves. */
export class AnalysisQueue {
  readonly #limits: AnalysisLimits;
  readonly #running = new Set<Entry>();
  #waiting: readonly Entry[] = [];

  constructor(limits: AnalysisLimits) {
    this.#limits = limits;
  }

  get running(): number {
    return this.#running.size;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Whether a job would begin at once. @param fileBytes as of `start` */
  mayBegin(fileBytes: number): boolean {
    return this.#waiting.length === 0 && this.#hindrance({ memory: memoryFor(fileBytes) }) === null;
  }

  /**
   * Begins a job when its turn has come.
   * @param onPlace called when its place in the queue has changed, also when it begins
   */
  start<T>(fileBytes: number, begin: () => Job<T>, onPlace: () => void): QueuedJob<T> {
    const result = Promise.withResolvers<T>();
    let job: Job<T> | null = null;
    let isCancelled = false;
    const entry: Entry = {
      memory: memoryFor(fileBytes),
      begin: () => {
        job = begin();
        job.done.then(result.resolve, result.reject).finally(() => {
          // A cancelled one keeps its memory until its thread has ended.
          if (!isCancelled) this.#end(entry);
        });
      },
      onPlace,
    };
    this.#waiting = [...this.#waiting, entry];
    this.#beginNext();
    const place = (): WaitingAnalysis | null => this.#place(entry);
    return {
      done: result.promise,
      get waiting() {
        return place();
      },
      cancel: async () => {
        isCancelled = true;
        result.reject(new CancelledError("Cancelled."));
        if (job === null) return this.#leave(entry);
        await job.cancel();
        this.#end(entry);
      },
    };
  }

  #beginNext(): void {
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined || this.#hindrance(next) !== null) return;
      this.#waiting = this.#waiting.slice(1);
      this.#running.add(next);
      next.begin();
    }
  }

  #end(entry: Entry): void {
    this.#running.delete(entry);
    const before = this.#waiting;
    this.#beginNext();
    for (const { onPlace } of before) onPlace();
  }

  #leave(entry: Entry): void {
    const others = this.#waiting.filter((other) => other !== entry);
    this.#waiting = others;
    // An analysis that needed too much memory no longer delays the ones after it.
    this.#beginNext();
    for (const { onPlace } of others) onPlace();
  }

  #place(entry: Entry): WaitingAnalysis | null {
    const index = this.#waiting.indexOf(entry);
    if (index === -1) return null;
    const reason = index === 0 ? this.#hindrance(entry) : null;
    return { place: index + 1, reason: reason ?? `${this.#running.size} run and ${index} wait before it.` };
  }

  /** Why it cannot begin now, as a sentence; null when it can. */
  #hindrance({ memory }: Pick<Entry, "memory">): string | null {
    const running = this.#running.size;
    if (running === 0) return null;
    const { most, memoryBytes } = this.#limits;
    if (running >= most) {
      return running === 1
        ? "One analysis runs; no more run at the same time (AGLENS_ANALYSES)."
        : `${running} analyses run; no more run at the same time (AGLENS_ANALYSES).`;
    }
    const used = [...this.#running].reduce((sum, entry) => sum + entry.memory, 0);
    if (used + memory <= memoryBytes) return null;
    return `It needs about ${gigabytes(memory)} GB of memory; those that run need ${gigabytes(used)} of the ${gigabytes(memoryBytes)} GB for analyses (AGLENS_ANALYSIS_MEMORY_BYTES).`;
  }
}

function gigabytes(bytes: number): string {
  return (bytes / 1e9).toFixed(1);
}
