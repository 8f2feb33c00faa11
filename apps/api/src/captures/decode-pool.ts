import { availableParallelism } from "node:os";
import type { EventColumns } from "@aglens/ag-model/events";
import { scriptOf } from "../scripts.ts";
import { Thread } from "../threads/thread.ts";
import type { EndFlag } from "../threads/thread.ts";
import { decodeHere } from "./decode.ts";
import type { DecodeFile } from "./decode.ts";
import { semaphore } from "../semaphore.ts";

/** Below this a thread costs more than it saves. */
const WORTH_A_THREAD_BYTES = 16 * 1024 * 1024;

export type DecodeReport =
  | {
      readonly kind: "progress";
      readonly bytesDone: number;
      readonly events: number;
      readonly at: string | null;
    }
  | { readonly kind: "decoded"; readonly columns: EventColumns };

/** Of a thread that reads one file (`decode-worker.ts`). */
export interface DecodeMessages {
  readonly data: Parameters<DecodeFile>[0];
  readonly toThread: never;
  readonly fromThread: DecodeReport;
}

/**
 * A decoder that gives each large file a thread of its own, as many at a time as there are cores.
 * @param cores at least one
 * @param fromBytes size from which a file is large
 * @param end of the thread that reads; its decoders end with it
 */
export function decodePool(
  cores: number = availableParallelism(),
  fromBytes: number = WORTH_A_THREAD_BYTES,
  end?: EndFlag,
): DecodeFile {
  const slots = semaphore(cores);
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
  const thread = new Thread<DecodeMessages>(scriptOf("decode-worker"), file, end);
  thread.onMessage((report) => {
    if (report.kind === "decoded") return result.resolve(report.columns);
    // As on one thread: what the listener throws ends the reading.
    try {
      onProgress(report.bytesDone, report.events, report.at);
    } catch (error) {
      result.reject(error);
    }
  });
  thread.onEnd((error) => result.reject(error ?? new Error("The decoder ended without a result.")));
  return result.promise;
}
