/** The script of all threads of the page: it contains shared code once. A thread's name selects its task. */
import { serveCapture } from "./serve-capture.ts";
import { serveReader } from "./serve-reader.ts";
import { threadName, threadScope } from "./thread.ts";

if (threadName() === "reader") serveReader(threadScope());
else serveCapture(threadScope());
