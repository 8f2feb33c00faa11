/** DuckDB for one question: a database in memory that sees the asker's tables and nothing else. Runs in a process of its own. */
import { DuckDBInstance } from "@duckdb/node-api";
import type { DuckDBConnection } from "@duckdb/node-api";
import { unreadable } from "./refusal.ts";
import type { SqlFileTable, SqlLimits, SqlRowTable, SqlTable } from "./question.ts";

/** Settings that hold from the begin. What only a running database knows is set by `lock`. */
const CONFIG = {
  autoinstall_known_extensions: "false",
  autoload_known_extensions: "false",
  allow_community_extensions: "false",
  allow_unsigned_extensions: "false",
  // What does not fit into memory is refused, not written to the disk.
  temp_directory: "",
};

/** Opens a database, and closes it when the work is done. @param work what is done with it, locked */
export async function withDatabase<Result>(
  tables: readonly SqlTable[],
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
    for (const table of tables) {
      if ("files" in table) await connection.run(viewOf(table)).catch(unreadable);
      else await connection.run(tableOf(table));
    }
    await lock(connection, tables);
    return await work(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

function viewOf({ name, files, capture }: SqlFileTable): string {
  const columns = capture === undefined ? "*" : `* REPLACE (${quoted(capture)} AS capture)`;
  // Files of captures that were analysed by different versions may differ in columns.
  const options = files.length > 1 ? ", union_by_name = true" : "";
  return `CREATE VIEW ${quotedName(name)} AS SELECT ${columns} FROM read_parquet([${files.map(quoted).join(", ")}], hive_partitioning = true, hive_types_autocast = false${options})`;
}

function tableOf({ name, columns, rows }: SqlRowTable): string {
  const types = Object.fromEntries(columns.map((column) => [column.name, column.type]));
  // Half a letter is a text here, and no JSON to DuckDB.
  const json = JSON.stringify(rows, (_, value: unknown) =>
    typeof value === "string" ? value.toWellFormed() : value,
  );
  const list = `from_json(${quoted(json)}, ${quoted(JSON.stringify([types]))})`;
  return `CREATE TABLE ${quotedName(name)} AS SELECT unnest(${list}, recursive := true)`;
}

/** From here on there are the tables' files and no others, no network, and no way back. */
async function lock(connection: DuckDBConnection, tables: readonly SqlTable[]): Promise<void> {
  const files = tables.flatMap((table) => ("files" in table ? table.files : []));
  await connection.run("SET TimeZone = 'UTC'");
  await connection.run("SET errors_as_json = true");
  await connection.run(`SET allowed_paths = [${files.map(quoted).join(", ")}]`);
  await connection.run("SET enable_external_access = false");
  await connection.run("SET lock_configuration = true");
}

export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
