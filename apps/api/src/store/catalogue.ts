import { DatabaseSync } from "node:sqlite";
import type { StatementSync } from "node:sqlite";
import type { Capture, CaptureBrief, CaptureFile, FleetFigures, Link } from "@aglens/contract";
import type { KeptNote } from "@aglens/engine/notes";
import { StartError } from "../start-error.ts";
import { bringUpToDate } from "./catalogue-format.ts";
import type { Checksum } from "./checksum.ts";
import { isDiskFull } from "./space.ts";
import { inTransaction } from "./transaction.ts";

/** What is kept about a capture: all but the progress, which lives with the running job, and what follows from its files. */
export type CaptureRecord = Omit<Capture, "progress" | "groups" | "unused"> & {
  /** Nobody gave it a name: it has the one that its files make. */
  readonly isUnnamed?: boolean;
  /** Its files are one capture however they are grouped: a live run knows its servers. */
  readonly isOne?: boolean;
  /** It came as a file without its event files: of `files` those that are missing have to be given before it can be analysed again. */
  readonly withoutFiles?: boolean;
  /** Instants that were marked while it was recorded live. */
  readonly marks?: readonly RecordedMark[];
  /** Notes on it, in the order they were written. */
  readonly notes?: readonly KeptNote[];
  /** Its analysis waits to be done again: the API was ended in the middle of it, or its tables cannot be used any more. */
  readonly analyseAgain?: boolean;
  /** When it was moved to the trash, UTC, ISO 8601. */
  readonly deleted?: string;
  /** What the analysis stored. Captures that are ready have it, unless an earlier version analysed them. */
  readonly stored?: StoredAnalysis;
  /** What lists show of the analysis; null when that could not be read, absent when it was not looked for yet. */
  readonly digest?: CaptureDigest | null;
};

/** Figures of an analysis for lists. */
export interface CaptureDigest {
  readonly durationUs: number;
  /** Of commit latency, µs; null without a commit. */
  readonly p95Us: number | null;
  /** The minimap, as `encodeGlyph` writes it. */
  readonly glyph: string;
  /** Absent in digests of before, until they are made anew. */
  readonly fleet?: FleetFigures | null;
}

/** An instant that somebody or a rule marked in a live run. */
export interface RecordedMark {
  /** UTC on the primary's clock, FILETIME ticks as a decimal string: a capture's time 0 is known when it was analysed. */
  readonly ticks: string;
  readonly label: string;
  readonly byRule: boolean;
}

/** The files that an analysis stored, by name, and the format they have. */
export interface StoredAnalysis {
  readonly format: number;
  readonly files: Readonly<Record<string, Checksum>>;
}

/** A link; what later versions added is absent in the records of earlier ones. */
type AddedToLinks = "audience" | "replacesNames" | "takenBack" | "opens";
export interface LinkRecord
  extends Omit<Link, "deleteToken" | "hasPassphrase" | AddedToLinks>, Partial<Pick<Link, AddedToLinks>> {
  /** Salt and hash by scrypt; absent for a link without a passphrase. */
  readonly passphrase?: KeptPassphrase;
  /** SHA-256 of the delete token, hex; the token itself is not kept. */
  readonly tokenHash: string;
}

/** What is to be done in several steps, written down before the first one: the next process goes on with it. */
export interface KeptPlan {
  /** Capture that it is about. */
  readonly id: string;
  /** JSON. */
  readonly plan: string;
}

/** Both base64url. */
export interface KeptPassphrase {
  readonly salt: string;
  readonly hash: string;
}

/** Small facts about captures and links. Each call is one transaction. */
export interface Catalogue {
  /** Newest first, with those in the trash. */
  captures(): CaptureRecord[];
  /** Ids of all of them. */
  ids(): string[];
  /**
   * Captures as lists need them, newest first, without those in the trash.
   * @param fewestFiles 1 leaves out captures without files
   * @param after `created` and id of the last one of the page before
   * @param seenBy id of a person: only what is theirs or shared; undefined for all
   */
  briefs(
    limit: number,
    fewestFiles: 0 | 1,
    after?: { readonly created: string; readonly id: string },
    seenBy?: string,
  ): CaptureBrief[];
  /** How many captures there are, as `briefs` takes them. */
  count(fewestFiles: 0 | 1, seenBy?: string): number;
  /** Bytes of the files of all captures, or of one person's, with those in the trash. */
  bytes(owner?: string): number;
  /** How many captures of a person are analysed or wait for it. */
  analysing(owner: string): number;
  capture(id: string): CaptureRecord | null;
  saveCapture(record: CaptureRecord): void;
  /** Deletes the capture's links too. */
  deleteCapture(id: string): void;
  /** Ids of captures whose time is over at `now` (ISO 8601), without those in the trash. */
  expiredCaptures(now: string): string[];
  /** Captures in the trash, the one that was deleted first is first. */
  deletedCaptures(): CaptureRecord[];
  /** Null also while its capture is in the trash. */
  link(id: string): LinkRecord | null;
  /** Links of a capture, newest first. */
  linksOf(captureId: string): LinkRecord[];
  saveLink(record: LinkRecord): void;
  deleteLink(id: string): void;
  deleteExpiredLinks(now: string): void;
  plans(): KeptPlan[];
  savePlan(plan: KeptPlan): void;
  deletePlan(id: string): void;
  /** A fact about the directory as a whole, by its name; null when it was never stored. */
  fact(name: string): string | null;
  saveFact(name: string, value: string): void;
  /** Ids of records that could not be read and were put aside, in the table `damagedRecords`. */
  readonly damaged: readonly string[];
  /** All writes of `work` or none of them. */
  together(work: () => void): void;
  close(): void;
}

