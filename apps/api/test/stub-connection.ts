/** A server that answers statements from a table, and records them. */
import type { Connection, Row } from "../src/live/server/connection.ts";

export interface StubConnection extends Connection {
  /** Statements in their order, with the session they were asked for. */
  readonly asked: readonly string[];
}

/** @param answer result sets of a statement, or an error; statements without a result return none */
export function stubConnection(
  answer: (sql: string, parameters: Readonly<Record<string, string>>) => readonly (readonly Row[])[] | Error,
): StubConnection {
  const asked: string[] = [];
  const run = (sql: string, parameters: Readonly<Record<string, string>> = {}): Promise<Row[][]> => {
    asked.push(sql);
    const result = answer(sql, parameters);
    return result instanceof Error
      ? Promise.reject(result)
      : Promise.resolve(result.map((rows) => [...rows]));
  };
  return {
    asked,
    where: "sql1:1433",
    query: run,
    execute: async (sql) => {
      await run(sql);
    },
    driver: null as unknown as Connection["driver"],
    onEnd: () => {},
    close: () => {},
  };
}
