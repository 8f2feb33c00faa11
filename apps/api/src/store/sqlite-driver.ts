/**
 * Kysely on `node:sqlite`: one connection, whose statements are complete when they are called. Kysely uses it for one
 * query or transaction at a time, because its adapter for SQLite supports no other connection.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from "kysely";

/** @param file stays open when Kysely is done */
export function sqliteDialect(file: DatabaseSync): Dialect {
  return {
    createDriver: () => new SqliteDriver(file),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (database) => new SqliteIntrospector(database),
  };
}

class SqliteDriver implements Driver {
  readonly #file: DatabaseSync;
  readonly #connection: DatabaseConnection;

  constructor(file: DatabaseSync) {
    this.#file = file;
    this.#connection = new SqliteConnection(file);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  /** Immediate: a transaction that reads before it writes waits for another program at its beginning. */
  async beginTransaction(): Promise<void> {
    this.#file.exec("BEGIN IMMEDIATE");
  }

  async commitTransaction(): Promise<void> {
    this.#file.exec("COMMIT");
  }

  /** SQLite itself has rolled back when the disk was full. */
  async rollbackTransaction(): Promise<void> {
    if (this.#file.isTransaction) this.#file.exec("ROLLBACK");
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}

interface PreparedStatement {
  readonly statement: StatementSync;
  /** False for a statement that only stores something. */
  readonly hasRows: boolean;
}

class SqliteConnection implements DatabaseConnection {
  readonly #file: DatabaseSync;
  /** Prepared statements by their text. Queries differ in their parameters only, so there are few. */
  readonly #prepared = new Map<string, PreparedStatement>();

  constructor(file: DatabaseSync) {
    this.#file = file;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { statement, hasRows } = this.#prepare(sql);
    const values = parameters as readonly SQLInputValue[];
    if (hasRows) return { rows: statement.all(...values) as Row[] };
    return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) };
  }

  async *streamQuery<Row>({ sql, parameters }: CompiledQuery): AsyncGenerator<QueryResult<Row>> {
    // Not a shared one: another query may begin before the last row is read.
    const rows = this.#file.prepare(sql).iterate(...(parameters as readonly SQLInputValue[]));
    for (const row of rows) yield { rows: [row as Row] };
  }

  #prepare(text: string): PreparedStatement {
    const known = this.#prepared.get(text);
    if (known !== undefined) return known;
    const statement = this.#file.prepare(text);
    const prepared = { statement, hasRows: statement.columns().length > 0 };
    this.#prepared.set(text, prepared);
    return prepared;
  }
}
