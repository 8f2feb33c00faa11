/** Small tables at rest for tests of SQL: what is in them is said here. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";

/**
 * Writes a table of one capture as a Parquet file.
 * @param path below the folder, such as `group=G/capture=a/hops.parquet`
 * @param select gives its rows
 */
export async function writeParquet(folder: string, path: string, select: string): Promise<void> {
  await mkdir(join(folder, path, ".."), { recursive: true });
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(`COPY (${select}) TO '${join(folder, path)}' (FORMAT parquet)`);
  connection.closeSync();
  instance.closeSync();
}
