import { availableParallelism } from "node:os";
import type { EventColumns } from "@aglens/ag-model/events";
import { scriptOf } from "../scripts.ts";
import { Thread } from "../threads/thread.ts";
import type { EndFlag } from "../threads/thread.ts";
import { decodeHere } from "./decode.ts";
import type { DecodeFile } from "./decode.ts";
import { semaphore } from "./semaphore.ts";

/** Below this a thread costs more than it saves. */
const WORTH_A_THREAD_BYTES = 16 * 1024 * 1024;

/** What a decode worker tells its starter. */
export type DecodeReport =
  | {
      readonly report: "progress";
      readonly bytesDone: number;
      readonly events: number;
      readonly at: string | null;
    }
  | { readonly report: "decoded"; readonly columns: EventColumns };

/**
 * A decoder that gives each large file a thread of its own, as many at a time as there are cores.
 * @param fromBytes size from which a file is large
 * @param end of the thread that reads; its decoders end with it
 */
export function decodePool(
  cores: number = availableParallelism(),
  fromBytes: number = WORTH_A_THREAD_BYTES,
  end?: EndFlag,
): DecodeFile {
  const slots = semaphore(Math.max(1, cores));
  return (file, onProgress) =>
    file.size < fromBytes
      ? decodeHere(file, onProgress)
      : slots(() => decodeElsewhere(file, onProgress, end));
}

function decodeElsewhere(
  file: Parameters<DecodeFile>[0],
  onProgress: Parameters<DecodeFile>[1],
  end: EndFlag | undefined,
): Promise<EventColumns> {
  const result = Promise.withResolvers<EventColumns>();
  const { worker } = new Thread(scriptOf("decode-worker"), file, end);
  worker.on("message", (report: DecodeReport) => {
    if (report.report === "decoded") return result.resolve(report.columns);
    // As on one thread: what the listener throws ends the reading.
    try {
      onProgress(report.bytesDone, report.events, report.at);
    } catch (error) {
      result.reject(error);
    }
  });
  worker.on("error", (error) => result.reject(error as Error));
  worker.on("exit", () => result.reject(new Error("The decoder ended without a result.")));
  return result.promise;
}
