/** The catalog in PostgreSQL, for checks. */
import type { FilePlace } from "../store/file-place.ts";
import { expectOwnBucket, expectOwnDirectory } from "../store/postgres/catalog-place.ts";
import { openPostgres } from "../store/postgres/database.ts";
import type { PostgresPlace } from "../store/postgres/database.ts";
import { storedRecords } from "./stored-captures.ts";
import type { StoredCaptures } from "./stored-captures.ts";

/** @param files the data directory or the bucket that has the captures' files @throws StartError */
export async function postgresCaptures(
  place: PostgresPlace,
  files: string | FilePlace,
): Promise<StoredCaptures> {
  const database = await openPostgres(place, () => {});
  try {
    if (typeof files === "string") await expectOwnDirectory(database, files);
    else await expectOwnBucket(database, files);
  } catch (error) {
    await database.destroy();
    throw error;
  }
  return {
    ...storedRecords(database),
    // The database checks its own pages (pg_amcheck, checksums).
    damage: () => Promise.resolve([]),
    close: () => database.destroy(),
  };
}
