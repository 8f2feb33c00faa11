/** What is asked of the process that has DuckDB, and what it answers; its script uses the same types. */

/** A table as SQL sees it: one view over the files of one or several captures. */
export interface SqlTable {
  readonly name: string;
  /** Parquet files, by their paths below the folder that the process works in; at least one. */
  readonly files: readonly string[];
  /** Units by column, such as `us` or `bytes`; columns without one are absent. */
  readonly units: Readonly<Record<string, string>>;
}

export type SqlValue = string | number | boolean | null;

export interface SqlQuestion {
  /** One statement that only reads. */
  readonly sql: string;
  /** Values of `$name` in it. */
  readonly parameters?: Readonly<Record<string, SqlValue>>;
  /** All that it can see. */
  readonly tables: readonly SqlTable[];
}

/** How much one question may take. */
export interface SqlLimits {
  /** Bytes of memory that DuckDB may use for it. */
  readonly memoryBytes: number;
  readonly seconds: number;
  readonly rows: number;
  /** Threads that work on it. */
  readonly threads: number;
}

export type SqlLimit = "time" | "memory" | "rows" | "bytes";

interface ColumnHead {
  readonly name: string;
  /** DuckDB's own name of the type. */
  readonly type: string;
  /** Unit of its numbers: `us`, `bytes`, ..., or null where the query does not show it. */
  readonly unit: string | null;
}

/** A column of an answer. Numbers and times have NaN where there is no value; times are µs since 1970, UTC. */
export type SqlColumn =
  | (ColumnHead & { readonly kind: "number" | "time"; readonly values: Float64Array })
  | (ColumnHead & { readonly kind: "text"; readonly values: readonly (string | null)[] })
  | (ColumnHead & { readonly kind: "boolean"; readonly values: readonly (boolean | null)[] });

export interface SqlRows {
  readonly columns: readonly SqlColumn[];
  readonly rows: number;
  /** Time that DuckDB took, ms. */
  readonly ms: number;
  /** The limit at which it stopped with the rows that were there; null for all rows. */
  readonly stopped: SqlLimit | null;
}

/** Why there is no answer. */
export interface SqlRefusal {
  /** `wrong` is the asker's text, `refused` what nobody may ask, `unavailable` a machine without DuckDB. */
  readonly reason: "wrong" | "refused" | "unavailable";
  readonly sentence: string;
  /** Where in the text, in characters from its begin; null where that is not known. */
  readonly at: number | null;
}

export type SqlAnswer = { readonly rows: SqlRows } | { readonly refusal: SqlRefusal };

/** What the process is sent, one question at a time. */
export type ToSqlProcess =
  | { readonly question: SqlQuestion; readonly limits: SqlLimits }
  /** Ends the question under way. */
  | "stop";

/** Exit code of a process that ended itself because it took more memory than its limit. */
export const TOO_MUCH_MEMORY = 75;
