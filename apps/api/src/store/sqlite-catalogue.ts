/** The catalogue in one SQLite file. */
import { DatabaseSync } from "node:sqlite";
import type { SQLOutputValue } from "node:sqlite";
import type { CaptureBrief } from "@aglens/contract";
import { StartError } from "../kernel/start-error.ts";
import type { Catalogue, CaptureRecord, LinkRecord, ListedCaptures, RecordChange } from "./catalogue.ts";
import { promised } from "./promised.ts";
import { isDiskFull } from "./space.ts";
import { bringUpToDate } from "./sqlite-format.ts";
import { inTransaction } from "./sqlite-transaction.ts";
import { captureIn, captureText, linkIn, linksIn, storableText } from "./stored-record.ts";

/** Name of the file in a data directory. */
export const SQLITE_FILE = "catalogue.sqlite";

/** A commit that was acknowledged survives a power cut. */
const DURABLE = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;";

const LISTED =
  "deleted IS NULL AND json_array_length(record, '$.files') >= :fewestFiles " +
  "AND (:seenBy IS NULL OR record ->> '$.owner.id' = :seenBy OR record ->> 'shared')";

/** Read inside SQLite: what lists do not need never becomes objects. */
const BRIEFS = `
  SELECT id, created, expires,
    record ->> 'name' AS name, record ->> 'state' AS state, record -> 'problem' AS problem,
    record ->> 'verdict' AS verdict, record ->> 'severity' AS severity, record ->> 'place' AS place,
    json_array_length(record, '$.files') AS files, record ->> '$.owner.name' AS owner,
    coalesce(record ->> 'shared', 0) AS shared,
    (SELECT min(value ->> 'from') FROM json_each(record, '$.files') WHERE value ->> 'role' <> 'ignored') AS "from"
  FROM captures
  WHERE ${LISTED} AND (created < :created OR (created = :created AND id > :id))
  ORDER BY created DESC, id LIMIT :limit
`;
/** Later than every capture. */
const FROM_THE_FIRST = { created: "~", id: "" };

/** How long a write waits for another program that has the file, such as a backup; the thread waits with it. */
const BUSY_MS = 5_000;

/**
 * Opens the catalogue, which one process writes at a time. Each call is done when it is made, within one turn of the event loop: a change
 * is given the record that is stored, and nobody comes between.
 * @param path file, or ":memory:"
 * @param makeRoom called when the disk is full; true when there is room now, and the write is tried once more
 * @throws StartError when the file is damaged, or of a later version
 */
