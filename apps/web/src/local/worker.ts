/** The script of all threads of the page: what they share is in it once. A thread's name says what it does. */
import { serveCapture } from "./serve-capture.ts";
import { serveReader } from "./serve-reader.ts";
import { threadName, threadScope } from "./thread.ts";

if (threadName() === "reader") serveReader(threadScope());
else serveCapture(threadScope());
