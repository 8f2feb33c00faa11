/** Small tables at rest for tests of SQL, with their contents. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";

/**
 * Writes a table of one capture as a Parquet file.
 * @param path below the folder, such as `group=G/capture=a/hops.parquet`
 * @param select returns its rows
 * @param words text metadata, such as `unit.log_write_us`
 */
export async function writeParquet(
  folder: string,
  path: string,
  select: string,
  words: Readonly<Record<string, string>> = {},
): Promise<void> {
  await mkdir(join(folder, path, ".."), { recursive: true });
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const pairs = Object.entries(words).map(([key, value]) => `'${key}': '${value}'`);
  const metadata = pairs.length === 0 ? "" : `, KV_METADATA {${pairs.join(", ")}}`;
  await connection.run(`COPY (${select}) TO '${join(folder, path)}' (FORMAT parquet${metadata})`);
  connection.closeSync();
  instance.closeSync();
}
