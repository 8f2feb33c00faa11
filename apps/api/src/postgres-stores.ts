/** Catalogue, sessions and audit log in one PostgreSQL database. */
import type { Logger } from "pino";
import { postgresAccessStore } from "./access/postgres-access-store.ts";
import type { RecordStores } from "./record-stores.ts";
import { NO_OTHERS } from "./store/other-servers.ts";
import { expectOwnDirectory } from "./store/postgres/catalogue-place.ts";
import { openPostgres } from "./store/postgres/database.ts";
import type { Database, PostgresPlace } from "./store/postgres/database.ts";
import { openFeed } from "./store/postgres/feed.ts";
import { otherServers, postgresCatalogue } from "./store/postgres/postgres-catalogue.ts";

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
    return directory === null
      ? await storesOfSeveral(place, database, log)
      : await storesOfOne(directory, database);
  } catch (error) {
    await database.destroy();
    throw error;
  }
}

async function storesOfOne(directory: string, database: Database): Promise<RecordStores> {
  await expectOwnDirectory(database, directory);
  return {
    catalogue: postgresCatalogue(database),
    others: NO_OTHERS,
    openAccessStore: () => postgresAccessStore(database),
    close: () => database.destroy(),
  };
}

async function storesOfSeveral(
  place: PostgresPlace,
  database: Database,
  log: Pick<Logger, "warn">,
): Promise<RecordStores> {
  const feed = await openFeed(place, (error) =>
    log.warn({ err: error }, "other servers are not heard; the connection to the catalogue is made anew"),
  );
  return {
    catalogue: postgresCatalogue(database, feed),
    others: otherServers(feed),
    openAccessStore: () => postgresAccessStore(database),
    close: async () => {
      await feed.close();
      await database.destroy();
    },
  };
}
