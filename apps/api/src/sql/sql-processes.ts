/** Runs questions in SQL: a few processes with DuckDB, started when a question arrives and ended when they are idle. */
import { mkdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { isSea } from "node:sea";
import { problem, problemDocument, ProblemError } from "@aglens/engine/problems";
import type { Config } from "../settings/config.ts";
import type { SqlFormat, SqlLimit, SqlTableInfo } from "@aglens/contract";
import type {
  SqlAnswer,
  SqlFile,
  SqlLimits,
  SqlQuestion,
  SqlRefusal,
  SqlRows,
  SqlRowsHead,
  SqlTable,
  SqlTask,
} from "./question.ts";
import { type SqlEnd, SqlProcess } from "./sql-process.ts";

/** An idle process ends after this time, ms: it takes some 100 MB. */
const IDLE_MS = 60_000;
/** Questions of one asker that wait or are answered at once. */
const MOST_OF_ONE = 4;
/** Questions that wait in all. */
const MOST_WAITING = 64;

export interface SqlSettings {
  /** Absolute path of the folder that contains the tables' files. */
  readonly folder: string;
  /** Why there is no SQL, as a sentence; null where there is. */
  readonly whyNot?: string | null;
  /** Questions that are answered at once. */
  readonly processes: number;
  readonly limits: SqlLimits;
}

/** Sender of a question, and its limits. */
export interface Asking {
  /** The sender of the question. A free process takes a question of a sender without a running one first. */
  readonly whose: string;
  /** Ends the question; it then fails as `cancelled`. */
  readonly signal?: AbortSignal;
  /** In the place of the settings' own. */
  readonly limits?: Partial<SqlLimits>;
}

interface Waiting {
  readonly whose: string;
  readonly task: SqlTask;
  readonly limits: SqlLimits;
  readonly signal: AbortSignal;
  readonly done: PromiseWithResolvers<SqlAnswer | SqlEnd>;
}

/** Processes at once: with a second one, a query of 10 s does not delay all others. */
const PROCESSES = 2;
const MOST_THREADS = 4;

/** @param folder that contains the tables' files */
export function openSql(
  config: Pick<Config, "keepsTables" | "sqlSeconds" | "sqlRows" | "sqlMemoryBytes">,
  folder: string,
): SqlProcesses {
  return new SqlProcesses({
    folder,
    whyNot: reasonAgainst(config),
    processes: PROCESSES,
    limits: {
      memoryBytes: config.sqlMemoryBytes,
      seconds: config.sqlSeconds,
      rows: config.sqlRows,
      threads: Math.min(MOST_THREADS, availableParallelism()),
    },
  });
}

function reasonAgainst({
  keepsTables,
  sqlSeconds,
}: Pick<Config, "keepsTables" | "sqlSeconds">): string | null {
  if (isSea()) return "The single executable comes without DuckDB. Use AG Lens with Node.js for SQL.";
  if (sqlSeconds === 0) return "SQL is turned off on this server (AGLENS_SQL_SECONDS).";
  return keepsTables ? null : "This server keeps no tables that SQL could read (AGLENS_TABLES).";
}

export class SqlProcesses {
  readonly #settings: SqlSettings;
  readonly #idle: { readonly process: SqlProcess; readonly timer: NodeJS.Timeout }[] = [];
  readonly #busy = new Set<SqlProcess>();
  /** Senders of the questions that have a process, or one that is being started. */
  readonly #running: string[] = [];
  readonly #waiting: Waiting[] = [];
  /** Running and waiting questions, by sender. */
  readonly #asked = new Map<string, number>();
  #isClosed = false;

  constructor(settings: SqlSettings) {
    this.#settings = settings;
  }

  get limits(): SqlLimits {
    return this.#settings.limits;
  }

  /** Questions that are answered now, and that wait. */
  get load(): { readonly running: number; readonly waiting: number } {
    return { running: this.#running.length, waiting: this.#waiting.length };
  }

  /** @throws ProblemError where there is no SQL */
  expectThere(): void {
    const { whyNot = null } = this.#settings;
    if (whyNot !== null) throw problem("sql-unavailable", whyNot);
  }

  /**
   * The rows of a query, or the first ones where a limit stopped it.
   * @throws ProblemError for a text that is wrong, and for a query that is never allowed
   */
  async rows(question: SqlQuestion, asking: Asking): Promise<SqlRows> {
    const answer = await this.#ask({ want: "rows", question }, asking);
    if ("rows" in answer) return answer.rows;
    return { columns: [], ...nothing(answer) };
  }

  /** The same as a file; without rows it has a head only. @throws ProblemError as `rows` does */
  async file(question: SqlQuestion, format: SqlFormat, asking: Asking): Promise<SqlFile> {
    const answer = await this.#ask({ want: "file", question, format }, asking);
    if ("file" in answer) return answer.file;
    const result = { columns: [], ...nothing(answer) };
    return {
      ...nothing(answer),
      bytes: format === "json" ? Buffer.from(JSON.stringify(result)) : Buffer.of(),
    };
  }

  /** Columns and rows of tables. @throws ProblemError */
  async tables(tables: readonly SqlTable[], asking: Asking): Promise<readonly SqlTableInfo[]> {
    const answer = await this.#ask({ want: "tables", tables }, asking);
    return "tables" in answer ? answer.tables : [];
  }

  /** Ends all processes, and running questions with them. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { done } of this.#waiting.splice(0)) done.resolve("stopped");
    for (const { timer } of this.#idle) clearTimeout(timer);
    await Promise.all([...this.#idle.map(({ process }) => process), ...this.#busy].map((each) => each.end()));
  }

  async #ask(task: SqlTask, { whose, signal = NEVER, limits = {} }: Asking): Promise<Done> {
    this.expectThere();
    const asked = this.#asked.get(whose) ?? 0;
    if (asked >= MOST_OF_ONE || this.#waiting.length >= MOST_WAITING)
      throw problem("sql-busy", "Too many queries run already. Try again when one has ended.");
    this.#asked.set(whose, asked + 1);
    const done = Promise.withResolvers<SqlAnswer | SqlEnd>();
    const waiting = { whose, task, limits: { ...this.#settings.limits, ...limits }, signal, done };
    const giveUp = (): void => this.#giveUp(waiting);
    signal.addEventListener("abort", giveUp);
    try {
      const begun = performance.now();
      this.#waiting.push(waiting);
      this.#next();
      return doneOf(await done.promise, performance.now() - begun);
    } finally {
      signal.removeEventListener("abort", giveUp);
      const left = (this.#asked.get(whose) ?? 1) - 1;
      if (left === 0) this.#asked.delete(whose);
      else this.#asked.set(whose, left);
    }
  }

  /**
   * Removes a question whose client has left, so that it takes no place from others, or from the next one of the same
   * sender.
   */
  #giveUp(question: Waiting): void {
    const place = this.#waiting.indexOf(question);
    if (place < 0) return;
    this.#waiting.splice(place, 1);
    question.done.resolve("stopped");
  }

  #next(): void {
    if (this.#isClosed || this.#running.length >= this.#settings.processes) return;
    const [next] = this.#waiting.toSorted((a, b) => this.#runningOf(a) - this.#runningOf(b));
    if (next === undefined) return;
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    this.#running.push(next.whose);
    this.#answer(next)
      .then(next.done.resolve, next.done.reject)
      .finally(() => {
        this.#running.splice(this.#running.indexOf(next.whose), 1);
        this.#next();
      });
  }

  #runningOf({ whose }: Waiting): number {
    return this.#running.filter((asker) => asker === whose).length;
  }

  async #answer({ task, limits, signal }: Waiting): Promise<SqlAnswer | SqlEnd> {
    if (signal.aborted) return "stopped";
    const process = this.#takeIdle() ?? (await this.#start());
    this.#busy.add(process);
    try {
      const answer = await process.ask(task, limits, signal);
      // Memory that was taken may stay with the process: the next question is to find as much as this one.
      if (isSpent(answer)) await process.end();
      return answer;
    } finally {
      this.#busy.delete(process);
      this.#keepIdle(process);
    }
  }

  async #start(): Promise<SqlProcess> {
    const { folder, limits } = this.#settings;
    await mkdir(folder, { recursive: true });
    return new SqlProcess(folder, limits.memoryBytes);
  }

  #takeIdle(): SqlProcess | null {
    for (;;) {
      const last = this.#idle.pop();
      if (last === undefined) return null;
      clearTimeout(last.timer);
      if (last.process.isAlive) return last.process;
    }
  }

  #keepIdle(process: SqlProcess): void {
    if (!process.isAlive) return;
    if (this.#isClosed) return void process.end();
    const timer = setTimeout(() => {
      const i = this.#idle.findIndex((each) => each.process === process);
      if (i >= 0) this.#idle.splice(i, 1);
      void process.end();
    }, IDLE_MS).unref();
    this.#idle.push({ process, timer });
  }
}

