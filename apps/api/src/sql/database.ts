/** DuckDB for one question: a database in memory that sees the asker's tables and nothing else. Runs in a process of its own. */
import { DuckDBInstance, StatementType } from "@duckdb/node-api";
import type { DuckDBConnection, DuckDBResult } from "@duckdb/node-api";
import { ColumnBuilder } from "./column-builder.ts";
import { columnUnits } from "./column-units.ts";
import { forbiddenPart, type ParsedSql, type TreeNode } from "./query-tree.ts";
import type {
  SqlAnswer,
  SqlLimit,
  SqlLimits,
  SqlQuestion,
  SqlRefusal,
  SqlRows,
  SqlTable,
} from "./question.ts";
import { isOutOfMemory, readError, shownMessage } from "./duckdb-errors.ts";

/** Bytes of an answer's values; a browser holds them some times over. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Settings that hold from the begin. What only a running database knows is set by `lock`. */
const CONFIG = {
  autoinstall_known_extensions: "false",
  autoload_known_extensions: "false",
  allow_community_extensions: "false",
  allow_unsigned_extensions: "false",
  // What does not fit into memory is refused, not written to the disk.
  temp_directory: "",
};

/** A question under way. */
export interface Asking {
  readonly answer: Promise<SqlAnswer>;
  /** Ends it soon, as a time limit does; who stops it waits for no answer. */
  stop(): void;
}

export function ask(question: SqlQuestion, limits: SqlLimits): Asking {
  const stop = new AbortController();
  return { answer: answerTo(question, limits, stop.signal), stop: () => stop.abort() };
}

async function answerTo(question: SqlQuestion, limits: SqlLimits, stop: AbortSignal): Promise<SqlAnswer> {
  const begun = performance.now();
  const instance = await DuckDBInstance.create(":memory:", {
    ...CONFIG,
    memory_limit: `${limits.memoryBytes}B`,
    threads: String(limits.threads),
  });
  const connection = await instance.connect();
  const interrupt = (): void => connection.interrupt();
  const late = setTimeout(() => interrupt(), limits.seconds * 1000);
  stop.addEventListener("abort", interrupt);
  try {
    await openTables(connection, question.tables);
    await lock(connection, question.tables);
    const root = await parsed(connection, question.sql);
    const forbidden = forbiddenPart(root, question.tables);
    if (forbidden !== null)
      return refused("refused", forbidden.sentence, placeOf(forbidden.node, question.sql));
    return { rows: await read(connection, question, root, limits, begun) };
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error.refusal };
    return endOf(error, question.sql, performance.now() - begun);
  } finally {
    clearTimeout(late);
    stop.removeEventListener("abort", interrupt);
    connection.closeSync();
    instance.closeSync();
  }
}

class Refusal extends Error {
  readonly refusal: SqlRefusal;
  constructor(refusal: SqlRefusal) {
    super(refusal.sentence);
    this.refusal = refusal;
  }
}

function refused(reason: SqlRefusal["reason"], sentence: string, at: number | null): { refusal: SqlRefusal } {
  return { refusal: { reason, sentence, at } };
}

async function openTables(connection: DuckDBConnection, tables: readonly SqlTable[]): Promise<void> {
  for (const { name, files } of tables) {
    // Files of captures that were analysed by different versions may differ in columns.
    const options = files.length > 1 ? ", union_by_name = true" : "";
    await connection.run(
      `CREATE VIEW ${quotedName(name)} AS SELECT * FROM read_parquet([${files.map(quoted).join(", ")}], hive_partitioning = true, hive_types_autocast = false${options})`,
    );
  }
}

/** From here on there are the tables' files and no others, no network, and no way back. */
async function lock(connection: DuckDBConnection, tables: readonly SqlTable[]): Promise<void> {
  const files = tables.flatMap((table) => table.files);
  await connection.run("SET TimeZone = 'UTC'");
  await connection.run("SET errors_as_json = true");
  await connection.run(`SET allowed_paths = [${files.map(quoted).join(", ")}]`);
  await connection.run("SET enable_external_access = false");
  await connection.run("SET lock_configuration = true");
}

