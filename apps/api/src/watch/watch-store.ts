/** Stored data of watches: rows of JSON in one table next to the catalog's, in SQLite or PostgreSQL. */
import { sql } from "kysely";
import { storableText } from "../store/stored-record.ts";
import { inTransaction, RECORD } from "../store/tables.ts";
import type { Database, Tables } from "../store/tables.ts";

/**
 * "definition": what a person decided, one per watch; "episode": from a trigger to its end, by the trigger's time;
 * "hour": minutes of polls, by the hour; "message": waits to be sent, by the time it was made.
 */
export type WatchRowKind = Tables["watch_rows"]["kind"];

export interface WatchRow {
  readonly watch: string;
  /** Unique within watch and kind; sorted by time where the kind has one: ISO 8601, then what else it needs. */
  readonly key: string;
  /** JSON. */
  readonly record: unknown;
}

/** Rows of one kind; all bounds are optional. */
export interface WatchRowRange {
  readonly watch?: string;
  /** First key. */
  readonly from?: string;
  /** The key after the last one. */
  readonly before?: string;
  /** Most rows, the newest first; without it all, the oldest first. */
  readonly newest?: number;
}

/** Each call is one transaction. */
export class WatchStore {
  readonly #database: Database;

  /** @param database stays open */
  constructor(database: Database) {
    this.#database = database;
  }

  async rows(kind: WatchRowKind, { watch, from, before, newest }: WatchRowRange = {}): Promise<WatchRow[]> {
    let query = this.#database
      .selectFrom("watch_rows")
      .select(["watch", "key", RECORD])
      .where("kind", "=", kind);
    if (watch !== undefined) query = query.where("watch", "=", watch);
    if (from !== undefined) query = query.where("key", ">=", from);
    if (before !== undefined) query = query.where("key", "<", before);
    const ordered =
      newest === undefined
        ? query.orderBy("key").orderBy("watch")
        : query.orderBy("key", "desc").limit(newest);
    const rows = await ordered.execute();
    return rows.map(({ record, ...row }) => ({ ...row, record: JSON.parse(record) as unknown }));
  }

  /** Adds rows, or takes the place of those with the same key. */
  save(kind: WatchRowKind, rows: readonly WatchRow[]): Promise<void> {
    return this.saveTogether({ [kind]: rows });
  }

  /** The same for rows of several kinds, in one transaction. */
  async saveTogether(rows: Readonly<Partial<Record<WatchRowKind, readonly WatchRow[]>>>): Promise<void> {
    const all = Object.entries(rows).flatMap(([kind, ofKind]) =>
      ofKind.map(({ watch, key, record }) => ({
        kind: kind as WatchRowKind,
        watch,
        key,
        record: storableText(record as object),
      })),
    );
    await inTransaction(this.#database, async (on) => {
      for (const row of all) {
        // oxlint-disable-next-line no-await-in-loop -- one connection
        await on
          .insertInto("watch_rows")
          .values(row)
          .onConflict((there) => there.columns(["kind", "watch", "key"]).doUpdateSet({ record: row.record }))
          .execute();
      }
    });
  }

  /**
   * Changes a row as it is stored at that time: other servers may change it too.
   * @param changed its record; null: it stays @returns the record; null where there is no row
   */
  async change(
    kind: WatchRowKind,
    { watch, key }: Omit<WatchRow, "record">,
    changed: (record: unknown) => object | null,
  ): Promise<unknown> {
    for (;;) {
      // oxlint-disable no-await-in-loop -- again where it was changed meanwhile
      const [row] = await this.#database
        .selectFrom("watch_rows")
        .select(RECORD)
        .where("kind", "=", kind)
        .where("watch", "=", watch)
        .where("key", "=", key)
        .execute();
      if (row === undefined) return null;
      const before = JSON.parse(row.record) as unknown;
      const record = changed(before);
      if (record === null) return before;
      const { numUpdatedRows } = await this.#database
        .updateTable("watch_rows")
        .set({ record: storableText(record) })
        .where("kind", "=", kind)
        .where("watch", "=", watch)
        .where("key", "=", key)
        .where(sql`CAST(record AS text)`, "=", row.record)
        .executeTakeFirst();
      if (numUpdatedRows > 0n) return record;
      // oxlint-enable no-await-in-loop
    }
  }

  /** Deletes rows of one kind, or of all kinds of a watch. */
  async remove(kind: WatchRowKind | "all", { watch, from, before }: WatchRowRange): Promise<void> {
    let query = this.#database.deleteFrom("watch_rows");
    if (kind !== "all") query = query.where("kind", "=", kind);
    if (watch !== undefined) query = query.where("watch", "=", watch);
    if (from !== undefined) query = query.where("key", ">=", from);
    if (before !== undefined) query = query.where("key", "<", before);
    await query.execute();
  }
}
