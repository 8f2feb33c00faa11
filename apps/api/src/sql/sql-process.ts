/** The starter's side of the process that has DuckDB. */
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { SQL_SCRIPT } from "../threads/scripts.ts";
import {
  type SqlAnswer,
  type SqlLimits,
  type SqlTask,
  TOO_MUCH_MEMORY,
  type ToSqlProcess,
} from "./question.ts";

/** After its time a query is interrupted, which takes a moment; after this it is ended with its process, ms. */
const GRACE_MS = 2000;
/**
 * Writable memory that a process may have in addition to DuckDB's own limit, bytes: Node, the library, an answer's
 * rows.
 */
const BESIDE_BYTES = 800_000_000;
const SHELL = "/bin/sh";

/** End of a task without an answer. */
export type SqlEnd = "memory" | "time" | "crashed" | "stopped";

/**
 * One process, which does one task at a time. It has no access to the service: no environment, no open file, and a
 * working folder with the tables' files, which it opens by short paths.
 */
export class SqlProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<number | null>;
  #hasEnded = false;

  /** @param folder that contains the tables' files @param memoryBytes most that DuckDB may use */
  constructor(folder: string, memoryBytes: number) {
    const [command, ...args] = bounded(memoryBytes + BESIDE_BYTES, [
      process.execPath,
      "--max-old-space-size=512",
      "--enable-source-maps",
      fileURLToPath(SQL_SCRIPT),
    ]);
    this.#child = spawn(command, args, {
      cwd: folder,
      env: {},
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      serialization: "advanced",
    });
    this.#exited = new Promise((resolve) => {
      this.#child.once("exit", resolve);
      this.#child.once("error", () => resolve(null));
    });
    void this.#exited.then(() => (this.#hasEnded = true));
  }

  /** Whether it can be asked again. */
  get isAlive(): boolean {
    return !this.#hasEnded;
  }

  /** @param signal ends the task, and its process where that does not help */
  async ask(task: SqlTask, limits: SqlLimits, signal: AbortSignal): Promise<SqlAnswer | SqlEnd> {
    const answered = Promise.withResolvers<SqlAnswer>();
    const over = new AbortController();
    this.#child.once("message", (message) => answered.resolve(message as SqlAnswer));
    const stop = (): void => this.#send("stop");
    signal.addEventListener("abort", stop);
    this.#send({ task, limits });
    try {
      const end = await Promise.race([
        answered.promise,
        this.#exited.then((code): SqlEnd => (code === TOO_MUCH_MEMORY ? "memory" : "crashed")),
        this.#endLate(limits.seconds * 1000 + GRACE_MS, "time", over.signal),
        abortOf(signal).then(() => this.#endLate(GRACE_MS, "stopped", over.signal)),
      ]);
      // The answer of an interrupted query is not the answer to the question.
      return signal.aborted ? "stopped" : end;
    } finally {
      over.abort();
      signal.removeEventListener("abort", stop);
      this.#child.removeAllListeners("message");
    }
  }

  async end(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#exited;
  }

  async #endLate(ms: number, why: SqlEnd, over: AbortSignal): Promise<SqlEnd> {
    await sleep(ms, null, { signal: over }).catch(() => {});
    if (!over.aborted) await this.end();
    return why;
  }

  #send(message: ToSqlProcess): void {
    // A process that has ended reports that by its exit.
    if (this.#child.connected) this.#child.send(message, () => {});
  }
}

const abortOf = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

/**
 * The command with a memory limit of the operating system, if it has one: DuckDB does not count the texts of single
 * values, of which a query can make gigabytes within a moment. A process above the limit gets no memory, and DuckDB
 * reports it. On other systems the process checks itself.
 */
function bounded(bytes: number, command: readonly [string, ...string[]]): readonly [string, ...string[]] {
  if (process.platform !== "linux" || !existsSync(SHELL)) return command;
  return [SHELL, "-c", 'ulimit -d "$0" && exec "$@"', String(Math.floor(bytes / 1024)), ...command];
}
