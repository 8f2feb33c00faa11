/** The tables of the catalog. SQLite (`sqlite-format.ts`) and PostgreSQL (`postgres/migrations.ts`) have the same ones. */
import { sql } from "kysely";
import type { ColumnType, Generated, GeneratedAlways, Kysely, SqlBool } from "kysely";
import type { Capture } from "@aglens/contract";

/** JSON, which is read as text only (`RECORD`): PostgreSQL's driver would parse it. */
type Json = ColumnType<never, string, string>;

/** Raised by each change of the record. PostgreSQL's driver reads it as text. */
type Version = Generated<number | string>;

export interface Tables {
  readonly captures: {
    readonly id: string;
    readonly created: string;
    readonly expires: string | null;
    readonly record: Json;
    readonly version: Version;
    // Computed from the record.
    readonly deleted: GeneratedAlways<string | null>;
    readonly state: GeneratedAlways<Capture["state"]>;
    readonly files: GeneratedAlways<number>;
    readonly owner_id: GeneratedAlways<string | null>;
    readonly shared: GeneratedAlways<SqlBool>;
  };
  readonly links: {
    readonly id: string;
    readonly capture_id: string;
    readonly expires: string | null;
    readonly record: Json;
    readonly version: Version;
  };
  readonly plans: { readonly id: string; readonly plan: string };
  readonly facts: { readonly name: string; readonly value: string };
  readonly sessions: { readonly hash: string; readonly expires: string; readonly record: Json };
  readonly audit: {
    readonly number: GeneratedAlways<number | string>;
    readonly at: string;
    readonly person_id: string;
    readonly person: string;
    readonly action: string;
    readonly what: string;
  };
  readonly watch_rows: {
    /** Id of the watch. */
    readonly watch: string;
    readonly kind: "definition" | "episode" | "hour" | "message";
    /** Unique within watch and kind; sorted by time where the kind has one. */
    readonly key: string;
    readonly record: Json;
  };
}

/** A connection to the tables, or a transaction on it. */
export type Database = Kysely<Tables>;

/** A record as it was written. */
export const RECORD = sql<string>`CAST(record AS text)`.as("record");

/** All steps or none. Within another transaction the steps are part of that one. */
export function inTransaction<Result>(
  database: Database,
  steps: (on: Database) => Promise<Result>,
): Promise<Result> {
  return database.isTransaction ? steps(database) : database.transaction().execute(steps);
}
