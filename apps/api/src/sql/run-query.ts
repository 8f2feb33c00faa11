/** One query in a locked database: checked, run, and read until a limit. */
import { StatementType } from "@duckdb/node-api";
import type { DuckDBConnection, DuckDBResult } from "@duckdb/node-api";
import type { SqlLimit } from "@aglens/contract";
import { ColumnBuilder } from "./column-builder.ts";
import { columnUnits } from "./column-units.ts";
import { charactersBefore, endOf, limitOf, Refusal, shownMessage } from "./refusal.ts";
import { forbiddenPart, tablesRead, type ParsedSql, type TreeNode } from "./query-tree.ts";
import type { SqlLimits, SqlQuestion, SqlRows, SqlTable } from "./question.ts";
import { openAndLock } from "./locked-database.ts";
import { columnsOf } from "./table-info.ts";

/** Bytes of an answer's values; a browser needs several times as much memory. */
const MOST_BYTES = 64 * 1024 * 1024;

const ONLY_READING =
  "Only queries can be run here: SELECT, also with WITH, FROM or VALUES first, DESCRIBE and SUMMARIZE. PIVOT needs its values: IN (…).";

/** @throws Refusal */
export async function runQuery(
  connection: DuckDBConnection,
  question: SqlQuestion,
  limits: SqlLimits,
): Promise<SqlRows> {
  const begun = performance.now();
  const { sql, tables } = question;
  try {
    const root = await parsed(connection, sql);
    const forbidden = forbiddenPart(root, tables);
    if (forbidden !== null) throw new Refusal("refused", forbidden.sentence, placeOf(forbidden.node, sql));
    const read = tablesRead(root, tables);
    // No part of the query runs before this. Each table of a query over many captures has many files.
    await openAndLock(connection, read);
    return await rowsOf(connection, question, { read, root, limits, begun });
  } catch (error) {
    const stopped = endOf(error, sql);
    return { columns: [], rows: 0, ms: performance.now() - begun, stopped, read: [] };
  }
}

/** @throws Refusal for a number that DuckDB takes for infinity: it writes that as no JSON has it */
function treeIn(json: string): ParsedSql {
  try {
    return JSON.parse(json) as ParsedSql;
  } catch (error) {
    if (!/:-?Infinity\b/u.test(json)) throw error;
    throw new Refusal("wrong", "A number in the query is beyond 1.8e308, the largest that DuckDB has.", null);
  }
}

/** The only statement of a text. */
async function parsed(connection: DuckDBConnection, sql: string): Promise<TreeNode> {
  const result = await connection.runAndReadAll("SELECT json_serialize_sql($sql::VARCHAR)", { sql });
  const tree = treeIn(String(result.getRows()[0]?.[0]));
  if (tree.error) {
    if (tree.error_type !== "parser") throw new Refusal("refused", ONLY_READING, null);
    const at = tree.position === undefined ? null : charactersBefore(sql, Number(tree.position));
    throw new Refusal("wrong", shownMessage(tree.error_message ?? ""), at);
  }
  const [first, ...others] = tree.statements ?? [];
  if (first === undefined) throw new Refusal("wrong", "There is no query in this text.", 0);
  if (others.length > 0) throw new Refusal("refused", "Only one statement at a time can be run.", null);
  return first.node;
}

/** A query that may run: the tables that it reads, its tree, and its bounds. */
interface CheckedQuery {
  readonly read: readonly SqlTable[];
  readonly root: TreeNode;
  readonly limits: SqlLimits;
  /** Time of its start, by `performance.now`. */
  readonly begun: number;
}

async function rowsOf(
  connection: DuckDBConnection,
  { sql, parameters }: SqlQuestion,
  { read, root, limits, begun }: CheckedQuery,
): Promise<SqlRows> {
  const statement = await connection.prepare(sql);
  // The parser's tree shows the same; DuckDB's own result decides.
  if (statement.statementType !== StatementType.SELECT) throw new Refusal("refused", ONLY_READING, null);
  if (parameters !== undefined && Object.keys(parameters).length > 0) statement.bind({ ...parameters });
  const known = [];
  for (const table of read) known.push({ name: table.name, columns: await columnsOf(connection, table) });
  const result = await statement.stream();
  const names = result.columnNames();
  const units = columnUnits(root, known, names);
  const columns = names.map((name, i) => new ColumnBuilder(name, result.columnType(i), units[i] ?? null));
  const stopped = await fill(columns, result, limits);
  return {
    columns: columns.map((column) => column.column()),
    rows: columns[0]?.length ?? 0,
    ms: performance.now() - begun,
    stopped,
    read: read.map(({ name }) => name),
  };
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
    // Earlier rows are shown; without any, an aggregate was being computed.
    if (limit === null) throw error;
    return limit;
  }
}

function placeOf(node: TreeNode, sql: string): number | null {
  const place = node["query_location"];
  return typeof place === "number" && place <= Buffer.byteLength(sql) ? charactersBefore(sql, place) : null;
}
