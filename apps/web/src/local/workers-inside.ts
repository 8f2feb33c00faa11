/** The threads inside the page's own script, for a page that is one file. */
// oxlint-disable-next-line import/default -- Vite makes it
import StartThread from "./worker.ts?worker&inline";
import type { WorkThread } from "./capture-thread.ts";
import type { ReaderThread } from "./readers.ts";
import { threadOf } from "./thread.ts";

export const startReader = (): ReaderThread => threadOf(new StartThread({ name: "reader" }));

export const startCapture = (): WorkThread => threadOf(new StartThread({ name: "capture" }));
