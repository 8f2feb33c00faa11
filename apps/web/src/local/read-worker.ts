import { serveReader } from "./serve-reader.ts";
import { threadScope } from "./thread.ts";

serveReader(threadScope());
