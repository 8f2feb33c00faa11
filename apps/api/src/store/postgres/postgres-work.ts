/**
 * The work on captures that servers share, in PostgreSQL. Every transaction locks the row first and then the capture's
 * record.
 */
import { sql } from "kysely";
import type { Progress } from "@aglens/contract";
import type { Catalog, CaptureWork, HeldCatalog } from "../catalog.ts";
import { inTransaction } from "../tables.ts";
import type { Database } from "../tables.ts";
import type { Feed } from "./feed.ts";
import { postgresCatalog } from "./postgres-catalog.ts";
import { LeaseLostError } from "../work-table.ts";
import type { Lease, LeaseTimes, SharedWorkTable, TakenAnalysis, WorkNews } from "../work-table.ts";

/** Topic of the work on a capture. */
const WORK = "work";

/** @param feed for messages about the servers' work */
export function postgresWork(
  database: Database,
  feed: Pick<Feed, "telling" | "on">,
  { leaseMs, headStartMs }: LeaseTimes,
): SharedWorkTable {
  const news = (id: string, what: WorkNews = "changed") => feed.telling({ topic: WORK, id, details: what });
  const leased = sql`clock_timestamp() + ${leaseMs} * interval '1 ms'`;
  /** Whether an analysis waits, or its server is gone. */
  const isFree = sql`(leased_until IS NULL OR leased_until < clock_timestamp())`;
  const kindOf = async (on: Database, id: string): Promise<CaptureWork["kind"] | null> => {
    const { rows } = await sql<{ kind: CaptureWork["kind"] }>`
      SELECT kind FROM work WHERE id = ${id} AND (kind = 'analysis' OR NOT ${isFree})`.execute(on);
    return rows[0]?.kind ?? null;
  };
  const run = async (query: ReturnType<typeof sql>): Promise<readonly unknown[]> =>
    (await query.execute(database)).rows;

  return {
    rows: null,
    kindOf: (id) => kindOf(database, id),
    ask: async (id, change, analysisOf, isReady) => {
      await isReady?.();
      return inTransaction(database, async (on) => {
        await endLeftHold(on, id);
        const { rows } = await sql`
          INSERT INTO work (id, kind) VALUES (${id}, 'analysis') ON CONFLICT (id) DO NOTHING RETURNING id`.execute(
          on,
        );
        if (rows.length === 0) return (await kindOf(on, id)) ?? "analysis";
        const record = await postgresCatalog(on, feed).changeCapture(id, (before) => change(before, null));
        if (record === null) {
          await sql`DELETE FROM work WHERE id = ${id}`.execute(on);
          return null;
        }
        const { server, bytes, progress, isUnasked } = analysisOf(record);
        await sql`
          UPDATE work SET asked_of = ${server}, bytes = ${bytes}, progress = ${JSON.stringify(progress)},
            is_unasked = ${isUnasked}, asked_at = clock_timestamp() WHERE id = ${id}`.execute(on);
        await sql`SELECT ${news(id)}`.execute(on);
        return record;
      });
    },
    take: async ({ server, token, running }, mayBegin) => {
      const passed = [...running];
      for (;;) {
        // Without room for the next analysis, no row is locked: another server would skip a locked row and take a later
        // one.
        const [next] = (await run(sql`
          SELECT id, bytes FROM work WHERE kind = 'analysis' AND ${isFree} AND (NOT is_unasked OR ${running.length === 0})
            AND id <> ALL(${passed}) AND (asked_of IN (${server}, '') OR asked_at < clock_timestamp() - ${headStartMs} * interval '1 ms')
          ORDER BY is_unasked, number LIMIT 1`)) as { readonly id: string; readonly bytes: string }[];
        if (next === undefined || !mayBegin(Number(next.bytes))) return null;
        // Takes only the analysis for which there is room: a later one may be bigger.
        const [taken] = (await run(sql`
          WITH free AS (
            SELECT id FROM work WHERE id = ${next.id} AND kind = 'analysis' AND ${isFree} FOR UPDATE SKIP LOCKED
          ), taken AS (
            UPDATE work SET server = ${server}, token = ${token}, leased_until = ${leased}, attempts = attempts + 1
            FROM free WHERE work.id = free.id
            RETURNING work.id, token, attempts - 1 AS attempts, is_cancelled AS "isCancelled"
          )
          SELECT taken.*, ${news("")} FROM taken`)) as TakenAnalysis[];
        if (taken !== undefined) return taken;
        // Another server is just taking it.
        passed.push(next.id);
      }
    },
    seize: async (id, server, token) => {
      const rows = await run(sql`
        UPDATE work SET server = ${server}, token = ${token}, leased_until = ${leased}
        WHERE id = ${id} AND kind = 'analysis' AND ${isFree} RETURNING id`);
      return rows.length > 0;
    },
    cancel: async (id) => {
      const rows = await run(sql`
        WITH wanted AS (
          UPDATE work SET is_cancelled = true WHERE id = ${id} AND kind = 'analysis' RETURNING id
        ) SELECT ${news(id)} FROM wanted`);
      return rows.length > 0;
    },
    hold: (id, server, token) =>
      inTransaction(database, async (on) => {
        await endLeftHold(on, id);
        const { rows } = await sql`
          INSERT INTO work (id, kind, server, token, leased_until) VALUES (${id}, 'hold', ${server}, ${token}, ${leased})
          ON CONFLICT (id) DO NOTHING RETURNING id`.execute(on);
        if (rows.length === 0) return (await kindOf(on, id)) ?? "hold";
        // A change that read the record before finds another version, and then sees the hold.
        await sql`UPDATE captures SET version = version + 1 WHERE id = ${id}`.execute(on);
        return null;
      }),
    renew: async (tokens) =>
      (await run(sql`
        UPDATE work SET leased_until = ${leased} WHERE token = ANY(${tokens})
        RETURNING token, is_cancelled AS "isCancelled"`)) as Lease[],
    report: async (token, id, progress) => {
      await run(sql`
        WITH reported AS (
          UPDATE work SET progress = ${JSON.stringify(progress)} WHERE token = ${token} RETURNING id
        ) SELECT ${news(id, "further")} FROM reported`);
    },
    keepPreview: async (token, preview) => {
      await run(sql`UPDATE work SET preview = ${Buffer.from(preview)} WHERE token = ${token}`);
    },
    preview: async (id) => {
      const [row] = await run(sql`SELECT preview FROM work WHERE id = ${id} AND kind = 'analysis'`);
      return (row as { readonly preview: Uint8Array | null } | undefined)?.preview ?? null;
    },
    end: (id, token, change) =>
      inTransaction(database, async (on) => {
        const { rows } =
          await sql`DELETE FROM work WHERE id = ${id} AND token = ${token} RETURNING id`.execute(on);
        if (rows.length === 0) throw new LeaseLostError("The work on a capture is another server's by now.");
        const record = await postgresCatalog(on, feed).changeCapture(id, (before) => change(before, null));
        await sql`SELECT ${news(id)}`.execute(on);
        return record;
      }),
    release: async (id, token) => {
      await run(sql`
        WITH released AS (DELETE FROM work WHERE id = ${id} AND token = ${token} RETURNING id)
        SELECT ${news(id)} FROM released`);
    },
    giveBack: async (tokens) => {
      await run(sql`
        WITH given AS (
          UPDATE work SET server = NULL, token = NULL, leased_until = NULL, preview = NULL, attempts = attempts - 1, asked_of = ''
          WHERE token = ANY(${tokens}) AND kind = 'analysis' RETURNING id
        ) SELECT ${news("")} FROM given LIMIT 1`);
    },
    analyses: async () => {
      const rows = (await run(sql`
        SELECT id, CASE WHEN ${isFree} THEN NULL ELSE server END AS server, progress::text AS progress
        FROM work WHERE kind = 'analysis' AND progress IS NOT NULL ORDER BY is_unasked, number`)) as {
        readonly id: string;
        readonly server: string | null;
        readonly progress: string;
      }[];
      return rows.map(({ id, server, progress }) => ({
        id,
        server,
        progress: JSON.parse(progress) as Progress,
      }));
    },
    heldBy: (id, token) => heldCatalog(database, feed, id, token),
    onNews: (listener) => feed.on(WORK, (id, what) => listener(id, what as WorkNews)),
  };
}

