/** A server on the catalogue, as the database sees it. */
export interface SeenServer {
  readonly name: string;
  /** Version of its program. */
  readonly version: string;
  /** UTC, ISO 8601. */
  readonly started: string;
  /** Since it was seen last, ms. */
  readonly unseenMs: number;
  /** Seen so lately that it is taken to run. */
  readonly isRunning: boolean;
  readonly isThis: boolean;
}

/** The other servers on the same catalogue: what is heard of them, and what one does for all. */
export interface OtherServers {
  /** Whether there may be any. */
  readonly isShared: boolean;
  /**
   * Calls back when another server stored a change of a capture, or deleted it.
   * @param listener `isOutdated`: what was computed from it is no longer true
   */
  onChanged(listener: (id: string, isOutdated: boolean) => void): void;
  /** Calls back when some changes may not have been heard of: whatever rests on them is to be read again. */
  onMissed(listener: () => void): void;
  /**
   * Resolves when all that was stored before the call was heard of, or may have been missed and that was told.
   * @throws CatalogueUnreachableError
   */
  heard(): Promise<void>;
  /** All servers, this one too, by name; none where it has its catalogue for itself. @throws CatalogueUnreachableError */
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

/** A server that has its catalogue for itself. */
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
