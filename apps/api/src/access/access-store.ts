/** Sessions and the record of who did what, in tables of their own beside the catalogue's. */
import { DatabaseSync } from "node:sqlite";

export interface SessionRecord {
  /** Name that stays when the person's name changes: `token:…`, `directory:…`. */
  readonly personId: string;
  readonly name: string;
  /** Of the token that began it; null when the directory did. */
  readonly tokenHash: string | null;
  /** What a role may be given to: groups and the user name, as the directory named them. */
  readonly groups: readonly string[];
}

export interface AuditRecord {
  /** UTC, ISO 8601. */
  readonly at: string;
  readonly personId: string;
  readonly person: string;
  readonly action: string;
  readonly what: string;
}

/** Each call is one transaction. */
export interface AccessStore {
  /** @param hash SHA-256 of the cookie's value, hex */
  session(hash: string, now: string): SessionRecord | null;
  saveSession(hash: string, expires: string, record: SessionRecord): void;
  deleteSession(hash: string): void;
  addAudit(record: AuditRecord): void;
  /** Newest first, those with some text in one of their fields, those before the entry of number `before`. */
  audit(
    limit: number,
    before: number | null,
    words?: string,
  ): readonly (AuditRecord & { readonly number: number })[];
  /** Deletes sessions that are over, and audit entries older than `auditFrom`. */
  sweep(now: string, auditFrom: string): void;
  close(): void;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS sessions (
    hash TEXT PRIMARY KEY, expires TEXT NOT NULL, record TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS audit (
    number INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, personId TEXT NOT NULL, person TEXT NOT NULL,
    action TEXT NOT NULL, what TEXT NOT NULL
  ) STRICT;
`;
const BUSY_MS = 5_000;
/** Larger than every number. */
const FROM_THE_NEWEST = Number.MAX_SAFE_INTEGER;

/**
 * Opens the tables in the catalogue's file, by a connection of its own: transactions of both end within one turn of the
 * event loop, so neither waits for the other.
 */
export function openAccessStore(path: string): AccessStore {
  const database = new DatabaseSync(path, { timeout: BUSY_MS });
  database.exec("PRAGMA journal_mode = WAL");
  database.exec(SCHEMA);
  const session = database.prepare("SELECT record FROM sessions WHERE hash = ? AND expires > ?");
  const save = database.prepare("INSERT OR REPLACE INTO sessions (hash, expires, record) VALUES (?, ?, ?)");
  const remove = database.prepare("DELETE FROM sessions WHERE hash = ?");
  const removeExpired = database.prepare("DELETE FROM sessions WHERE expires <= ?");
  const addAudit = database.prepare(
    "INSERT INTO audit (at, personId, person, action, what) VALUES (?, ?, ?, ?, ?)",
  );
  const audit = database.prepare(
    "SELECT * FROM audit WHERE number < ? " +
      "AND instr(lower(at || char(10) || person || char(10) || action || char(10) || what), ?) > 0 " +
      "ORDER BY number DESC LIMIT ?",
  );
  const removeAudit = database.prepare("DELETE FROM audit WHERE at < ?");
  return {
    session: (hash, now) => {
      const row = session.get(hash, now);
      return row === undefined ? null : (JSON.parse(String(row["record"])) as SessionRecord);
    },
    saveSession: (hash, expires, record) => save.run(hash, expires, JSON.stringify(record)),
    deleteSession: (hash) => remove.run(hash),
    addAudit: ({ at, personId, person, action, what }) => addAudit.run(at, personId, person, action, what),
    audit: (limit, before, words = "") =>
      audit.all(before ?? FROM_THE_NEWEST, words.toLowerCase(), limit).map((row) => ({
        number: Number(row["number"]),
        at: String(row["at"]),
        personId: String(row["personId"]),
        person: String(row["person"]),
        action: String(row["action"]),
        what: String(row["what"]),
      })),
    sweep: (now, auditFrom) => {
      removeExpired.run(now);
      removeAudit.run(auditFrom);
    },
    close: () => database.close(),
  };
}
