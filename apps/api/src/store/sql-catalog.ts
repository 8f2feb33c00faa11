/** The catalog in SQL tables, in SQLite or PostgreSQL. */
import { sql } from "kysely";
import type { AliasedExpression, Compilable, RawBuilder } from "kysely";
import type { CaptureBrief } from "@aglens/contract";
import { isListed, storedIn } from "./capture-state.ts";
import type {
  Catalog,
  CaptureRecord,
  KeptPlan,
  LinkRecord,
  ListedCaptures,
  OwnDrafts,
  PlaceInList,
  RecordChange,
} from "./catalog.ts";
import type { CatalogDialect } from "./dialect.ts";
import { isDiskFull } from "./space.ts";
import { captureIn, captureText, linkIn, linksIn, storableText } from "./stored-record.ts";
import { inTransaction, RECORD } from "./tables.ts";
import type { Database } from "./tables.ts";

/**
 * Sends other servers a message about a change of a capture, as part of the query that stores the change.
 * @param isOutdated whether results that were computed from the capture are no longer true
 */
export type Tell = (id: string, isOutdated: boolean) => RawBuilder<unknown>;

export interface CatalogParts {
  readonly database: Database;
  readonly dialect: CatalogDialect;
  /** Null where there are no other servers. */
  readonly tell: Tell | null;
  /** Called when the disk is full. True when there is space now, so that the write is tried once more. */
  readonly makeRoom: () => boolean;
  readonly damaged: readonly string[];
  readonly close: () => Promise<void>;
}

interface StoringQuery extends Compilable {
  returning(told: AliasedExpression<unknown, "told">): Compilable;
}

/** Later than every capture. */
const FROM_THE_FIRST: PlaceInList = { created: "~", id: "" };

export class SqlCatalog implements Catalog {
  readonly damaged: readonly string[];
  readonly #parts: CatalogParts;
  readonly #database: Database;
  #last: { readonly text: string; readonly record: CaptureRecord } | null = null;

  constructor(parts: CatalogParts) {
    this.damaged = parts.damaged;
    this.#parts = parts;
    this.#database = parts.database;
  }

  async captures(): Promise<CaptureRecord[]> {
    const rows = await this.#records().orderBy("created", "desc").orderBy("id").execute();
    return rows.map(({ record }) => captureIn(record));
  }

  async ids(): Promise<string[]> {
    const rows = await this.#ids().orderBy("created", "desc").orderBy("id").execute();
    return rows.map(({ id }) => id);
  }

  /** Read inside the database: values that lists do not need never become objects. */
  async briefs(
    limit: number,
    listed: ListedCaptures,
    { created, id }: PlaceInList = FROM_THE_FIRST,
  ): Promise<CaptureBrief[]> {
    const rows = await this.#listed(listed)
      .where((eb) =>
        eb.or([eb("created", "<", created), eb.and([eb("created", "=", created), eb("id", ">", id)])]),
      )
      .select([
        "id",
        "created",
        "expires",
        sql<string>`record ->> 'name'`.as("name"),
        "state",
        sql<CaptureBrief["verdict"]>`record ->> 'verdict'`.as("verdict"),
        sql<CaptureBrief["severity"]>`record ->> 'severity'`.as("severity"),
        sql<CaptureBrief["place"]>`record ->> 'place'`.as("place"),
        "files",
        sql<CaptureBrief["owner"]>`record -> 'owner' ->> 'name'`.as("owner"),
        this.#parts.dialect.firstEvent.as("from"),
        sql<CaptureBrief["p95Us"]>`CAST(record -> 'digest' ->> 'p95Us' AS double precision)`.as("p95Us"),
        sql<string | null>`CAST(record -> 'problem' AS text)`.as("problem"),
        "shared",
        sql<boolean>`record -> 'draft' IS NOT NULL`.as("isDraft"),
      ])
      .orderBy("created", "desc")
      .orderBy("id")
      .limit(limit)
      .execute();
    return rows.map(({ isDraft, ...row }) => ({
      ...row,
      problem: JSON.parse(row.problem ?? "null") as CaptureBrief["problem"],
      shared: Boolean(row.shared),
      ...(isDraft ? { isDraft: true } : {}),
    }));
  }

