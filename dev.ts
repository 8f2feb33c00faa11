/**
 * `npm run dev`: the API, bundled and started again after each change of its sources, and the web app with hot
 * replacement of modules. Ctrl+C ends both. The bundle runs, not the sources: its threads are the ones of `npm start`.
 */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { watchBundle } from "./apps/api/bundle.ts";
import { NODE_ARGUMENTS } from "./apps/api/node-arguments.ts";

const API = [...NODE_ARGUMENTS, "apps/api/dist/main.js"];

let api: ChildProcess | null = null;
let restarting: Promise<void> = Promise.resolve();
let ending = false;

/** Ends the process with what it has open, as `npm start` does on Ctrl+C, and waits for that. */
async function end(process: ChildProcess | null): Promise<void> {
  if (process === null || process.exitCode !== null || process.signalCode !== null) return;
  const exit = once(process, "exit");
  process.kill("SIGTERM");
  await exit;
}

/** The next one may only open the data directory when the last one has left it. */
async function restart(): Promise<void> {
  await end(api);
  // Out of the terminal's reach: a second signal would cut short how it ends its live runs.
  if (!ending) api = spawn(process.execPath, API, { stdio: "inherit", detached: true });
}

const stopWatching = watchBundle(() => {
  restarting = restarting.then(restart);
});
const web = spawn("npm", ["run", "-s", "dev", "-w", "@aglens/web"], {
  stdio: "inherit",
  // There npm is a script, which only a shell starts.
  shell: process.platform === "win32",
});

async function endAll(): Promise<void> {
  if (ending) return;
  ending = true;
  await stopWatching();
  await restarting;
  await Promise.all([end(api), end(web)]);
}

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void endAll());
web.on("exit", () => void endAll());
