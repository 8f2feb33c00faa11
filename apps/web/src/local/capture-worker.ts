import { serveCapture } from "./serve-capture.ts";
import { threadScope } from "./thread.ts";

serveCapture(threadScope());
