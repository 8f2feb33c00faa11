/** Catalog, sessions and audit log in one PostgreSQL database. */
import type { Logger } from "pino";
import { WatchStore } from "../watch/watch-store.ts";
import manifest from "../../package.json" with { type: "json" };
import { postgresPassing } from "../access/postgres-passing.ts";
import { SqlAccessStore } from "../access/sql-access-store.ts";
import type { RecordStores, SharedServer } from "./record-stores.ts";
import { memoryWork } from "../store/memory-work.ts";
import { NO_OTHERS } from "../store/other-servers.ts";
import {
  expectOwnBucket,
  expectOwnCopies,
  expectOwnDirectory,
  notedId,
  noteId,
} from "../store/postgres/catalog-place.ts";
import { openPostgres } from "../store/postgres/database.ts";
import type { PostgresPlace } from "../store/postgres/database.ts";
import { openFeed } from "../store/postgres/feed.ts";
import { receivedChanges, postgresCatalog } from "../store/postgres/postgres-catalog.ts";
import { postgresWork } from "../store/postgres/postgres-work.ts";
import { expectSameTables } from "../store/postgres/same-tables.ts";
import { openServers } from "../store/postgres/servers.ts";
import type { Database } from "../store/tables.ts";

/**
 * @param directory the data directory that the catalog is of, or that of one of several servers which have it
 * @param server this one among several; null where it has the catalog for itself
 * @throws StartError
 */
export async function openPostgresStores(
  place: PostgresPlace,
  directory: string,
  server: SharedServer | null,
  log: Pick<Logger, "warn">,
): Promise<RecordStores> {
  const database = await openPostgres(place, (error) =>
    log.warn({ err: error }, "a connection to the catalogue broke; the next call makes a new one"),
  );
  try {
    return server === null
      ? await storesOfOne(directory, database)
      : await storesOfSeveral(place, database, directory, server, log);
  } catch (error) {
    await database.destroy();
    throw error;
  }
}

async function storesOfOne(directory: string, database: Database): Promise<RecordStores> {
  await expectOwnDirectory(database, directory);
  const catalogue = postgresCatalog(database);
  return {
    catalogue,
    others: NO_OTHERS,
    openWork: () => memoryWork(catalogue),
    accessStore: new SqlAccessStore(database),
    watchStore: new WatchStore(database),
    passing: null,
    close: () => database.destroy(),
  };
}

async function storesOfSeveral(
  place: PostgresPlace,
  database: Database,
  directory: string,
  { name, files, keepsTables }: SharedServer,
  log: Pick<Logger, "warn">,
): Promise<RecordStores> {
  await expectOwnCopies(directory, await expectOwnBucket(database, files));
  const home = await noteId(directory, await notedId(directory));
  const feed = await openFeed(place, (error) =>
    log.warn({ err: error }, "no notifications from other servers; reconnecting to the catalog"),
  );
  const own = { name, home, version: manifest.version };
  const servers = await openServers(database, own, (error) =>
    log.warn({ err: error }, "other servers cannot see that this one runs"),
  ).catch(async (error: unknown) => {
    await feed.close();
    throw error;
  });
  const catalogue = postgresCatalog(database, feed);
  const close = async (): Promise<void> => {
    await feed.close();
    await servers
      .close()
      .catch((error: unknown) =>
        log.warn({ err: error }, "other servers do not know that this one has ended"),
      );
  };
  await expectSameTables(catalogue, servers, keepsTables).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    catalogue,
    others: { isShared: true, ...receivedChanges(feed), list: servers.list, alone: servers.alone },
    openWork: (times) => postgresWork(database, feed, times),
    accessStore: new SqlAccessStore(database),
    watchStore: new WatchStore(database),
    passing: postgresPassing(database),
    close: async () => {
      await close();
      await database.destroy();
    },
  };
}
