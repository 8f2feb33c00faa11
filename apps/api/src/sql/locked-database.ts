/**
 * DuckDB for one question: a database in memory that has access only to the question's tables. Runs in a process of its
 * own.
 */
import { DuckDBInstance } from "@duckdb/node-api";
import type { DuckDBConnection } from "@duckdb/node-api";
import { limitOf, unreadable } from "./refusal.ts";
import type { SqlFileTable, SqlLimits, SqlRowTable, SqlTable } from "./question.ts";

/** Settings from the start. `lock` sets those that need a running database. */
const CONFIG = {
  autoinstall_known_extensions: "false",
  autoload_known_extensions: "false",
  allow_community_extensions: "false",
  allow_unsigned_extensions: "false",
  // Data that does not fit into memory is refused, not written to the disk.
  temp_directory: "",
};

/** Opens a database that has nothing yet, and closes it when the work is done. */
export async function withDatabase<Result>(
  limits: SqlLimits,
  work: (connection: DuckDBConnection) => Promise<Result>,
): Promise<Result> {
  const instance = await DuckDBInstance.create(":memory:", {
    ...CONFIG,
    memory_limit: `${limits.memoryBytes}B`,
    threads: String(limits.threads),
  });
  const connection = await instance.connect();
  try {
    await connection.run("SET TimeZone = 'UTC'");
    await connection.run("SET errors_as_json = true");
    return await work(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/**
 * Adds these tables to a database. From here on the database has access only to their files and to no network, and this
 * can't be changed back.
 */
export async function openAndLock(connection: DuckDBConnection, tables: readonly SqlTable[]): Promise<void> {
  for (const table of tables) {
    // A limit that ends the opening of many files is one of the query's.
    if ("files" in table)
      await connection.run(viewOf(table)).catch((error: unknown) => {
        if (limitOf(error) === null) unreadable();
        throw error;
      });
    else await connection.run(tableOf(table));
  }
  const files = tables.flatMap((table) => ("files" in table ? table.files : []));
  await connection.run(`SET allowed_paths = [${files.map(quoted).join(", ")}]`);
  await connection.run("SET enable_external_access = false");
  await connection.run("SET lock_configuration = true");
}

function viewOf({ name, files, capture, utc = [], emptied = [] }: SqlFileTable): string {
  // Files of captures that were analyzed by different versions may differ in columns.
  const options = files.length > 1 ? ", union_by_name = true" : "";
  const instants = utc.map(
    (column) => `make_timestamp(epoch_us(${quotedName(column)})) AS ${quotedName(column)}`,
  );
  const replaced = [
    ...instants,
    ...emptied.map((column) => `CAST(NULL AS VARCHAR) AS ${quotedName(column)}`),
    ...(capture === undefined ? [] : [`${quoted(capture)} AS capture`]),
  ];
  const columns = replaced.length === 0 ? "*" : `* REPLACE (${replaced.join(", ")})`;
  const list = files.map(quoted).join(", ");
  return `CREATE VIEW ${quotedName(name)} AS SELECT ${columns} FROM read_parquet([${list}], hive_partitioning = true, hive_types_autocast = false${options})`;
}

function tableOf({ name, columns, rows }: SqlRowTable): string {
  const types = Object.fromEntries(columns.map(({ name, type }) => [name, jsonType(type)]));
  // Half a letter is a text here, and no JSON to DuckDB.
  const json = JSON.stringify(rows, (_, value: unknown) =>
    typeof value === "string" ? value.toWellFormed() : value,
  );
  const list = `from_json(${quoted(json)}, ${quoted(JSON.stringify([types]))})`;
  return `CREATE TABLE ${quotedName(name)} AS SELECT unnest(${list}, max_depth := 2)`;
}

/** A type as `from_json` has it: lists in brackets. */
const jsonType = (type: string): string | readonly string[] =>
  type.endsWith("[]") ? [type.slice(0, -2)] : type;

export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
