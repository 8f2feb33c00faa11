/** Speed: decision 130: files are decoded on all cores, 65 ns per event. Without it the simple way is one file after the other. */
import { availableParallelism } from "node:os";
import type { EventColumns } from "@aglens/ag-model/events";
import { Thread } from "../../threads/thread.ts";
import type { EndFlag } from "../../threads/thread.ts";
import { decodeHere } from "./decode.ts";
import type { DecodeFile } from "./decode.ts";
import { semaphore } from "../../kernel/semaphore.ts";

/** Below this a thread costs more than it saves. */
const WORTH_A_THREAD_BYTES = 16 * 1024 * 1024;

export type DecodeReport =
  | {
      readonly kind: "progress";
      readonly bytesDone: number;
      readonly events: number;
      readonly at: string | null;
    }
  | { readonly kind: "piece"; readonly columns: EventColumns }
  | { readonly kind: "decoded" };

/** Messages of a thread that reads one file (`decode-worker.ts`). */
export interface DecodeMessages {
  readonly data: Parameters<DecodeFile>[0];
  /** Asks for the next piece, or for the end. */
  readonly toThread: "piece" | "end";
  readonly fromThread: DecodeReport;
}

/**
 * A decoder that starts a thread for each large file, as many at a time as there are cores.
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
      : inTurn(slots, () => decodeElsewhere(file, onProgress, end));
}

/** Reads once there is a slot, and has it until the last piece was taken. */
async function* inTurn(
  slots: ReturnType<typeof semaphore>,
  read: () => AsyncIterable<EventColumns>,
): AsyncGenerator<EventColumns> {
  const over = Promise.withResolvers<void>();
  await new Promise<void>((begin) => {
    void slots(() => {
      begin();
      return over.promise;
    });
  });
  try {
    yield* read();
  } finally {
    over.resolve();
  }
}

async function* decodeElsewhere(
  file: Parameters<DecodeFile>[0],
  onProgress: Parameters<DecodeFile>[1],
  end: EndFlag | undefined,
): AsyncGenerator<EventColumns> {
  let next = pieceToCome();
  const thread = new Thread<DecodeMessages>("decode", file, end);
  thread.onMessage((report) => {
    if (report.kind === "piece") return next.resolve(report.columns);
    if (report.kind === "decoded") return next.resolve(null);
    // As on one thread: an error of the listener ends the reading.
    try {
      onProgress(report.bytesDone, report.events, report.at);
    } catch (error) {
      next.reject(error);
    }
  });
  thread.onEnd((error) => next.reject(error ?? new Error("The decoder ended without a result.")));
  try {
    for (;;) {
      thread.send("piece");
      // oxlint-disable-next-line no-await-in-loop -- a piece is asked for when the one before it was taken
      const columns = await next.promise;
      if (columns === null) return;
      next = pieceToCome();
      yield columns;
    }
  } finally {
    thread.send("end");
  }
}

/**
 * A promise of the next piece; null when no piece is left. A thread may break between two requests: the next request
 * gets its error.
 */
function pieceToCome(): PromiseWithResolvers<EventColumns | null> {
  const piece = Promise.withResolvers<EventColumns | null>();
  piece.promise.catch(() => {});
  return piece;
}