const isSpent = (answer: SqlAnswer | SqlEnd): boolean =>
  typeof answer === "string" ||
  ("rows" in answer && answer.rows.stopped === "memory") ||
  ("file" in answer && answer.file.stopped === "memory");

const NEVER = new AbortController().signal;

/**
 * Result of a task that is not refused: an answer, or the limit that ended its process, and the time until then in ms.
 */
type Done = Exclude<SqlAnswer, { refusal: unknown }> | { readonly stopped: SqlLimit; readonly ms: number };

/** @param ms since it was asked @throws ProblemError where there is nothing to show */
function doneOf(answer: SqlAnswer | SqlEnd, ms: number): Done {
  if (answer === "stopped") throw problem("cancelled", "The query was stopped.");
  if (answer === "crashed") {
    throw problem(
      "sql-failed",
      "DuckDB ended while it worked on this query. Others are not affected; try a smaller one.",
    );
  }
  if (typeof answer === "string") return { stopped: answer, ms };
  if ("refusal" in answer) throw problemOf(answer.refusal);
  return answer;
}

/** The head of an answer without rows. */
function nothing(done: Done): SqlRowsHead {
  const { stopped, ms } = "stopped" in done ? done : { stopped: null, ms: 0 };
  return { rows: 0, ms, stopped, read: [] };
}

function problemOf({ reason, sentence, at }: SqlRefusal): ProblemError {
  const document = problemDocument(`sql-${reason}`, sentence);
  return new ProblemError({ ...document, ...(at === null ? {} : { at }) });
}
