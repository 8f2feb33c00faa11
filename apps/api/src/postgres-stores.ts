/** Catalogue, sessions and audit log in one PostgreSQL database. */
import type { Logger } from "pino";
import { postgresAccessStore } from "./access/postgres-access-store.ts";
import type { RecordStores } from "./record-stores.ts";
import { expectOwnDirectory } from "./store/postgres/catalogue-place.ts";
import { openPostgres } from "./store/postgres/database.ts";
import type { PostgresPlace } from "./store/postgres/database.ts";
import { postgresCatalogue } from "./store/postgres/postgres-catalogue.ts";

/**
 * @param directory the data directory that the catalogue is of; null where several servers have it, each with one of its own
 * @throws StartError
 */
export async function openPostgresStores(
  place: PostgresPlace,
  directory: string | null,
  log: Pick<Logger, "warn">,
): Promise<RecordStores> {
  const database = await openPostgres(place, (error) =>
    log.warn({ err: error }, "a connection to the catalogue broke; the next call makes a new one"),
  );
  try {
    if (directory !== null) await expectOwnDirectory(database, directory);
  } catch (error) {
    await database.destroy();
    throw error;
  }
  return {
    catalogue: postgresCatalogue(database),
    openAccessStore: () => postgresAccessStore(database),
    close: () => database.destroy(),
  };
}
