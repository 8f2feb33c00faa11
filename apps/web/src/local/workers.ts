/** The threads as files beside the page's own script. A page in one file has others (`workers-inside.ts`). */
import type { WorkThread } from "./capture-thread.ts";
import type { ReaderThread } from "./readers.ts";
import { threadOf } from "./thread.ts";

export const startReader = (): ReaderThread =>
  threadOf(new Worker(new URL("./read-worker.ts", import.meta.url), { type: "module", name: "reader" }));

export const startCapture = (): WorkThread =>
  threadOf(new Worker(new URL("./capture-worker.ts", import.meta.url), { type: "module", name: "capture" }));
