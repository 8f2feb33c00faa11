/** The catalogue in PostgreSQL, for checks. */
import { sql } from "kysely";
import { expectOwnDirectory } from "../store/postgres/catalogue-place.ts";
import { openPostgres } from "../store/postgres/database.ts";
import type { PostgresPlace } from "../store/postgres/database.ts";
import { postgresCatalogue } from "../store/postgres/postgres-catalogue.ts";
import type { StoredCaptures } from "./stored-captures.ts";

/** @throws StartError */
export async function postgresCaptures(place: PostgresPlace, directory: string): Promise<StoredCaptures> {
  const database = await openPostgres(place, () => {});
  try {
    await expectOwnDirectory(database, directory);
  } catch (error) {
    await database.destroy();
    throw error;
  }
  const catalogue = postgresCatalogue(database);
  return {
    ids: async () => (await catalogue.ids()).toReversed(),
    record: (id) => catalogue.capture(id),
    // The database checks its own pages (pg_amcheck, checksums).
    damage: () => Promise.resolve([]),
    looseLinks: async () => {
      const { rows } = await sql<{ count: string }>`
        SELECT count(*) AS count FROM links WHERE capture_id NOT IN (SELECT id FROM captures)`.execute(
        database,
      );
      return Number(rows[0]?.count);
    },
    close: () => database.destroy(),
  };
}
