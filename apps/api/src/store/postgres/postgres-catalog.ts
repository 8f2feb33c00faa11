/** The catalog in PostgreSQL, which several servers may read and write. */
import type { Catalog } from "../catalog.ts";
import { POSTGRES } from "../dialect.ts";
import type { OtherServers } from "../other-servers.ts";
import { SqlCatalog } from "../sql-catalog.ts";
import type { Database } from "../tables.ts";
import type { Feed } from "./feed.ts";

/** Topic of a capture's changes. */
const CHANGES = "capture";

/**
 * @param database as `openPostgres` opened it, or a transaction on it
 * @param feed sends changes to other servers; null without others
 */
export function postgresCatalog(database: Database, feed: Pick<Feed, "telling"> | null = null): Catalog {
  return new SqlCatalog({
    database,
    dialect: POSTGRES,
    tell: feed && ((id, isOutdated) => feed.telling({ topic: CHANGES, id, details: isOutdated })),
    makeRoom: () => false,
    damaged: [],
    close: () => database.destroy(),
  });
}

/** @param feed as `postgresCatalog` has it */
export function receivedChanges(
  feed: Pick<Feed, "on" | "onMissed" | "heard">,
): Pick<OtherServers, "onChanged" | "onMissed" | "heard"> {
  return {
    onChanged: (listener) => feed.on(CHANGES, (id, isOutdated) => listener(id, isOutdated === true)),
    onMissed: (listener) => feed.onMissed(listener),
    heard: () => feed.heard(),
  };
}
