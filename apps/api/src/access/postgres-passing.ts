/**
 * The same where several servers have one catalog: a person who begins to sign in at one server may return to another.
 * Times of tries are the database's.
 */
import { sql } from "kysely";
import type { Database } from "../store/tables.ts";
import { MOST_PENDING } from "./passing.ts";
import type { Passing, PendingSignIn, PendingSignIns, WrongTries } from "./passing.ts";

/** @param database as `openPostgres` returns it; it stays open */
export function postgresPassing(database: Database): Passing {
  return { signIns: signIns(database), tries: (...given) => tries(database, ...given) };
}

interface SignInRow {
  readonly sign_in: PendingSignIn;
}

function signIns(database: Database): PendingSignIns {
  return {
    save: async (key, signIn) => {
      await sql`
        DELETE FROM sign_ins WHERE begun < now() - interval '1 hour'
          OR key IN (SELECT key FROM sign_ins ORDER BY begun DESC OFFSET ${MOST_PENDING - 1})`.execute(
        database,
      );
      await sql`INSERT INTO sign_ins (key, sign_in) VALUES (${key}, ${JSON.stringify(signIn)})`.execute(
        database,
      );
    },
    find: async (key) => {
      const { rows } = await sql<SignInRow>`SELECT sign_in FROM sign_ins WHERE key = ${key}`.execute(
        database,
      );
      return rows[0]?.sign_in ?? null;
    },
    take: async (key) => {
      const { rows } =
        await sql<SignInRow>`DELETE FROM sign_ins WHERE key = ${key} RETURNING sign_in`.execute(database);
      return rows[0]?.sign_in ?? null;
    },
  };
}

function tries(database: Database, kind: string, most: number, windowMs: number): WrongTries {
  const named = (key: string): string => `${kind} ${key}`;
  return {
    waitMs: async (key) => {
      const { rows } = await sql<{ ms: number }>`
        SELECT ceil(extract(epoch FROM ends - now()) * 1000)::float8 AS ms FROM wrong_tries
        WHERE key = ${named(key)} AND tries >= ${most} AND ends > now()`.execute(database);
      return rows[0]?.ms ?? 0;
    },
    fail: async (key) => {
      await sql`DELETE FROM wrong_tries WHERE ends <= now()`.execute(database);
      const { rows } = await sql<{ tries: number }>`
        INSERT INTO wrong_tries AS present (key, tries, ends)
        VALUES (${named(key)}, 1, now() + make_interval(secs => ${windowMs / 1000}))
        ON CONFLICT (key) DO UPDATE SET tries = present.tries + 1 WHERE present.tries < ${most}
        RETURNING tries`.execute(database);
      return rows[0] === undefined ? null : most - rows[0].tries;
    },
    forgive: async (key) => {
      await sql`UPDATE wrong_tries SET tries = tries - 1 WHERE key = ${named(key)}`.execute(database);
    },
  };
}
