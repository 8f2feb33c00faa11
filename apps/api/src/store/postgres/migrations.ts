/** The tables in PostgreSQL, version by version. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Each migration brings a database to the next version, in one transaction with all missing ones; they are done in the
 * order of their names. A released migration is never changed. Columns that are computed from a record cannot disagree
 * with it. Records are `json`, not `jsonb`, so that they return exactly as they were written. Texts are compared byte
 * by byte, as in SQLite.
 */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "001": migration(`
    CREATE FUNCTION aglens_bytes(record json) RETURNS bigint IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$
      SELECT coalesce(sum((file ->> 'size')::numeric), 0)::bigint FROM json_array_elements(record -> 'files') AS file
    $$;
    CREATE TABLE captures (
      id text COLLATE "C" PRIMARY KEY,
      created text COLLATE "C" NOT NULL,
      expires text COLLATE "C",
      version bigint NOT NULL DEFAULT 1,
      record json NOT NULL,
      deleted text COLLATE "C" GENERATED ALWAYS AS (record ->> 'deleted') STORED,
      state text GENERATED ALWAYS AS (record ->> 'state') STORED,
      files integer GENERATED ALWAYS AS (json_array_length(record -> 'files')) STORED,
      bytes bigint GENERATED ALWAYS AS (aglens_bytes(record)) STORED,
      owner_id text GENERATED ALWAYS AS (record #>> '{owner,id}') STORED,
      shared boolean GENERATED ALWAYS AS (coalesce(record ->> 'shared' = 'true', false)) STORED
    );
    CREATE INDEX captures_newest ON captures (created DESC, id);
    CREATE INDEX captures_deleted ON captures (deleted, id) WHERE deleted IS NOT NULL;
    CREATE INDEX captures_expires ON captures (expires) WHERE expires IS NOT NULL;
    CREATE TABLE links (
      id text COLLATE "C" PRIMARY KEY,
      capture_id text COLLATE "C" NOT NULL,
      expires text COLLATE "C",
      version bigint NOT NULL DEFAULT 1,
      record json NOT NULL
    );
    CREATE INDEX links_of_capture ON links (capture_id);
    CREATE TABLE plans (id text COLLATE "C" PRIMARY KEY, plan text NOT NULL);
    CREATE TABLE facts (name text COLLATE "C" PRIMARY KEY, value text NOT NULL);
    CREATE TABLE sessions (hash text PRIMARY KEY, expires text COLLATE "C" NOT NULL, record json NOT NULL);
    CREATE TABLE audit (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      at text COLLATE "C" NOT NULL, person_id text NOT NULL, person text NOT NULL, action text NOT NULL, what text NOT NULL
    );
    CREATE INDEX audit_at ON audit (at);`),
  // Running servers, and the work that one of them does for all; pending sign-ins and wrong tries of all servers.
  "002": migration(`
    CREATE TABLE servers (
      name text COLLATE "C" PRIMARY KEY, home text NOT NULL, process text NOT NULL, version text NOT NULL,
      started timestamptz NOT NULL DEFAULT now(), seen timestamptz NOT NULL DEFAULT now()
    );
    CREATE TABLE duties (name text COLLATE "C" PRIMARY KEY, process text NOT NULL);
    CREATE TABLE sign_ins (key text PRIMARY KEY, begun timestamptz NOT NULL DEFAULT now(), sign_in json NOT NULL);
    CREATE TABLE wrong_tries (key text PRIMARY KEY, tries integer NOT NULL, ends timestamptz NOT NULL);`),
  // Work of servers on captures, where several have the catalog; an analysis without a lease waits.
  "003": migration(`
    CREATE TABLE work (
      id text COLLATE "C" PRIMARY KEY,
      kind text NOT NULL CHECK (kind IN ('analysis', 'hold')),
      number bigint GENERATED ALWAYS AS IDENTITY,
      server text,
      token text UNIQUE,
      leased_until timestamptz,
      asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      asked_of text NOT NULL DEFAULT '',
      is_unasked boolean NOT NULL DEFAULT false,
      is_cancelled boolean NOT NULL DEFAULT false,
      attempts integer NOT NULL DEFAULT 0,
      bytes bigint NOT NULL DEFAULT 0,
      progress json,
      preview bytea
    );`),
  // Watches with their episodes, hours of polls, and messages that wait.
  "004": migration(`
    CREATE TABLE watch_rows (
      watch text COLLATE "C" NOT NULL, kind text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL, record json NOT NULL,
      PRIMARY KEY (kind, watch, key)
    );`),
};

function migration(text: string): Migration {
  return {
    up: async (database) => {
      await sql.raw(text).execute(database);
    },
  };
}
