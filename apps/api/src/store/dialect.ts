/** The parts of the catalog's queries that differ between SQLite and PostgreSQL. */
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { CaptureWork } from "./catalog.ts";

export interface CatalogDialect {
  /** Time of the first event of a capture's files, without files that are ignored. */
  readonly firstEvent: RawBuilder<string | null>;
  /** Bytes of a capture's files. */
  readonly bytes: RawBuilder<number | string>;
  /** Work of some server on a capture. */
  readonly work: RawBuilder<CaptureWork["kind"] | null>;
  /** Whether a row that is read can be locked: other servers may write at the same time. */
  readonly hasRowLocks: boolean;
}

export const SQLITE: CatalogDialect = {
  firstEvent: sql`(SELECT min(value ->> 'from') FROM json_each(record, '$.files') WHERE value ->> 'role' <> 'ignored')`,
  // A computed column can't read a list.
  bytes: sql`(SELECT coalesce(sum(value ->> 'size'), 0) FROM json_each(record, '$.files'))`,
  work: sql`NULL`,
  hasRowLocks: false,
};

export const POSTGRES: CatalogDialect = {
  firstEvent: sql`(SELECT min((file ->> 'from') COLLATE "C") FROM json_array_elements(record -> 'files') AS file
    WHERE file ->> 'role' <> 'ignored')`,
  bytes: sql.ref("bytes"),
  work: sql`(SELECT kind FROM work
    WHERE work.id = captures.id AND (kind = 'analysis' OR leased_until > clock_timestamp()))`,
  hasRowLocks: true,
};
