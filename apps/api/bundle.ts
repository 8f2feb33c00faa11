/**
 * The API and its threads as plain JavaScript in `dist`, for `npm start`, the browser tests and every test that starts
 * a thread. A thread that loads TypeScript first strips the types of some 150 files, each time it starts.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { Notices } from "@aglens/fixtures/notices";
import { build, watch } from "rolldown";
import type { BuildOptions, OutputAsset, OutputChunk } from "rolldown";

const ROOT = import.meta.dirname;

/** Packages that only the main thread uses; some of them load files of their own by path. */
const LEFT_OUTSIDE =
  /^(?:@aws-sdk\/client-s3|@duckdb\/node-api|@napi-rs\/canvas|compression|express|express-rate-limit|express-static-gzip|helmet|kysely|openid-client|pg|pino|prom-client|tedious)$/u;

/** `aglens mcp`, and the threads that read files. */
const MCP_SCRIPTS = {
  mcp: join(ROOT, "src/mcp/main.ts"),
  "event-worker": join(ROOT, "../../packages/ag-model/bin/event-worker.ts"),
};

/** Commands of the single executable. */
export const COMMAND_SCRIPTS = { ...MCP_SCRIPTS, xel: join(ROOT, "../../packages/cli/bin/program.ts") };

/** The main thread, all other threads, the process with DuckDB, and the threads' own side for tests that write a thread. */
const scripts = ["src/main.ts", "src/worker.ts", "src/sql/sql-worker.ts", "src/threads/inside.ts"];

const options = {
  cwd: ROOT,
  platform: "node",
  input: {
    ...Object.fromEntries(scripts.map((path) => [basename(path, ".ts"), join(ROOT, path)])),
    ...MCP_SCRIPTS,
  },
  external: LEFT_OUTSIDE,
  output: {
    // All scripts are in one folder: `src/threads/scripts.ts` finds the threads next to the script that starts them.
    dir: join(ROOT, "dist"),
    format: "esm",
    sourcemap: true,
    // Sources in the maps would use memory in each thread, for only one log line: the error that ends the thread.
    sourcemapExcludeSources: true,
    entryFileNames: "[name].js",
    chunkFileNames: "shared-[name].js",
  },
} satisfies BuildOptions;

/** Writes the bundle. A file that is right already is left alone: threads may be reading it. */
export const writeBundle = (): Promise<void> => writeScripts({ ...options, plugins: noticesOf() });

const noticesOf = () => [new Notices(ROOT).outer()];

/** Writes scripts of tests, which are started often enough that stripping the types of all they load would be most of their time. */
export const writeTestScripts = (paths: readonly string[]): Promise<void> =>
  writeScripts({
    ...options,
    input: Object.fromEntries(paths.map((path) => [basename(path, ".ts"), path])),
    output: { ...options.output, chunkFileNames: "test-[name].js" },
  });

async function writeScripts(wanted: BuildOptions): Promise<void> {
  const { output } = await build({ ...wanted, write: false });
  await mkdir(options.output.dir, { recursive: true });
  await Promise.all(output.map(writeWhereDifferent));
}

async function writeWhereDifferent(file: OutputAsset | OutputChunk): Promise<void> {
  const path = join(options.output.dir, file.fileName);
  const content = file.type === "chunk" ? file.code : String(file.source);
  const before = await readFile(path, "utf8").catch(() => null);
  if (before !== content) await writeFile(path, content);
}

/** Writes the bundle now and after each change of a source. @param onWritten called after each time @returns ends it */
export function watchBundle(onWritten: () => void): () => Promise<void> {
  const watcher = watch({ ...options, plugins: noticesOf() });
  watcher.on("event", (event) => {
    if (event.code === "BUNDLE_END") void event.result.close().then(onWritten);
    if (event.code === "ERROR") console.error(event.error.message);
  });
  return () => watcher.close();
}

if (import.meta.main) await writeBundle();
