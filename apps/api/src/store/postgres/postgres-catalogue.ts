/** The catalogue in PostgreSQL, which several servers may read and write. */
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { CaptureBrief } from "@aglens/contract";
import type {
  Catalogue,
  CaptureRecord,
  CaptureWork,
  LinkRecord,
  ListedCaptures,
  PlaceInList,
  RecordChange,
} from "../catalogue.ts";
import { isListed, storedIn } from "../capture-state.ts";
import { captureIn, captureText, linkIn, linksIn, storableText } from "../stored-record.ts";
import type { OtherServers } from "../other-servers.ts";
import { inTransaction } from "./database.ts";
import type { Database } from "./database.ts";
import type { Feed } from "./feed.ts";
import { withUnreachable } from "./reachable.ts";

/** A record as text, so that it is read as it was written. */
interface Stored {
  readonly record: string;
  readonly version: string;
}

/** Later than every capture. */
const FROM_THE_FIRST: PlaceInList = { created: "~", id: "" };

/** Topic of a capture's changes. */
const CHANGES = "capture";

/** Tells other servers of a change, in its transaction. */
type Tell = (id: string, isOutdated: boolean) => RawBuilder<unknown>;

/** @param feed where other servers hear of changes; null where there are none */
export function tellerOf(feed: Pick<Feed, "telling"> | null): Tell {
  return (id, isOutdated) =>
    feed === null ? sql`NULL` : feed.telling({ topic: CHANGES, id, details: isOutdated });
}

/**
 * @param database as `openPostgres` gave it, or a transaction on it; it stays open
 * @param feed where other servers hear of changes; null where there are none
 */
export function postgresCatalogue(database: Database, feed: Pick<Feed, "telling"> | null = null): Catalogue {
  const tell = tellerOf(feed);
  const records = async (where: ReturnType<typeof sql>): Promise<CaptureRecord[]> => {
    const { rows } = await sql<Stored>`SELECT record::text AS record FROM captures ${where}`.execute(
      database,
    );
    return rows.map(({ record }) => captureIn(record));
  };
  const ids = async (where: ReturnType<typeof sql>): Promise<string[]> => {
    const { rows } = await sql<{ id: string }>`SELECT id FROM captures ${where}`.execute(database);
    return rows.map(({ id }) => id);
  };
  return withUnreachable<Catalogue>({
    damaged: [],
    captures: () => records(sql`ORDER BY created DESC, id`),
    ids: () => ids(sql`ORDER BY created DESC, id`),
    briefs: (limit, listed, after = FROM_THE_FIRST) => briefs(database, limit, listed, after),
    count: (listed) => number(database, sql`SELECT count(*) AS value FROM captures WHERE ${isAmong(listed)}`),
    bytes: (owner) =>
      number(
        database,
        sql`SELECT coalesce(sum(bytes), 0) AS value FROM captures WHERE ${owner ?? null}::text IS NULL OR owner_id = ${owner ?? null}`,
      ),
    analysing: (owner) =>
      number(
        database,
        sql`SELECT count(*) AS value FROM captures WHERE state = 'analysing' AND owner_id = ${owner}`,
      ),
    capture: async (id) => (await records(sql`WHERE id = ${id}`))[0] ?? null,
    addCapture: async (record) => addCapture(database, record, tell),
    changeCapture: (id, change) => changeCapture(database, id, change, tell),
    deleteCapture: (id) =>
      inTransaction(database, async (transaction) => {
        // First: no link comes to it any more.
        await sql`WITH gone AS (DELETE FROM captures WHERE id = ${id} RETURNING id)
          SELECT ${tell(id, true)} FROM gone`.execute(transaction);
        await sql`DELETE FROM links WHERE capture_id = ${id}`.execute(transaction);
        await sql`DELETE FROM plans WHERE id = ${id}`.execute(transaction);
      }),
    expiredCaptures: (now) => ids(sql`WHERE expires <= ${now} AND deleted IS NULL`),
    deletedCaptures: () => records(sql`WHERE deleted IS NOT NULL ORDER BY deleted, id`),
    link: async (id) => {
      const found = await storedLink(database, id);
      return found === null ? null : linkIn(found.record);
    },
    linksOf: async (captureId) => {
      const { rows } = await sql<Stored>`
        SELECT record::text AS record FROM links WHERE capture_id = ${captureId}`.execute(database);
      return linksIn(rows.map(({ record }) => record));
    },
    addLink: async (record) => {
      const { id, captureId, expires } = record;
      // A deletion that is under way is waited for, and one that comes waits: it finds the link.
      const { numAffectedRows = 0n } = await sql`INSERT INTO links (id, capture_id, expires, record)
        SELECT ${id}, id, ${expires}, ${storableText(record)}::json FROM captures WHERE id = ${captureId}
        FOR KEY SHARE`.execute(database);
      return numAffectedRows > 0n;
    },
    changeLink: (id, change) => changeLink(database, id, change),
    deleteExpiredLinks: async (now) => {
      await sql`DELETE FROM links WHERE expires <= ${now}`.execute(database);
    },
    plans: async () => {
      const { rows } = await sql<{
        id: string;
        plan: string;
      }>`SELECT id, plan FROM plans ORDER BY id`.execute(database);
      return rows;
    },
    savePlan: async ({ id, plan }) => {
      await sql`INSERT INTO plans (id, plan) VALUES (${id}, ${plan})
        ON CONFLICT (id) DO UPDATE SET plan = excluded.plan`.execute(database);
    },
    deletePlan: async (id) => {
      await sql`DELETE FROM plans WHERE id = ${id}`.execute(database);
    },
    endPlan: (id, added, change) =>
      inTransaction(database, async (transaction) => {
        const { rows } = await sql`DELETE FROM plans WHERE id = ${id} RETURNING id`.execute(transaction);
        if (rows.length === 0) return;
        for (const record of added) await addCapture(transaction, record, tell);
        await changeCapture(transaction, id, change, tell);
      }),
    fact: async (name) => {
      const { rows } = await sql<{ value: string }>`SELECT value FROM facts WHERE name = ${name}`.execute(
        database,
      );
      return rows[0]?.value ?? null;
    },
    saveFact: async (name, value) => {
      await sql`INSERT INTO facts (name, value) VALUES (${name}, ${value})
        ON CONFLICT (name) DO UPDATE SET value = excluded.value`.execute(database);
    },
    close: () => Promise.resolve(),
  });
}

