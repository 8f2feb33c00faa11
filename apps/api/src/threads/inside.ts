/** A thread's own side: what it was given, and when it shall end. */
import { parentPort, workerData } from "node:worker_threads";
import type { EndFlag, ThreadStart } from "./thread.ts";

const start = workerData as ThreadStart;

/** Thrown at a checkpoint of a thread that shall end. */
export class EndAsked extends Error {}

/** What the starter gave; both sides' types agree by the script's name only. */
export const threadData: unknown = start.data;

/** For threads that this one starts: they end with it. */
export const endFlag: EndFlag = start.end;

/** Whether the starter asked this thread to end. */
export function endAsked(): boolean {
  return Atomics.load(start.end, 0) === 1;
}

/** To be called wherever long work can be left. @throws EndAsked when the thread shall end */
export function checkpoint(): void {
  if (endAsked()) throw new EndAsked("The thread was asked to end.");
}

/** Takes messages, one after the other, until the thread shall end; what still waits then is left. */
export function onMessages(take: (message: unknown) => void): void {
  parentPort?.on("message", (message: unknown) => {
    if (endAsked()) parentPort?.close();
    else take(message);
  });
}

/** Sends to the starter; `transfer` is handed over without a copy. */
export function tell(message: unknown, transfer: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer);
}
