/** One task of the process that has DuckDB. */
import type { DuckDBConnection } from "@duckdb/node-api";
import type { SqlAnswer, SqlLimits, SqlTask } from "./question.ts";
import { openAndLock, withDatabase } from "./locked-database.ts";
import { Refusal } from "./refusal.ts";
import { fileOf } from "./result-file.ts";
import { runQuery } from "./run-query.ts";
import { tableInfo } from "./table-info.ts";

/** A running task. */
export interface Doing {
  readonly answer: Promise<SqlAnswer>;
  /** Ends it soon, as a time limit does; who stops it waits for no answer. */
  stop(): void;
}

export function begin(task: SqlTask, limits: SqlLimits): Doing {
  const stop = new AbortController();
  return { answer: answerTo(task, limits, stop.signal), stop: () => stop.abort() };
}

async function answerTo(task: SqlTask, limits: SqlLimits, stop: AbortSignal): Promise<SqlAnswer> {
  try {
    return await withDatabase(limits, async (connection) => {
      const interrupt = (): void => connection.interrupt();
      const late = setTimeout(interrupt, limits.seconds * 1000);
      stop.addEventListener("abort", interrupt);
      try {
        return await done(connection, task, limits);
      } finally {
        clearTimeout(late);
        stop.removeEventListener("abort", interrupt);
      }
    });
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error.refusal };
    throw error;
  }
}

async function done(connection: DuckDBConnection, task: SqlTask, limits: SqlLimits): Promise<SqlAnswer> {
  switch (task.want) {
    case "rows":
      return { rows: await runQuery(connection, task.question, limits) };
    case "file":
      return { file: fileOf(await runQuery(connection, task.question, limits), task.format) };
    case "tables": {
      await openAndLock(connection, task.tables);
      const tables = [];
      for (const table of task.tables) tables.push(await tableInfo(connection, table));
      return { tables };
    }
  }
}
