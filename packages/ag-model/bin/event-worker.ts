/** The thread's side of `event-threads.ts`. */
import { parentPort, workerData } from "node:worker_threads";
import { countInto } from "xel-parser/commands";
import { XelFormatError } from "xel-parser/format";
import { mergeColumns } from "../src/events/index.ts";
import { buffersOfEvents, prepareEvents } from "../src/replication/index.ts";
import type { ThreadAnswer, ThreadResult, ThreadStart, ThreadTask } from "./event-threads.ts";
import { prepareFiles, readFileEvents, readInTurn } from "./event-work.ts";

countInto((workerData as ThreadStart).progress);
parentPort?.on("message", (task: ThreadTask) => void answer(task));

async function answer(task: ThreadTask): Promise<void> {
  try {
    const result = await resultOf(task);
    send({ kind: "done", result }, result === null ? [] : buffersOfEvents(result));
  } catch (error) {
    send(failure(error));
  }
}

async function resultOf(task: ThreadTask): Promise<ThreadResult> {
  if (task.kind === "read") return readFileEvents(task.file, task.keepsColumns);
  if (task.kind === "readInTurn") return readInTurn(task.files, task.events);
  if (task.kind === "prepareFiles") return { prepared: await prepareFiles(task.files, task.events) };
  const columns = mergeColumns(task.parts);
  return { columns, prepared: prepareEvents(columns) };
}

function failure(thrown: unknown): ThreadAnswer {
  if (thrown instanceof XelFormatError) {
    const { code, offset, message } = thrown;
    return { kind: "noEventFile", code, offset, message };
  }
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  return { kind: "failed", error, code: "code" in error ? String(error.code) : undefined };
}

function send(message: ThreadAnswer, memory: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, memory);
}
