/** Sessions and the audit log in tables of their own beside the catalogue's, in its SQLite file. */
import { DatabaseSync } from "node:sqlite";
import { promised } from "../store/promised.ts";
import type { AccessStore, SessionRecord } from "./access-store.ts";

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
export function openSqliteAccessStore(path: string): AccessStore {
  const database = new DatabaseSync(path, { timeout: BUSY_MS });
  database.exec("PRAGMA journal_mode = WAL");
  database.exec(SCHEMA);
  const session = database.prepare("SELECT record FROM sessions WHERE hash = ? AND expires > ?");
  const save = database.prepare("INSERT OR REPLACE INTO sessions (hash, expires, record) VALUES (?, ?, ?)");
  const change = database.prepare("UPDATE sessions SET record = ? WHERE hash = ?");
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
  return promised<AccessStore>({
    session: (hash, now) => {
      const row = session.get(hash, now);
      return row === undefined ? null : (JSON.parse(String(row["record"])) as SessionRecord);
    },
    saveSession: (hash, expires, record) => void save.run(hash, expires, JSON.stringify(record)),
    changeSession: (hash, record) => void change.run(JSON.stringify(record), hash),
    deleteSession: (hash) => void remove.run(hash),
    addAudit: ({ at, personId, person, action, what }) =>
      void addAudit.run(at, personId, person, action, what),
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
  });
}
