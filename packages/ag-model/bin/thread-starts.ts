/**
 * How threads that read events start. It loads nothing of what they or their askers need: a program can start them before its own code is there, and
 * both are loaded beside each other.
 */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

/** A thread needs 0.25 s of the processor before it can read, and in 0.55 s so many bytes are read and prepared here. */
const WORTH_THREADS_BYTES = 128 * 2 ** 20;

/**
 * How many threads read files beside each other; below 2 whoever asks reads them itself.
 * @param sizes of the files, bytes
 * @param from bytes of all together from which on threads are worth it
 */
export function threadsFor(sizes: readonly number[], from: number = WORTH_THREADS_BYTES): number {
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return bytes < from ? 0 : Math.min(sizes.length, availableParallelism());
}

/** Threads that nobody has asked for anything yet. */
const begun: Worker[] = [];

/** Starts the threads that files of these sizes will be read in, bytes. The process does not wait for those that are not needed. */
export function startThreadsAhead(sizes: readonly number[]): void {
  const threads = threadsFor(sizes);
  if (threads < 2) return;
  for (let i = 0; i < threads; i++) {
    const thread = newThread();
    thread.unref();
    begun.push(thread);
  }
}

/** A thread that was started ahead, or a new one. */
export function startThread(): Worker {
  const thread = begun.pop() ?? newThread();
  thread.ref();
  return thread;
}

const newThread = (): Worker => new Worker(new URL("event-worker.ts", import.meta.url));