function heldCatalog(
  database: Database,
  feed: Pick<Feed, "telling">,
  id: string,
  token: string,
): HeldCatalog {
  const held = <Result>(store: (catalogue: Catalog) => Promise<Result>): Promise<Result> =>
    inTransaction(database, async (on) => {
      // A server that takes the capture over deletes the row: the deletion waits for the end of this transaction.
      const { rows } = await sql`SELECT FROM work WHERE id = ${id} AND token = ${token} FOR UPDATE`.execute(
        on,
      );
      if (rows.length === 0) throw new LeaseLostError("The capture is held by another server by now.");
      return store(postgresCatalog(on, feed));
    });
  return {
    changeCapture: (...change) => held((catalogue) => catalogue.changeCapture(...change)),
    deleteCapture: (...capture) => held((catalogue) => catalogue.deleteCapture(...capture)),
    savePlan: (...plan) => held((catalogue) => catalogue.savePlan(...plan)),
    deletePlan: (...plan) => held((catalogue) => catalogue.deletePlan(...plan)),
    endPlan: (...plan) => held((catalogue) => catalogue.endPlan(...plan)),
    expectHeld: () => held(() => Promise.resolve()),
  };
}

/** Deletes a hold of a server that ended in the middle of its steps; the plans contain its unfinished work. */
async function endLeftHold(on: Database, id: string): Promise<void> {
  await sql`DELETE FROM work WHERE id = ${id} AND kind = 'hold' AND leased_until < clock_timestamp()`.execute(
    on,
  );
}
