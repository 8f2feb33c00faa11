#!/usr/bin/env node
/**
 * Starts the program with the code that an earlier run compiled: stripping types from TypeScript and compiling it takes
 * longer than the analysis of a small capture, in the main thread and again in each thread that reads a file.
 */
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

const { NODE_COMPILE_CACHE, XDG_CACHE_HOME = join(homedir(), ".cache") } = process.env;
// In a folder of the user's own: a shared folder may contain code of other users.
const { directory } = enableCompileCache(NODE_COMPILE_CACHE ?? join(XDG_CACHE_HOME, "aglens"));
// Threads read it from there.
if (directory !== undefined) process.env["NODE_COMPILE_CACHE"] = directory;
const { startWithMemorySettings } = await import("./memory.ts");
const { filesAhead } = await import("@aglens/ag-model/folders");
startWithMemorySettings(filesAhead(process.argv.slice(2)));
await import("./program.ts");
