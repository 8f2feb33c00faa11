import { DatabaseSync } from "node:sqlite";
import type { Capture, CaptureBrief, CaptureFile, Link } from "@aglens/contract";
import { isDiskFull } from "./space.ts";

/** What is kept about a capture: all but the progress, which lives with the running job, and what follows from its files. */
export type CaptureRecord = Omit<Capture, "progress" | "groups" | "unused"> & {
  /** Nobody gave it a name: it has the one that its files make. */
  readonly isUnnamed?: boolean;
  /** Its files are one capture however they are grouped: a live run knows its servers. */
  readonly isOne?: boolean;
  /** The API was ended in the middle of the analysis: the next start begins it again. */
  readonly analyseAgain?: boolean;
};

export interface LinkRecord extends Omit<Link, "deleteToken"> {
  /** SHA-256 of the delete token, hex; the token itself is not kept. */
  readonly tokenHash: string;
}

/** Small facts about captures and links. Each call is one transaction. */
export interface Catalogue {
  /** Newest first. */
  captures(): CaptureRecord[];
  /**
   * Captures as lists need them, newest first.
   * @param fewestFiles 1 leaves out captures without files
   * @param after `created` and id of the last one of the page before
   */
  briefs(
    limit: number,
    fewestFiles: 0 | 1,
    after?: { readonly created: string; readonly id: string },
  ): CaptureBrief[];
  /** How many captures there are, as `briefs` takes them. */
  count(fewestFiles: 0 | 1): number;
  capture(id: string): CaptureRecord | null;
  saveCapture(record: CaptureRecord): void;
  /** Deletes the capture's links too. */
  deleteCapture(id: string): void;
  /** Ids of captures whose time is over at `now` (ISO 8601). */
  expiredCaptures(now: string): string[];
  link(id: string): LinkRecord | null;
  saveLink(record: LinkRecord): void;
  deleteLink(id: string): void;
  deleteExpiredLinks(now: string): void;
  close(): void;
}

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS captures (
    id TEXT PRIMARY KEY, created TEXT NOT NULL, expires TEXT, record TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS links (
    id TEXT PRIMARY KEY, captureId TEXT NOT NULL, expires TEXT, record TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS linksOfCapture ON links (captureId);
`;

/** Read inside SQLite: what lists do not need never becomes objects. */
const BRIEFS = `
  SELECT id, created, expires,
    record ->> 'name' AS name, record ->> 'state' AS state, record -> 'problem' AS problem,
    record ->> 'verdict' AS verdict, record ->> 'severity' AS severity, record ->> 'place' AS place,
    json_array_length(record, '$.files') AS files,
    (SELECT min(value ->> 'from') FROM json_each(record, '$.files') WHERE value ->> 'role' <> 'ignored') AS "from"
  FROM captures
  WHERE (created < :created OR (created = :created AND id > :id))
    AND json_array_length(record, '$.files') >= :fewestFiles
  ORDER BY created DESC, id LIMIT :limit
`;
/** Later than every capture. */
const FROM_THE_FIRST = { created: "~", id: "" };

/** How long a write waits for another program that has the file, such as a backup; the thread waits with it. */
const BUSY_MS = 5_000;

/**
 * Catalogue in one SQLite file.
 * @param path file, or ":memory:"
 * @param makeRoom called when the disk is full; true when there is room now, and the write is tried once more
 */
export function openCatalogue(path: string, makeRoom: () => boolean = () => false): Catalogue {
  const database = new DatabaseSync(path, { timeout: BUSY_MS });
  const write = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (!isDiskFull(error) || !makeRoom()) throw error;
      work();
    }
  };
  write(() => database.exec(SCHEMA));
  const all = database.prepare("SELECT record FROM captures ORDER BY created DESC, id");
  const briefs = database.prepare(BRIEFS);
  const count = database.prepare(
    "SELECT count(*) AS count FROM captures WHERE json_array_length(record, '$.files') >= ?",
  );
  const one = database.prepare("SELECT record FROM captures WHERE id = ?");
  const save = database.prepare(
    "INSERT INTO captures (id, created, expires, record) VALUES (?, ?, ?, ?) " +
      "ON CONFLICT (id) DO UPDATE SET expires = excluded.expires, record = excluded.record",
  );
  const remove = database.prepare("DELETE FROM captures WHERE id = ?");
  const expired = database.prepare("SELECT id FROM captures WHERE expires IS NOT NULL AND expires <= ?");
  const oneLink = database.prepare("SELECT record FROM links WHERE id = ?");
  const saveLink = database.prepare(
    "INSERT INTO links (id, captureId, expires, record) VALUES (?, ?, ?, ?) " +
      "ON CONFLICT (id) DO UPDATE SET expires = excluded.expires, record = excluded.record",
  );
  const removeLink = database.prepare("DELETE FROM links WHERE id = ?");
  const removeLinks = database.prepare("DELETE FROM links WHERE captureId = ?");
  const removeExpiredLinks = database.prepare("DELETE FROM links WHERE expires IS NOT NULL AND expires <= ?");

  return {
    captures: () => all.all().map(captureIn),
    briefs: (limit, fewestFiles, after = FROM_THE_FIRST) =>
      briefs
        .all({ limit, fewestFiles, created: after.created, id: after.id })
        .map((row) => ({ ...row, problem: JSON.parse(String(row["problem"] ?? null)) }) as CaptureBrief),
    count: (fewestFiles) => Number(count.get(fewestFiles)?.["count"]),
    capture: (id) => {
      const row = one.get(id);
      return row ? captureIn(row) : null;
    },
    saveCapture: (capture) =>
      write(() => save.run(capture.id, capture.created, capture.expires, JSON.stringify(capture))),
    deleteCapture: (id) =>
      write(() =>
        inTransaction(database, () => {
          removeLinks.run(id);
          remove.run(id);
        }),
      ),
    expiredCaptures: (now) => expired.all(now).map((row) => String(row["id"])),
    link: (id) => {
      const row = oneLink.get(id);
      return row ? (parsed(row) as LinkRecord) : null;
    },
    saveLink: (link) =>
      write(() => saveLink.run(link.id, link.captureId, link.expires, JSON.stringify(link))),
    deleteLink: (id) => write(() => removeLink.run(id)),
    deleteExpiredLinks: (now) => write(() => removeExpiredLinks.run(now)),
    close: () => database.close(),
  };
}

/** A file as an earlier version may have stored it. */
type New = "path" | "sha256" | "databaseNames" | "identity" | "given";
type StoredFile = Omit<CaptureFile, New> & Partial<Pick<CaptureFile, New>>;

/** A record; files that an earlier version wrote get what they lack, and keep what the user said of them. */
function captureIn(row: Parameters<typeof parsed>[0]): CaptureRecord {
  const record = parsed(row) as Omit<CaptureRecord, "files"> & { readonly files: StoredFile[] };
  return {
    ...record,
    files: record.files.map((file): CaptureFile => ({
      path: "",
      sha256: "",
      databaseNames: {},
      identity: null,
      given: file.role === file.detectedRole || file.kind !== "xel" ? {} : { role: file.role },
      ...file,
    })),
  };
}

/** All of `work` or none of it. A transaction left open would swallow every later write at the end of the process. */
function inTransaction(database: DatabaseSync, work: () => void): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    work();
    database.exec("COMMIT");
  } catch (error) {
    // SQLite has rolled back by itself when the disk was full.
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/** What `save` wrote, as text; the callers know its type because each table holds one. */
function parsed(row: Record<string, unknown>): unknown {
  return JSON.parse(String(row["record"]));
}
