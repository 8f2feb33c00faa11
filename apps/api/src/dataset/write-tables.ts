/** Starts the thread that writes a capture's tables. */
import type { Problem } from "@aglens/contract";
import { ProblemError } from "@aglens/engine/problems";
import { CancelledError, type Job } from "../captures/jobs/job.ts";
import type { ThreadActivity } from "../threads/thread-activity.ts";
import { type EndFlag, Thread } from "../threads/thread.ts";
import type { ShareToWrite, TablesToWrite, TablesResult } from "./capture-tables.ts";

/** Messages of a thread that writes the tables of one capture, or some of them (`dataset-worker.ts`). */
export interface TablesMessages {
  readonly data: TablesToWrite | ShareToWrite;
  readonly toThread: never;
  readonly fromThread:
    | { readonly kind: "written"; readonly result: TablesResult }
    | { readonly kind: "refused"; readonly problem: Problem };
}

/** Writes the tables in a thread, which ends with them. */
export function writeTables(request: TablesToWrite, activity: ThreadActivity): Job<TablesResult> {
  const end = activity.begin("files");
  const job = inThread(request);
  return { done: job.done.finally(end), cancel: () => job.cancel() };
}

/** Writes some of them in another thread. @param end of the thread that starts it: they end together */
export const writeInThread = (share: ShareToWrite, end: EndFlag): Promise<TablesResult> =>
  inThread(share, end).done;

function inThread(data: TablesMessages["data"], end?: EndFlag): Job<TablesResult> {
  const { promise, resolve, reject } = Promise.withResolvers<TablesResult>();
  const thread = new Thread<TablesMessages>("write-tables", data, end);
  thread.onMessage((message) =>
    message.kind === "written" ? resolve(message.result) : reject(new ProblemError(message.problem)),
  );
  thread.onEnd((error) => reject(error ?? new CancelledError("The thread ended.")));
  return {
    done: promise,
    cancel: async () => {
      reject(new CancelledError("Cancelled."));
      await thread.end();
    },
  };
}
