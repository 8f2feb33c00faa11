/** Queries in SQL of a server: over one capture, over the capture of a link, or over all captures. */
import { type SqlFormat, SqlResult, SqlTables } from "@aglens/contract";
import { jsonBody, readJson, send } from "./request.ts";
import { jsonFrom } from "./questions.ts";
import type { Question } from "./use-answer.ts";

/** Questions in SQL over one set of tables. */
export interface SqlSource {
  /** Distinguishes it from others. */
  readonly key: string;
  /** Tables that a query can read, and limits of a query. */
  tables(): Question<SqlTables>;
  /** Rejects with ProblemError, whose `at` is the place of a mistake. */
  rows(sql: string, signal: AbortSignal): Promise<SqlResult>;
  /** The result as a file; the query is run again. */
  file(sql: string, format: SqlFormat): Promise<Blob>;
}

/** @param api address of a capture or of a link; "" for all captures that one may see */
export const sqlOf = (api: string): SqlSource => ({
  key: api,
  tables: () => jsonFrom(SqlTables, `${api}/sql/tables`),
  rows: (sql, signal) => readJson(SqlResult, `${api}/sql`, jsonBody("POST", { sql }, signal)),
  file: async (sql, format) => (await send(`${api}/sql`, jsonBody("POST", { sql, format }))).blob(),
});
