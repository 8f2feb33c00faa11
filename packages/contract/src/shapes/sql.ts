/** Queries in SQL over stored tables (docs/reference/tables.md): requests and answers. */
import { MOST_SQL } from "../most-sql.ts";
import { z } from "../zod.ts";

/** In which form the rows are wanted. */
export const SqlFormat = z.enum(["json", "csv", "parquet"]);
export type SqlFormat = z.infer<typeof SqlFormat>;

export const SqlRequest = z.object({
  /** One SELECT, also with WITH, FROM or VALUES first, DESCRIBE or SUMMARIZE. */
  sql: z.string().min(1).max(MOST_SQL),
  format: SqlFormat.default("json"),
});
export type SqlRequest = z.infer<typeof SqlRequest>;

/** Limit that stopped a query with the rows read so far; `bytes` is of all values together. */
export const SqlLimit = z.enum(["time", "memory", "rows", "bytes"]);
export type SqlLimit = z.infer<typeof SqlLimit>;

/** Limits of one query. */
export const SqlLimits = z.object({ seconds: z.number(), rows: z.number(), memoryBytes: z.number() });
export type SqlLimits = z.infer<typeof SqlLimits>;

/**
 * A column of a result: null for a missing value. A time is µs since 1970, UTC. An integer that a number can't
 * represent makes its column text.
 */
export const SqlResultColumn = z.object({
  name: z.string(),
  /** DuckDB's name of the type. */
  type: z.string(),
  /** Unit of numbers: µs, ms, bytes, ppm or share; null where the query does not show it. */
  unit: z.string().nullable(),
  kind: z.enum(["number", "time", "text", "boolean"]),
  values: z.array(z.union([z.number(), z.string(), z.boolean()]).nullable()),
});
export type SqlResultColumn = z.infer<typeof SqlResultColumn>;

export const SqlResult = z.object({
  columns: z.array(SqlResultColumn),
  rows: z.number(),
  /** Time that DuckDB took. */
  ms: z.number(),
  /** Null where all rows are included. */
  stopped: SqlLimit.nullable(),
  /** Tables that the query names. */
  read: z.array(z.string()),
});
export type SqlResult = z.infer<typeof SqlResult>;

/** A table that queries can read. */
export const SqlTableInfo = z.object({
  name: z.string(),
  rows: z.number(),
  columns: z.array(
    z.object({
      name: z.string(),
      /** DuckDB's name of the type. */
      type: z.string(),
      /** Null for a column without a unit. */
      unit: z.string().nullable(),
      /** Explanation of the column; empty where its name explains it. */
      about: z.string(),
    }),
  ),
});
export type SqlTableInfo = z.infer<typeof SqlTableInfo>;

export const SqlTables = z.object({ tables: z.array(SqlTableInfo), limits: SqlLimits });
export type SqlTables = z.infer<typeof SqlTables>;
