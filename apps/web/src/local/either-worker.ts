/** Both threads as one script, for a page that is one file: what they share lies in it once. A thread's name says which it is. */
import { serveCapture } from "./serve-capture.ts";
import { serveReader } from "./serve-reader.ts";
import { threadName, threadScope } from "./thread.ts";

if (threadName() === "reader") serveReader(threadScope());
else serveCapture(threadScope());