  async count(listed: ListedCaptures): Promise<number> {
    const { count } = await this.#listed(listed)
      .select(({ fn }) => fn.countAll().as("count"))
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  async bytes(owner?: string): Promise<number> {
    const ofAll = this.#database
      .selectFrom("captures")
      .select(sql<number | string>`coalesce(sum(${this.#parts.dialect.bytes}), 0)`.as("bytes"));
    const query = owner === undefined ? ofAll : ofAll.where("owner_id", "=", owner);
    return Number((await query.executeTakeFirstOrThrow()).bytes);
  }

  async analysing(owner: string): Promise<number> {
    const { count } = await this.#database
      .selectFrom("captures")
      .select(({ fn }) => fn.countAll().as("count"))
      .where("state", "=", "analysing")
      .where("owner_id", "=", owner)
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  async capture(id: string): Promise<CaptureRecord | null> {
    const found = await this.#records().where("id", "=", id).executeTakeFirst();
    return found === undefined ? null : this.#captureIn(found.record);
  }

  addCapture(record: CaptureRecord): Promise<boolean> {
    return this.#write(() => this.#add(this.#database, record));
  }

  changeCapture(id: string, change: RecordChange): Promise<CaptureRecord | null> {
    return this.#write(() => this.#change(this.#database, id, change));
  }

  deleteCapture(id: string): Promise<void> {
    return this.#writeTogether(async (on) => {
      // First: no link is added to it from then on.
      const query = on.deleteFrom("captures").where("id", "=", id);
      await on.executeQuery(this.#telling(query, id, true));
      await on.deleteFrom("links").where("capture_id", "=", id).execute();
      await on.deleteFrom("plans").where("id", "=", id).execute();
    });
  }

  async expiredCaptures(now: string): Promise<string[]> {
    const rows = await this.#ids().where("expires", "<=", now).where("deleted", "is", null).execute();
    return rows.map(({ id }) => id);
  }

  async deletedCaptures(): Promise<CaptureRecord[]> {
    const rows = await this.#records()
      .where("deleted", "is not", null)
      .orderBy("deleted")
      .orderBy("id")
      .execute();
    return rows.map(({ record }) => captureIn(record));
  }

  async link(id: string): Promise<LinkRecord | null> {
    const found = await this.#link(id);
    return found === undefined ? null : linkIn(found.record);
  }

  async linksOf(captureId: string): Promise<LinkRecord[]> {
    const rows = await this.#database
      .selectFrom("links")
      .select(RECORD)
      .where("capture_id", "=", captureId)
      .execute();
    return linksIn(rows.map(({ record }) => record));
  }

  async addLink(link: LinkRecord): Promise<boolean> {
    const query = this.#database
      .insertInto("links")
      .columns(["id", "capture_id", "expires", "record"])
      .expression((eb) =>
        eb
          .selectFrom("captures")
          .select([
            eb.val(link.id).as("link"),
            "id",
            eb.val(link.expires).as("expires"),
            eb.val(storableText(link)).as("record"),
          ])
          .where("id", "=", link.captureId)
          // Waits for a running deletion, and makes a later one wait: it then finds the link.
          .$if(this.#parts.dialect.hasRowLocks, (capture) => capture.forKeyShare()),
      );
    const { numInsertedOrUpdatedRows = 0n } = await this.#write(() => query.executeTakeFirstOrThrow());
    return numInsertedOrUpdatedRows > 0n;
  }

  changeLink(id: string, change: (record: LinkRecord) => LinkRecord): Promise<LinkRecord | null> {
    return this.#write(async () => {
      for (;;) {
        const found = await this.#link(id);
        if (found === undefined) return null;
        const before = linkIn(found.record);
        const after = change(before);
        if (after === before) return after;
        const { numUpdatedRows } = await this.#database
          .updateTable("links")
          .set({ expires: after.expires, record: storableText(after), version: sql`version + 1` })
          .where("id", "=", id)
          .where("version", "=", found.version)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows > 0n) return after;
      }
    });
  }

  async deleteExpiredLinks(now: string): Promise<void> {
    await this.#write(() => this.#database.deleteFrom("links").where("expires", "<=", now).execute());
  }

  plans(): Promise<KeptPlan[]> {
    return this.#database.selectFrom("plans").select(["id", "plan"]).orderBy("id").execute();
  }

  async savePlan({ id, plan }: KeptPlan): Promise<void> {
    await this.#write(() =>
      this.#database
        .insertInto("plans")
        .values({ id, plan })
        .onConflict((there) => there.column("id").doUpdateSet({ plan }))
        .execute(),
    );
  }

  async deletePlan(id: string): Promise<void> {
    await this.#write(() => this.#database.deleteFrom("plans").where("id", "=", id).execute());
  }

  endPlan(id: string, added: readonly CaptureRecord[], change: RecordChange): Promise<void> {
    return this.#writeTogether(async (on) => {
      const { numDeletedRows } = await on.deleteFrom("plans").where("id", "=", id).executeTakeFirstOrThrow();
      if (numDeletedRows === 0n) return;
      for (const record of added) await this.#add(on, record);
      await this.#change(on, id, change);
    });
  }

  async fact(name: string): Promise<string | null> {
    const found = await this.#database
      .selectFrom("facts")
      .select("value")
      .where("name", "=", name)
      .executeTakeFirst();
    return found?.value ?? null;
  }

  async saveFact(name: string, value: string): Promise<void> {
    await this.#write(() =>
      this.#database
        .insertInto("facts")
        .values({ name, value })
        .onConflict((there) => there.column("name").doUpdateSet({ value }))
        .execute(),
    );
  }

  close(): Promise<void> {
    return this.#parts.close();
  }

  #records() {
    return this.#database.selectFrom("captures").select(RECORD);
  }

  #ids() {
    return this.#database.selectFrom("captures").select("id");
  }

  #listed({ fewestFiles, seenBy, drafts }: ListedCaptures) {
    const ofAll = this.#database
      .selectFrom("captures")
      .where("deleted", "is", null)
      .where("files", ">=", fewestFiles)
      .$if(drafts !== undefined, (query) => query.where(draftsTest(drafts)));
    if (seenBy === undefined) return ofAll;
    return ofAll.where((eb) => eb.or([eb("owner_id", "=", seenBy), eb.ref("shared")]));
  }

  /** An upload reads the record of its capture several times, and the record names all other files. */
  #captureIn(text: string): CaptureRecord {
    if (this.#last?.text !== text) this.#last = { text, record: captureIn(text) };
    return this.#last.record;
  }

  async #add(on: Database, record: CaptureRecord): Promise<boolean> {
    const { id, created, expires } = record;
    const query = on
      .insertInto("captures")
      .values({ id, created, expires, record: captureText(record) })
      .onConflict((there) => there.column("id").doNothing());
    const { numAffectedRows = 0n } = await on.executeQuery(this.#telling(query, id, false));
    return numAffectedRows > 0n;
  }

  /** Stored over the version that was read: a change that was faster is noticed, and no writer waits for a lock. */
  async #change(on: Database, id: string, change: RecordChange): Promise<CaptureRecord | null> {
    for (;;) {
      const found = await on
        .selectFrom("captures")
        .select([RECORD, "version", this.#parts.dialect.work.as("kind")])
        .where("id", "=", id)
        .executeTakeFirst();
      if (found === undefined) return null;
      const before = this.#captureIn(found.record);
      const after = change(before, found.kind === null ? null : { kind: found.kind });
      if (after === before) return after;
      const query = on
        .updateTable("captures")
        .set({ expires: after.expires, record: captureText(after), version: sql`version + 1` })
        .where("id", "=", id)
        .where("version", "=", found.version);
      const { numAffectedRows = 0n } = await on.executeQuery(
        this.#telling(query, id, isOutdated(before, after)),
      );
      if (numAffectedRows > 0n) return after;
    }
  }

  /** @returns the query, which also sends other servers a message about the change */
  #telling(query: StoringQuery, id: string, isOutdated: boolean): Compilable {
    const { tell } = this.#parts;
    return tell === null ? query : query.returning(tell(id, isOutdated).as("told"));
  }

  /** Null also while its capture is in the trash. */
  #link(id: string) {
    return this.#database
      .selectFrom("links")
      .select([RECORD, "version"])
      .where("id", "=", id)
      .where("capture_id", "not in", (eb) =>
        eb.selectFrom("captures").select("id").where("deleted", "is not", null),
      )
      .executeTakeFirst();
  }

  #writeTogether<Result>(steps: (on: Database) => Promise<Result>): Promise<Result> {
    return this.#write(() => inTransaction(this.#database, steps));
  }

  /** A full disk makes the entire transaction fail, so the entire transaction is tried once more. */
  async #write<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!isDiskFull(error) || !this.#parts.makeRoom()) throw error;
      return work();
    }
  }
}

/** The same rule as `isListedFor`. */
function draftsTest(drafts: OwnDrafts | undefined): RawBuilder<boolean> {
  const { show = "with", personId = null, browser = null } = drafts ?? {};
  const isNone = sql<boolean>`record -> 'draft' IS NULL`;
  if (show === "without") return isNone;
  const by = sql`record -> 'draft' ->> 'browser'`;
  const isOwn = sql<boolean>`(record -> 'draft' IS NOT NULL AND CASE WHEN owner_id IS NULL
    THEN ${by} IS NULL OR ${by} = ${browser ?? ""} ELSE owner_id = ${personId ?? ""} END)`;
  return show === "only" ? isOwn : sql<boolean>`(${isNone} OR ${isOwn})`;
}

/** Whether results that were computed from a capture are gone, or from another analysis. */
function isOutdated(before: CaptureRecord, after: CaptureRecord): boolean {
  return (
    isListed(before) !== isListed(after) ||
    JSON.stringify(storedIn(before)) !== JSON.stringify(storedIn(after))
  );
}
