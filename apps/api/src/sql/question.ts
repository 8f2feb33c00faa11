/** Questions to the process that has DuckDB, and its answers; its script uses the same types. */
import type { SqlFormat, SqlLimit, SqlTableInfo } from "@aglens/contract";

/**
 * A table for SQL: one view over the files of one or several captures. The files' metadata has the units and meanings
 * of its columns (docs/reference/tables.md).
 */
export interface SqlFileTable {
  readonly name: string;
  /** Parquet files, by their paths below the folder that the process works in; at least one. */
  readonly files: readonly string[];
  /**
   * Value of its column `capture` in place of the capture's id: a person with a link must not get the capture itself.
   */
  readonly capture?: string;
  /** Columns of texts that are shown empty. */
  readonly emptied?: readonly string[];
  /**
   * Columns of times with a time zone, which are shown as the same times of UTC without one: with zones DuckDB computes
   * with the calendar, and `time_bucket` takes over a hundred times as long.
   */
  readonly utc?: readonly string[];
}

/** A small table that is part of the question. */
export interface SqlRowTable {
  readonly name: string;
  /** With types of single values, or of lists: `VARCHAR[]`. */
  readonly columns: readonly SqlTableInfo["columns"][number][];
  /** By column. */
  readonly rows: readonly Readonly<Record<string, SqlValue | readonly string[]>>[];
}

export type SqlTable = SqlFileTable | SqlRowTable;

export type SqlValue = string | number | boolean | null;

export interface SqlQuestion {
  /** One statement that only reads. */
  readonly sql: string;
  /** Values of `$name` in it. */
  readonly parameters?: Readonly<Record<string, SqlValue>>;
  /** All tables that it can read. */
  readonly tables: readonly SqlTable[];
}

/** Limits for one question. */
export interface SqlLimits {
  /** Bytes of memory that DuckDB may use for it. */
  readonly memoryBytes: number;
  readonly seconds: number;
  readonly rows: number;
  /** Threads that work on it. */
  readonly threads: number;
}

interface ColumnHead {
  readonly name: string;
  /** DuckDB's own name of the type. */
  readonly type: string;
  /** Unit of its numbers: `µs`, `bytes`, ..., or null where the query does not show it. */
  readonly unit: string | null;
}

/** A column of an answer. Numbers and times have NaN where there is no value; times are µs since 1970, UTC. */
export type SqlColumn =
  | (ColumnHead & { readonly kind: "number" | "time"; readonly values: Float64Array })
  | (ColumnHead & { readonly kind: "text"; readonly values: readonly (string | null)[] })
  | (ColumnHead & { readonly kind: "boolean"; readonly values: readonly (boolean | null)[] });

/** Facts about an answer in any form. */
export interface SqlRowsHead {
  readonly rows: number;
  /** Time that DuckDB took, ms. */
  readonly ms: number;
  /** The limit at which it stopped with the rows that were there; null for all rows. */
  readonly stopped: SqlLimit | null;
  /** Tables that the query names. */
  readonly read: readonly string[];
}

export interface SqlRows extends SqlRowsHead {
  readonly columns: readonly SqlColumn[];
}

/** Rows in the form that was asked for, `json` as `SqlResult` of the contract. */
export interface SqlFile extends SqlRowsHead {
  readonly bytes: Uint8Array;
}

/** Why there is no answer. */
export interface SqlRefusal {
  /**
   * `wrong` is an error in the query's text, `refused` a query that is never allowed, `unavailable` a machine without
   * DuckDB, `failed` an error outside the query.
   */
  readonly reason: "wrong" | "refused" | "unavailable" | "failed";
  readonly sentence: string;
  /** Place in the text, in characters from its start; null where that is not known. */
  readonly at: number | null;
}

export type SqlAnswer =
  | { readonly rows: SqlRows }
  | { readonly file: SqlFile }
  | { readonly tables: readonly SqlTableInfo[] }
  | { readonly refusal: SqlRefusal };

/** Kinds of tasks. */
export type SqlTask =
  | { readonly want: "rows"; readonly question: SqlQuestion }
  | { readonly want: "file"; readonly question: SqlQuestion; readonly format: SqlFormat }
  /** Columns of the tables with their units, and numbers of rows. */
  | { readonly want: "tables"; readonly tables: readonly SqlTable[] };

/** Messages to the process, one task at a time. */
export type ToSqlProcess =
  | { readonly task: SqlTask; readonly limits: SqlLimits }
  /** Ends the running task. */
  | "stop";

/** Exit code of a process that ended itself because it took more memory than its limit. */
export const TOO_MUCH_MEMORY = 75;
