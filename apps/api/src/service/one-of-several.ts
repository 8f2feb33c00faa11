import type { WorkTimes } from "../captures/work/leased-work.ts";
import type { OwnDisk, SharedStores } from "./shared-stores.ts";

/** This server among several on one catalog in PostgreSQL, each with a data directory of its own. */
export interface OneOfSeveral {
  /** No two have the same. */
  readonly name: string;
  /** Opens the common stores. */
  readonly openStores: (disk: OwnDisk) => Promise<SharedStores>;
  readonly times?: WorkTimes;
}
