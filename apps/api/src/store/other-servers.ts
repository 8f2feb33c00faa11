/** What is heard of the other servers on the same catalogue. */
export interface OtherServers {
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
}

/** A server that has its catalogue for itself. */
export const NO_OTHERS: OtherServers = {
  onChanged: () => {},
  onMissed: () => {},
  heard: () => Promise.resolve(),
};
