/** Starts the thread that writes a capture's tables. */
import type { Problem } from "@aglens/contract";
import { ProblemError } from "@aglens/engine/problems";
import { CancelledError, type Job } from "../captures/job.ts";
import { scriptOf } from "../scripts.ts";
import type { ThreadActivity } from "../threads/thread-activity.ts";
import { Thread } from "../threads/thread.ts";
import type { TablesToWrite, WrittenTables } from "./capture-tables.ts";

/** Of a thread that writes the tables of one capture (`dataset-worker.ts`). */
export interface TablesMessages {
  readonly data: TablesToWrite;
  readonly toThread: never;
  readonly fromThread:
    | { readonly kind: "written"; readonly files: WrittenTables }
    | { readonly kind: "refused"; readonly problem: Problem };
}

/** Writes the tables in a thread, which ends with them. */
export function writeTables(request: TablesToWrite, activity: ThreadActivity): Job<WrittenTables> {
  const end = activity.begin("files");
  const { promise, resolve, reject } = Promise.withResolvers<WrittenTables>();
  const thread = new Thread<TablesMessages>(scriptOf("dataset-worker"), request);
  thread.onMessage((message) =>
    message.kind === "written" ? resolve(message.files) : reject(new ProblemError(message.problem)),
  );
  thread.onEnd((error) => {
    end();
    reject(error ?? new CancelledError("The thread ended."));
  });
  return {
    done: promise,
    cancel: async () => {
      reject(new CancelledError("Cancelled."));
      await thread.end();
    },
  };
}
