/** A server on the catalog, from the database. */
export interface SeenServer {
  readonly name: string;
  /** Version of its program. */
  readonly version: string;
  /** UTC, ISO 8601. */
  readonly started: string;
  /** Time since its last sign of life, ms. */
  readonly unseenMs: number;
  /** Whether its last sign of life is so recent that it counts as running. */
  readonly isRunning: boolean;
  readonly isThis: boolean;
}

/** The other servers on the same catalog: their messages, and work that one server does for all. */
export interface OtherServers {
  /** Whether there may be any. */
  readonly isShared: boolean;
  /**
   * Calls back when another server stored a change of a capture, or deleted it.
   * @param listener `isOutdated`: results computed from it are no longer true
   */
  onChanged(listener: (id: string, isOutdated: boolean) => void): void;
  /** Calls back when messages about changes may have been missed: data that depends on them is to be read again. */
  onMissed(listener: () => void): void;
  /**
   * Resolves when messages about all changes stored before the call have arrived, or `onMissed` was called.
   * @throws CatalogueUnreachableError
   */
  heard(): Promise<void>;
  /**
   * All servers, this one too, by name; empty where the server is alone on its catalog. @throws
   * CatalogueUnreachableError
   */
  readonly list: () => Promise<readonly SeenServer[]>;
  /**
   * Does work that one server does for all, unless another server is doing it. The work must also be safe if two
   * servers do it: a server that stalled may continue with it.
   * @param duty name of the work
   * @returns whether it was done
   * @throws CatalogueUnreachableError; errors of the work
   */
  readonly alone: (duty: string, work: () => Promise<void>) => Promise<boolean>;
}

/** A server that has its catalog for itself. */
export const NO_OTHERS: OtherServers = {
  isShared: false,
  onChanged: () => {},
  onMissed: () => {},
  heard: () => Promise.resolve(),
  list: () => Promise.resolve([]),
  alone: async (_duty, work) => {
    await work();
    return true;
  },
};