/** The only statement of a text. */
async function parsed(connection: DuckDBConnection, sql: string): Promise<TreeNode> {
  const result = await connection.runAndReadAll("SELECT json_serialize_sql($sql::VARCHAR)", { sql });
  const tree = JSON.parse(String(result.getRows()[0]?.[0])) as ParsedSql;
  if (tree.error) {
    if (tree.error_type !== "parser")
      throw new Refusal({ reason: "refused", sentence: ONLY_READING, at: null });
    const at = tree.position === undefined ? null : charactersBefore(sql, Number(tree.position));
    throw new Refusal({ reason: "wrong", sentence: shownMessage(tree.error_message ?? ""), at });
  }
  const [first, ...others] = tree.statements ?? [];
  if (first === undefined)
    throw new Refusal({ reason: "wrong", sentence: "There is no query in this text.", at: 0 });
  if (others.length > 0)
    throw new Refusal({ reason: "refused", sentence: "Only one statement at a time can be run.", at: null });
  return first.node;
}

const ONLY_READING =
  "Only queries can be run here: SELECT, also with WITH, FROM or VALUES first, DESCRIBE and SUMMARIZE. PIVOT needs its values: IN (…).";

async function read(
  connection: DuckDBConnection,
  { sql, parameters, tables }: SqlQuestion,
  root: TreeNode,
  limits: SqlLimits,
  begun: number,
): Promise<SqlRows> {
  const statement = await connection.prepare(sql);
  // The parser's tree says the same; DuckDB's own word for it counts.
  if (statement.statementType !== StatementType.SELECT)
    throw new Refusal({ reason: "refused", sentence: ONLY_READING, at: null });
  if (parameters !== undefined && Object.keys(parameters).length > 0) statement.bind({ ...parameters });
  const result = await statement.stream();
  const names = result.columnNames();
  const units = columnUnits(root, tables, names);
  const columns = names.map((name, i) => new ColumnBuilder(name, result.columnType(i), units[i] ?? null));
  const stopped = await fill(columns, result, limits);
  const rows = columns[0]?.length ?? 0;
  return { columns: columns.map((column) => column.column()), rows, ms: performance.now() - begun, stopped };
}

/** Takes rows until there are no more, or a limit is reached. */
async function fill(
  columns: readonly ColumnBuilder[],
  result: DuckDBResult,
  limits: SqlLimits,
): Promise<SqlLimit | null> {
  let rows = 0;
  try {
    for (;;) {
      const chunk = await result.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) return null;
      const taken = Math.min(chunk.rowCount, limits.rows - rows);
      for (const [i, column] of columns.entries()) column.add(chunk.getColumnVector(i), taken);
      rows += taken;
      if (taken < chunk.rowCount) return "rows";
      if (columns.reduce((sum, { bytes }) => sum + bytes, 0) > MOST_BYTES) return "bytes";
    }
  } catch (error) {
    const limit = limitOf(error);
    // Rows that came before are shown; without any, an aggregate was under way.
    if (limit === null) throw error;
    return limit;
  }
}

function limitOf(error: unknown): SqlLimit | null {
  const { type, message } = readError(error);
  if (isOutOfMemory(type, message)) return "memory";
  return type === "INTERRUPT" ? "time" : null;
}

/** @param ms that it took until then */
function endOf(error: unknown, sql: string, ms: number): SqlAnswer {
  const limit = limitOf(error);
  if (limit !== null) return { rows: { columns: [], rows: 0, ms, stopped: limit } };
  const { message, position } = readError(error);
  return refused("wrong", shownMessage(message), position === null ? null : charactersBefore(sql, position));
}

function placeOf(node: TreeNode, sql: string): number | null {
  const place = node["query_location"];
  return typeof place === "number" && place < sql.length * 4 ? charactersBefore(sql, place) : null;
}

/** DuckDB counts bytes of UTF-8. */
function charactersBefore(sql: string, bytes: number): number {
  return Buffer.from(sql).subarray(0, bytes).toString().length;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