/** A commit that was acknowledged survives a power cut. */
const DURABLE = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;";

const SEEN = "(:seenBy IS NULL OR record ->> '$.owner.id' = :seenBy OR record ->> 'shared')";

/** Read inside SQLite: what lists do not need never becomes objects. */
const BRIEFS = `
  SELECT id, created, expires,
    record ->> 'name' AS name, record ->> 'state' AS state, record -> 'problem' AS problem,
    record ->> 'verdict' AS verdict, record ->> 'severity' AS severity, record ->> 'place' AS place,
    json_array_length(record, '$.files') AS files, record ->> '$.owner.name' AS owner,
    coalesce(record ->> 'shared', 0) AS shared,
    (SELECT min(value ->> 'from') FROM json_each(record, '$.files') WHERE value ->> 'role' <> 'ignored') AS "from"
  FROM captures
  WHERE deleted IS NULL AND (created < :created OR (created = :created AND id > :id))
    AND json_array_length(record, '$.files') >= :fewestFiles AND ${SEEN}
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
    // A part of a transaction is not tried again alone: the whole is.
    if (database.isTransaction) return work();
    try {
      work();
    } catch (error) {
      if (!isDiskFull(error) || !makeRoom()) throw error;
      work();
    }
  };
  const damaged = opened(database, path, write);
  const all = database.prepare("SELECT record FROM captures ORDER BY created DESC, id");
  const allIds = database.prepare("SELECT id FROM captures ORDER BY created DESC, id");
  const briefs = database.prepare(BRIEFS);
  const count = database.prepare(
    `SELECT count(*) AS count FROM captures WHERE deleted IS NULL AND json_array_length(record, '$.files') >= :fewestFiles AND ${SEEN}`,
  );
  const one = database.prepare("SELECT record FROM captures WHERE id = ?");
  const save = database.prepare(
    "INSERT INTO captures (id, created, expires, record) VALUES (?, ?, ?, ?) " +
      "ON CONFLICT (id) DO UPDATE SET expires = excluded.expires, record = excluded.record",
  );
  const remove = database.prepare("DELETE FROM captures WHERE id = ?");
  const expired = database.prepare(
    "SELECT id FROM captures WHERE expires IS NOT NULL AND expires <= ? AND deleted IS NULL",
  );
  const deleted = database.prepare(
    "SELECT record FROM captures WHERE deleted IS NOT NULL ORDER BY deleted, id",
  );
  const oneLink = database.prepare(
    "SELECT record FROM links WHERE id = ? " +
      "AND captureId NOT IN (SELECT id FROM captures WHERE deleted IS NOT NULL)",
  );
  const saveLink = database.prepare(
    "INSERT INTO links (id, captureId, expires, record) VALUES (?, ?, ?, ?) " +
      "ON CONFLICT (id) DO UPDATE SET expires = excluded.expires, record = excluded.record",
  );
  const bytes = database.prepare(
    "SELECT coalesce(sum(value ->> 'size'), 0) AS bytes FROM captures, json_each(record, '$.files') " +
      "WHERE :owner IS NULL OR record ->> '$.owner.id' = :owner",
  );
  const analysing = database.prepare(
    "SELECT count(*) AS count FROM captures WHERE record ->> 'state' = 'analysing' AND record ->> '$.owner.id' = ?",
  );
  const linksOf = database.prepare("SELECT record FROM links WHERE captureId = ?");
  const removeLink = database.prepare("DELETE FROM links WHERE id = ?");
  const removeLinks = database.prepare("DELETE FROM links WHERE captureId = ?");
  const removeExpiredLinks = database.prepare("DELETE FROM links WHERE expires IS NOT NULL AND expires <= ?");

  const plans = database.prepare("SELECT id, plan FROM plans ORDER BY id");
  const savePlan = database.prepare("INSERT OR REPLACE INTO plans (id, plan) VALUES (?, ?)");
  const removePlan = database.prepare("DELETE FROM plans WHERE id = ?");
  const fact = database.prepare("SELECT value FROM facts WHERE name = ?");
  const saveFact = database.prepare("INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)");
  return {
    damaged,
    captures: () => all.all().map(captureIn),
    ids: () => allIds.all().map((row) => String(row["id"])),
    briefs: (limit, fewestFiles, after = FROM_THE_FIRST, seenBy) =>
      briefs
        .all({ limit, fewestFiles, created: after.created, id: after.id, seenBy: seenBy ?? null })
        .map(briefIn),
    count: (fewestFiles, seenBy) => Number(count.get({ fewestFiles, seenBy: seenBy ?? null })?.["count"]),
    bytes: (owner) => Number(bytes.get({ owner: owner ?? null })?.["bytes"]),
    analysing: (owner) => Number(analysing.get(owner)?.["count"]),
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
          removePlan.run(id);
          remove.run(id);
        }),
      ),
    expiredCaptures: (now) => expired.all(now).map((row) => String(row["id"])),
    deletedCaptures: () => deleted.all().map(captureIn),
    link: (id) => {
      const row = oneLink.get(id);
      return row ? (parsed(row) as LinkRecord) : null;
    },
    linksOf: (captureId) =>
      linksOf
        .all(captureId)
        .map((row) => parsed(row) as LinkRecord)
        .toSorted((a, b) => (a.created < b.created ? 1 : -1)),
    saveLink: (link) =>
      write(() => saveLink.run(link.id, link.captureId, link.expires, JSON.stringify(link))),
    deleteLink: (id) => write(() => removeLink.run(id)),
    deleteExpiredLinks: (now) => write(() => removeExpiredLinks.run(now)),
    plans: () => plans.all().map((row) => ({ id: String(row["id"]), plan: String(row["plan"]) })),
    savePlan: ({ id, plan }) => write(() => savePlan.run(id, plan)),
    deletePlan: (id) => write(() => removePlan.run(id)),
    fact: (name) => {
      const row = fact.get(name);
      return row ? String(row["value"]) : null;
    },
    saveFact: (name, value) => write(() => saveFact.run(name, value)),
    together: (work) => write(() => inTransaction(database, work)),
    close: () => database.close(),
  };
}

/**
 * Makes or brings up the tables, and puts records aside that are not JSON: one of them would refuse every list.
 * @returns ids of those
 */
function opened(database: DatabaseSync, path: string, write: (work: () => void) => void): string[] {
  try {
    write(() => database.exec(DURABLE));
    write(() => bringUpToDate(database, path));
    const damaged = database.prepare("SELECT id FROM captures WHERE NOT json_valid(record)").all();
    if (damaged.length > 0) {
      write(() =>
        inTransaction(database, () =>
          database.exec(`
            INSERT INTO damagedRecords SELECT id, record FROM captures WHERE NOT json_valid(record);
            DELETE FROM captures WHERE NOT json_valid(record)`),
        ),
      );
    }
    return damaged.map((row) => String(row["id"]));
  } catch (error) {
    database.close();
    throw damageOf(error, path) ?? error;
  }
}

const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;
/** The primary result code is in the low byte. */
const PRIMARY_CODE = 0xff;

function damageOf(error: unknown, path: string): StartError | null {
  const { errcode = 0, message } = error as { readonly errcode?: number; readonly message: string };
  if (![SQLITE_CORRUPT, SQLITE_NOTADB].includes(errcode & PRIMARY_CODE)) return null;
  return new StartError(
    "catalogue-damaged",
    `The catalogue ${path} is damaged: ${message}. Put back the one of a backup, or move the file away: the next start offers the captures again from their own files.`,
  );
}

function briefIn(row: ReturnType<StatementSync["all"]>[number]): CaptureBrief {
  const { problem, shared, ...rest } = row;
  return { ...rest, problem: JSON.parse(String(problem ?? null)), shared: shared === 1 } as CaptureBrief;
}

/** A file as an earlier version may have stored it. */
type New = "path" | "sha256" | "databaseNames" | "groupNames" | "identity" | "given";
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
      groupNames: [],
      identity: null,
      given: file.role === file.detectedRole || file.kind !== "xel" ? {} : { role: file.role },
      ...(record.withoutFiles === true ? { isMissing: true } : {}),
      ...file,
    })),
  };
}

/** What `save` wrote, as text; the callers know its type because each table holds one. */
function parsed(row: Record<string, unknown>): unknown {
  return JSON.parse(String(row["record"]));
}
