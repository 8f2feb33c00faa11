/**
 * The threads' script as a separate file next to the page's own. A page in one file contains it (`workers-inside.ts`).
 */
import type { WorkThread } from "./capture-thread.ts";
import type { ReaderThread } from "./readers.ts";
import { threadOf } from "./thread.ts";

const start = (name: "reader" | "capture"): Worker =>
  new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name });

export const startReader = (): ReaderThread => threadOf(start("reader"));

export const startCapture = (): WorkThread => threadOf(start("capture"));