const isAmong = ({ fewestFiles, seenBy }: ListedCaptures) =>
  sql`deleted IS NULL AND files >= ${fewestFiles} AND (${seenBy ?? null}::text IS NULL OR owner_id = ${seenBy ?? null} OR shared)`;

/** Read inside the database: what lists do not need is not sent. */
async function briefs(
  database: Database,
  limit: number,
  listed: ListedCaptures,
  { created, id }: PlaceInList,
): Promise<CaptureBrief[]> {
  const { rows } = await sql<CaptureBrief>`
    SELECT id, created, expires,
      record ->> 'name' AS name, state, record -> 'problem' AS problem,
      record ->> 'verdict' AS verdict, record ->> 'severity' AS severity, record ->> 'place' AS place,
      files, record #>> '{owner,name}' AS owner, shared,
      (SELECT min((file ->> 'from') COLLATE "C") FROM json_array_elements(record -> 'files') AS file
        WHERE file ->> 'role' <> 'ignored') AS "from"
    FROM captures
    WHERE ${isAmong(listed)} AND (created < ${created} OR (created = ${created} AND id > ${id}))
    ORDER BY created DESC, id LIMIT ${limit}`.execute(database);
  return rows;
}

async function number(database: Database, query: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await query.execute(database);
  return Number((rows[0] as { readonly value: string }).value);
}

async function addCapture(database: Database, record: CaptureRecord, tell: Tell): Promise<boolean> {
  const { id, created, expires } = record;
  const { rows } = await sql`
    WITH added AS (
      INSERT INTO captures (id, created, expires, record) VALUES (${id}, ${created}, ${expires}, ${captureText(record)})
      ON CONFLICT (id) DO NOTHING RETURNING id
    ) SELECT ${tell(id, false)} FROM added`.execute(database);
  return rows.length > 0;
}

/** Stored over the version that was read: who was quicker is seen, and nobody waits for a lock. */
export async function changeCapture(
  database: Database,
  id: string,
  change: RecordChange,
  tell: Tell,
): Promise<CaptureRecord | null> {
  for (;;) {
    const { rows } = await sql<Stored & { readonly kind: CaptureWork["kind"] | null }>`
      SELECT record::text AS record, version,
        (SELECT kind FROM work WHERE work.id = captures.id AND (kind = 'analysis' OR leased_until > clock_timestamp())) AS kind
      FROM captures WHERE id = ${id}`.execute(database);
    const [found] = rows;
    if (found === undefined) return null;
    const before = captureIn(found.record);
    const after = change(before, found.kind === null ? null : { kind: found.kind });
    if (after === before) return after;
    const stored = await sql`
      WITH changed AS (
        UPDATE captures SET expires = ${after.expires}, record = ${captureText(after)}, version = version + 1
        WHERE id = ${id} AND version = ${found.version} RETURNING id
      ) SELECT ${tell(id, isOutdated(before, after))} FROM changed`.execute(database);
    if (stored.rows.length > 0) return after;
  }
}

/** Whether what was computed from a capture is gone, or of another analysis. */
function isOutdated(before: CaptureRecord, after: CaptureRecord): boolean {
  return (
    isListed(before) !== isListed(after) ||
    JSON.stringify(storedIn(before)) !== JSON.stringify(storedIn(after))
  );
}

/** @param feed as `postgresCatalogue` has it */
export function heardChanges(
  feed: Pick<Feed, "on" | "onMissed" | "heard">,
): Pick<OtherServers, "onChanged" | "onMissed" | "heard"> {
  return {
    onChanged: (listener) => feed.on(CHANGES, (id, isOutdated) => listener(id, isOutdated === true)),
    onMissed: (listener) => feed.onMissed(listener),
    heard: () => feed.heard(),
  };
}

async function storedLink(database: Database, id: string): Promise<Stored | null> {
  const { rows } = await sql<Stored>`
    SELECT record::text AS record, version FROM links WHERE id = ${id}
      AND NOT EXISTS (SELECT FROM captures WHERE captures.id = capture_id AND deleted IS NOT NULL)`.execute(
    database,
  );
  return rows[0] ?? null;
}

async function changeLink(
  database: Database,
  id: string,
  change: (record: LinkRecord) => LinkRecord,
): Promise<LinkRecord | null> {
  for (;;) {
    const found = await storedLink(database, id);
    if (found === null) return null;
    const before = linkIn(found.record);
    const after = change(before);
    if (after === before) return after;
    const { numAffectedRows = 0n } = await sql`
      UPDATE links SET expires = ${after.expires}, record = ${storableText(after)}, version = version + 1
      WHERE id = ${id} AND version = ${found.version}`.execute(database);
    if (numAffectedRows > 0n) return after;
  }
}
