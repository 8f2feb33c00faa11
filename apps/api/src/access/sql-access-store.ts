/** Sessions and the audit log in tables next to the catalog's, in SQLite or PostgreSQL. */
import { sql } from "kysely";
import { storableString, storableText } from "../store/stored-record.ts";
import { inTransaction, RECORD } from "../store/tables.ts";
import type { Database } from "../store/tables.ts";
import type { AccessStore, AuditRecord, NumberedAudit, SessionRecord } from "./access-store.ts";

export class SqlAccessStore implements AccessStore {
  readonly #database: Database;

  /** @param database stays open */
  constructor(database: Database) {
    this.#database = database;
  }

  async session(hash: string, now: string): Promise<SessionRecord | null> {
    const found = await this.#database
      .selectFrom("sessions")
      .select(RECORD)
      .where("hash", "=", hash)
      .where("expires", ">", now)
      .executeTakeFirst();
    return found === undefined ? null : (JSON.parse(found.record) as SessionRecord);
  }

  async saveSession(hash: string, expires: string, session: SessionRecord): Promise<void> {
    const record = storableText(session);
    await this.#database
      .insertInto("sessions")
      .values({ hash, expires, record })
      .onConflict((there) => there.column("hash").doUpdateSet({ expires, record }))
      .execute();
  }

  async changeSession(hash: string, record: SessionRecord): Promise<void> {
    await this.#database
      .updateTable("sessions")
      .set({ record: storableText(record) })
      .where("hash", "=", hash)
      .execute();
  }

  async deleteSession(hash: string): Promise<void> {
    await this.#database.deleteFrom("sessions").where("hash", "=", hash).execute();
  }

  async addAudit(record: AuditRecord): Promise<void> {
    const { at, personId, person, action, what } = record;
    await this.#database
      .insertInto("audit")
      .values({
        at: storableString(at),
        person_id: storableString(personId),
        person: storableString(person),
        action: storableString(action),
        what: storableString(what),
      })
      .execute();
  }

  async audit(limit: number, before: number | null, words = ""): Promise<readonly NumberedAudit[]> {
    const all = this.#database.selectFrom("audit").selectAll().orderBy("number", "desc").limit(limit);
    const older = before === null ? all : all.where("number", "<", before);
    const found = words === "" ? older : older.where(hasWords(words));
    return (await found.execute()).map(({ number, person_id: personId, ...rest }) => ({
      ...rest,
      personId,
      number: Number(number),
    }));
  }

  async sweep(now: string, auditFrom: string): Promise<void> {
    await inTransaction(this.#database, async (on) => {
      await on.deleteFrom("sessions").where("expires", "<=", now).execute();
      await on.deleteFrom("audit").where("at", "<", auditFrom).execute();
    });
  }
}

/** Characters that LIKE treats as patterns. */
const SPECIAL = /[\\%_]/gu;

function hasWords(words: string) {
  const pattern = `%${words.replaceAll(SPECIAL, "\\$&")}%`;
  return sql<boolean>`lower(concat_ws(${"\n"}, at, person, action, what)) LIKE lower(${pattern}) ESCAPE ${"\\"}`;
}