export function openSqliteCatalogue(path: string, makeRoom: () => boolean = () => false): Catalogue {
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
  const count = database.prepare(`SELECT count(*) AS count FROM captures WHERE ${LISTED}`);
  const one = database.prepare("SELECT record FROM captures WHERE id = ?");
  const add = database.prepare(
    "INSERT INTO captures (id, created, expires, record) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
  );
  const update = database.prepare("UPDATE captures SET expires = ?, record = ? WHERE id = ?");
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
  const addLink = database.prepare(
    "INSERT INTO links (id, captureId, expires, record) SELECT ?, id, ?, ? FROM captures WHERE id = ?",
  );
  const updateLink = database.prepare("UPDATE links SET expires = ?, record = ? WHERE id = ?");
  const bytes = database.prepare(
    "SELECT coalesce(sum(value ->> 'size'), 0) AS bytes FROM captures, json_each(record, '$.files') " +
      "WHERE :owner IS NULL OR record ->> '$.owner.id' = :owner",
  );
  const analysing = database.prepare(
    "SELECT count(*) AS count FROM captures WHERE record ->> 'state' = 'analysing' AND record ->> '$.owner.id' = ?",
  );
  const linksOf = database.prepare("SELECT record FROM links WHERE captureId = ?");
  const removeLinks = database.prepare("DELETE FROM links WHERE captureId = ?");
  const removeExpiredLinks = database.prepare("DELETE FROM links WHERE expires IS NOT NULL AND expires <= ?");
  const plans = database.prepare("SELECT id, plan FROM plans ORDER BY id");
  const savePlan = database.prepare("INSERT OR REPLACE INTO plans (id, plan) VALUES (?, ?)");
  const removePlan = database.prepare("DELETE FROM plans WHERE id = ?");
  const fact = database.prepare("SELECT value FROM facts WHERE name = ?");
  const saveFact = database.prepare("INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)");

  let last: { readonly text: string; readonly record: CaptureRecord } | null = null;
  /** Whoever adds a file reads its capture several times, which names all the others. */
  const stored = (id: string): CaptureRecord | null => {
    const row = one.get(id);
    if (row === undefined) return null;
    const text = textIn(row);
    if (last?.text !== text) last = { text, record: captureIn(text) };
    return last.record;
  };
  const addOne = (record: CaptureRecord): boolean =>
    add.run(record.id, record.created, record.expires, captureText(record)).changes > 0;
  const changeOne = (id: string, change: RecordChange): CaptureRecord | null => {
    const before = stored(id);
    if (before === null) return null;
    const after = change(before, null);
    if (after !== before) write(() => update.run(after.expires, captureText(after), id));
    return after;
  };
  const foundLink = (id: string): LinkRecord | null => {
    const row = oneLink.get(id);
    return row === undefined ? null : linkIn(textIn(row));
  };
  const calls = promised<Omit<Catalogue, "damaged">>({
    captures: () => all.all().map((row) => captureIn(textIn(row))),
    ids: () => allIds.all().map((row) => String(row["id"])),
    briefs: (limit, listed, { created, id } = FROM_THE_FIRST) =>
      briefs.all({ limit, created, id, ...parametersOf(listed) }).map(briefIn),
    count: (listed) => Number(count.get(parametersOf(listed))?.["count"]),
    bytes: (owner) => Number(bytes.get({ owner: owner ?? null })?.["bytes"]),
    analysing: (owner) => Number(analysing.get(owner)?.["count"]),
    capture: stored,
    addCapture: (record) => {
      let isAdded = false;
      write(() => {
        isAdded = addOne(record);
      });
      return isAdded;
    },
    changeCapture: changeOne,
    deleteCapture: (id) =>
      write(() =>
        inTransaction(database, () => {
          removeLinks.run(id);
          removePlan.run(id);
          remove.run(id);
        }),
      ),
    expiredCaptures: (now) => expired.all(now).map((row) => String(row["id"])),
    deletedCaptures: () => deleted.all().map((row) => captureIn(textIn(row))),
    link: foundLink,
    linksOf: (captureId) => linksIn(linksOf.all(captureId).map(textIn)),
    addLink: (link) => {
      let isAdded = false;
      write(() => {
        isAdded = addLink.run(link.id, link.expires, storableText(link), link.captureId).changes > 0;
      });
      return isAdded;
    },
    changeLink: (id, change) => {
      const before = foundLink(id);
      if (before === null) return null;
      const after = change(before);
      if (after !== before) write(() => updateLink.run(after.expires, storableText(after), id));
      return after;
    },
    deleteExpiredLinks: (now) => write(() => removeExpiredLinks.run(now)),
    plans: () => plans.all().map((row) => ({ id: String(row["id"]), plan: String(row["plan"]) })),
    savePlan: ({ id, plan }) => write(() => savePlan.run(id, plan)),
    deletePlan: (id) => write(() => removePlan.run(id)),
    endPlan: (id, added, change) =>
      write(() =>
        inTransaction(database, () => {
          if (removePlan.run(id).changes === 0) return;
          for (const record of added) addOne(record);
          changeOne(id, change);
        }),
      ),
    fact: (name) => {
      const row = fact.get(name);
      return row === undefined ? null : String(row["value"]);
    },
    saveFact: (name, value) => write(() => saveFact.run(name, value)),
    close: () => database.close(),
  });
  return { damaged, ...calls };
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

type Row = Readonly<Record<string, SQLOutputValue>>;

function parametersOf({ fewestFiles, seenBy }: ListedCaptures) {
  return { fewestFiles, seenBy: seenBy ?? null };
}

function briefIn(row: Row): CaptureBrief {
  const { problem, shared, ...rest } = row;
  return { ...rest, problem: JSON.parse(String(problem ?? null)), shared: shared === 1 } as CaptureBrief;
}

const textIn = (row: Row): string => String(row["record"]);
