/** Place of the records: the catalog, and sessions of people. */
import type { AccessStore } from "../access/access-store.ts";
import type { Passing } from "../access/passing.ts";
import type { Catalog } from "../store/catalog.ts";
import type { FilePlace } from "../store/file-place.ts";
import type { OtherServers } from "../store/other-servers.ts";
import type { WatchStore } from "../watch/watch-store.ts";
import type { LeaseTimes, OwnWorkTable, SharedWorkTable } from "../store/work-table.ts";

export interface RecordStores {
  readonly catalogue: Catalog;
  readonly others: OtherServers;
  /** The work on captures: a table of this server alone, or one that others have too. */
  readonly openWork: (times: LeaseTimes) => OwnWorkTable | SharedWorkTable;
  readonly accessStore: AccessStore;
  readonly watchStore: WatchStore;
  /** Null where one server has all for itself: in its memory. */
  readonly passing: Passing | null;
  /** Closes the catalog. */
  close(): Promise<void>;
}

/** A server on a catalog that others have too. */
export interface SharedServer {
  readonly name: string;
  /** Place of the files of all servers. */
  readonly files: FilePlace;
  /** Whether it keeps tables at rest: all do, or none. */
  readonly keepsTables: boolean;
}
