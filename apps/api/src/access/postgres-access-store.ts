/** Sessions and the audit log in PostgreSQL: who signed in at one server is signed in at all of them. */
import { sql } from "kysely";
import type { Database } from "../store/postgres/database.ts";
import { withUnreachable } from "../store/postgres/reachable.ts";
import { storableText } from "../store/stored-record.ts";
import type { AccessStore, SessionRecord } from "./access-store.ts";

/** Larger than every number. */
const FROM_THE_NEWEST = Number.MAX_SAFE_INTEGER;

interface AuditRow {
  readonly number: string;
  readonly at: string;
  readonly person_id: string;
  readonly person: string;
  readonly action: string;
  readonly what: string;
}

/** @param database as `openPostgres` gave it; it stays open */
export function postgresAccessStore(database: Database): AccessStore {
  return withUnreachable<AccessStore>({
    session: async (hash, now) => {
      const { rows } = await sql<{ record: SessionRecord }>`
        SELECT record FROM sessions WHERE hash = ${hash} AND expires > ${now}`.execute(database);
      return rows[0]?.record ?? null;
    },
    saveSession: async (hash, expires, record) => {
      await sql`INSERT INTO sessions (hash, expires, record) VALUES (${hash}, ${expires}, ${storableText(record)})
        ON CONFLICT (hash) DO UPDATE SET expires = excluded.expires, record = excluded.record`.execute(
        database,
      );
    },
    changeSession: async (hash, record) => {
      await sql`UPDATE sessions SET record = ${storableText(record)} WHERE hash = ${hash}`.execute(database);
    },
    deleteSession: async (hash) => {
      await sql`DELETE FROM sessions WHERE hash = ${hash}`.execute(database);
    },
    addAudit: async ({ at, personId, person, action, what }) => {
      const texts = [at, personId, person, action, what].map((text) => text.replaceAll("\0", "\uFFFD"));
      await sql`INSERT INTO audit (at, person_id, person, action, what)
        VALUES (${sql.join(texts)})`.execute(database);
    },
    audit: async (limit, before, words = "") => {
      const { rows } = await sql<AuditRow>`
        SELECT * FROM audit WHERE number < ${before ?? FROM_THE_NEWEST}
          AND position(lower(${words}) IN lower(concat_ws(chr(10), at, person, action, what))) > 0
        ORDER BY number DESC LIMIT ${limit}`.execute(database);
      return rows.map(({ number, person_id: personId, ...rest }) => ({
        ...rest,
        personId,
        number: Number(number),
      }));
    },
    sweep: async (now, auditFrom) => {
      await sql`DELETE FROM sessions WHERE expires <= ${now}`.execute(database);
      await sql`DELETE FROM audit WHERE at < ${auditFrom}`.execute(database);
    },
    close: () => Promise.resolve(),
  });
}
