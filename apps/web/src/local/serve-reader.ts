/** A thread that reads dropped files, one after the other. */
import { buffersOfEvents } from "@aglens/ag-model/replication";
import type { FromReader, ToReader } from "./messages.ts";
import { problemOfError } from "./problem-of-error.ts";
import { readDropped } from "./read-file.ts";
import type { ThreadScope } from "./thread.ts";

export function serveReader(thread: ThreadScope<ToReader, FromReader>): void {
  const read = async (file: ToReader): Promise<void> => {
    try {
      const files = await readDropped(file, (more) => thread.send({ kind: "bytes", more }));
      thread.send({ kind: "read", files }, files.flatMap(buffersOfEvents));
    } catch (error) {
      thread.send({ kind: "refused", problem: problemOfError(error) });
    }
  };
  thread.onMessage((file) => void read(file));
}
