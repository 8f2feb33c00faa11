import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { EventColumns } from "xel-parser/events";
import { decodeHere } from "./decode.ts";
import type { DecodeFile } from "./decode.ts";
import { semaphore } from "./semaphore.ts";

/** Below this a thread costs more than it saves. */
const WORTH_A_THREAD_BYTES = 16 * 1024 * 1024;

/** What a decode worker tells its starter. */
export type DecodeReport =
  | { readonly report: "progress"; readonly bytesDone: number; readonly events: number }
  | { readonly report: "decoded"; readonly columns: EventColumns };

/**
 * A decoder that gives each large file a thread of its own, as many at a time as there are cores.
 * @param fromBytes size from which a file is large
 */
export function decodePool(
  cores: number = availableParallelism(),
  fromBytes: number = WORTH_A_THREAD_BYTES,
): DecodeFile {
  const slots = semaphore(Math.max(1, cores));
  return (file, onProgress) =>
    file.size < fromBytes ? decodeHere(file, onProgress) : slots(() => decodeElsewhere(file, onProgress));
}

const decodeElsewhere: DecodeFile = (file, onProgress) => {
  const result = Promise.withResolvers<EventColumns>();
  const worker = new Worker(new URL("./decode-worker.ts", import.meta.url), {
    workerData: file,
    execArgv: [],
  });
  worker.on("message", (report: DecodeReport) => {
    if (report.report === "progress") onProgress(report.bytesDone, report.events);
    else result.resolve(report.columns);
  });
  worker.on("error", (error) => result.reject(error as Error));
  worker.on("exit", () => result.reject(new Error("The decoder ended without a result.")));
  return result.promise;
};
