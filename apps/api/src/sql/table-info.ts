/** Columns of tables with their units and meanings, and numbers of rows. */
import type { DuckDBConnection } from "@duckdb/node-api";
import type { SqlTableInfo } from "@aglens/contract";
import { quoted, quotedName } from "./locked-database.ts";
import type { SqlFileTable, SqlTable } from "./question.ts";

/** @returns columns of a table, in its order */
export async function columnsOf(
  connection: DuckDBConnection,
  table: SqlTable,
): Promise<SqlTableInfo["columns"]> {
  if (!("files" in table)) return [...table.columns];
  const described = await connection.runAndReadAll(`DESCRIBE ${quotedName(table.name)}`);
  const words = await wordsOf(connection, table);
  return described.getRows().map(([name, type]) => ({
    name: String(name),
    type: String(type),
    unit: words.get(`unit.${String(name)}`) ?? null,
    about: words.get(`about.${String(name)}`) ?? "",
  }));
}

/** Text metadata of a table's first file. */
async function wordsOf(connection: DuckDBConnection, { files }: SqlFileTable): Promise<Map<string, string>> {
  const result = await connection.runAndReadAll(
    `SELECT decode(key), decode(value) FROM parquet_kv_metadata(${quoted(files[0] ?? "")})`,
  );
  return new Map(result.getRows().map(([key, value]) => [String(key), String(value)]));
}

/** All of a table. */
export async function tableInfo(connection: DuckDBConnection, table: SqlTable): Promise<SqlTableInfo> {
  // Counts of Parquet files are in their footers.
  const counted = await connection.runAndReadAll(`SELECT count(*) FROM ${quotedName(table.name)}`);
  return {
    name: table.name,
    rows: Number(counted.getRows()[0]?.[0] ?? 0),
    columns: await columnsOf(connection, table),
  };
}
