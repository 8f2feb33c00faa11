#!/usr/bin/env node
/**
 * Starts the program with the code that an earlier run compiled: to strip TypeScript of its types and compile it takes longer than to analyse a
 * small capture, in the main thread and again in each thread that reads a file. Plain JavaScript, as what is loaded before that code is at hand
 * would have Node load all that strips types, in each run.
 */
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

const { NODE_COMPILE_CACHE, XDG_CACHE_HOME = join(homedir(), ".cache") } = process.env;
// In a folder of the user's own: what lies in one that all share may be somebody else's code.
const { directory } = enableCompileCache(NODE_COMPILE_CACHE ?? join(XDG_CACHE_HOME, "aglens"));
// Threads have it from there.
if (directory !== undefined) process.env["NODE_COMPILE_CACHE"] = directory;
const { bytesOf, startWithMemorySettings } = await import("./memory.ts");
// Light, too: it reads folders once, for what follows here and for the command.
const { filesAhead } = await import("@aglens/ag-model/folders");
const files = filesAhead(process.argv.slice(2));
startWithMemorySettings(files);
const { startThreadsAhead } = await import("@aglens/ag-model/thread-starts");
startThreadsAhead(files.filter((file) => /\.xel$/iu.test(file)).map(bytesOf));
await import("./program.ts");
