/** A thread's own side: its data, its messages, and its end. */
import { getPriority, platform, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import type { ThreadTask } from "./scripts.ts";
import type { EndFlag, ThreadMessages, ThreadStart } from "./thread.ts";

const start = workerData as ThreadStart;

/** Task for which this thread was started. */
export const task: ThreadTask | null = start.task;

/** Thrown at a checkpoint of a thread that shall end. */
export class EndAsked extends Error {}

/** For threads that this one starts: they end with it. */
export const endFlag: EndFlag = start.end;

/** Whether the starter asked this thread to end. */
export function endAsked(): boolean {
  return Atomics.load(start.end, 0) === 1;
}

/** To be called wherever long work can be stopped. @throws EndAsked when the thread shall end */
export function checkpoint(): void {
  if (endAsked()) throw new EndAsked("The thread was asked to end.");
}

/** A nice value: about a tenth of the time of a process with 0, where both need the processor. */
const BACKGROUND = 10;

/**
 * Gives answers priority when the processors are busy: for threads that work in the background. Only on Linux, where a
 * priority belongs to a thread; elsewhere it would belong to the entire process.
 */
export function workInBackground(): void {
  if (platform() === "linux") setPriority(Math.max(getPriority(), BACKGROUND));
}

/** The starter, for its thread. */
export interface Starter<Messages extends ThreadMessages> {
  /** Data from the code that started the thread. */
  readonly data: Messages["data"];
  /** @param transfer passed without a copy */
  readonly send: (message: Messages["fromThread"], transfer?: readonly ArrayBuffer[]) => void;
  /** Handles messages, one after the other, until the thread shall end; waiting ones are then discarded. */
  readonly onMessages: (take: (message: Messages["toThread"]) => void) => void;
  /** Accepts no more messages: the thread ends after its work. */
  readonly close: () => void;
}

/** The starter; a script names the same messages as the file that starts it. */
export function starter<Messages extends ThreadMessages>(): Starter<Messages> {
  return {
    data: start.data,
    send: (message, transfer = []) => parentPort?.postMessage(message, transfer),
    onMessages: (take) => {
      parentPort?.on("message", (message: Messages["toThread"]) => {
        if (endAsked()) parentPort?.close();
        else take(message);
      });
    },
    close: () => parentPort?.close(),
  };
}
