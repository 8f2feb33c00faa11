/** The threads inside the page's own script, for a page that is one file. */
// oxlint-disable-next-line import/default -- Vite makes it
import StartCapture from "./capture-worker.ts?worker&inline";
// oxlint-disable-next-line import/default -- Vite makes it
import StartReader from "./read-worker.ts?worker&inline";
import type { WorkThread } from "./capture-thread.ts";
import type { ReaderThread } from "./readers.ts";
import { threadOf } from "./thread.ts";

export const startReader = (): ReaderThread => threadOf(new StartReader({ name: "reader" }));

export const startCapture = (): WorkThread => threadOf(new StartCapture({ name: "capture" }));
