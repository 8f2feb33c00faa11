/** Polls of an availability group as a watch sees them, and the rules that start a recording. Times are ms since 1970. */

/** One poll of all replicas of a group. A value without an answer is null: a hole, not 0. */
export interface WatchPoint {
  readonly at: number;
  /** Length of the interval that the deltas cover, s. */
  readonly seconds: number;
  /** Commits that waited in the interval, of those that `delayFrom` counts. */
  readonly commits: number | null;
  /** Mean time that they waited, for the secondaries or for the log write on the primary, whichever is longer, ms. */
  readonly delayMs: number | null;
  /**
   * "counters": Transaction Delay over Mirrored Write Transactions; "HADR_SYNC_COMMIT": where the counters are disabled;
   * "WRITELOG": waits for log writes of all databases of the primary, where their mean is the longer one.
   */
  readonly delayFrom: "counters" | "HADR_SYNC_COMMIT" | "WRITELOG" | null;
  /** The largest of all databases and secondaries, KB. */
  readonly sendQueueKb: number | null;
  readonly redoQueueKb: number | null;
  /** Estimated data loss: the largest of all secondaries, s. */
  readonly rpoSeconds: number | null;
  /** replica_server_name of the primary; null while no polled replica is it. */
  readonly primary: string | null;
  /** Synchronous secondaries that aren't SYNCHRONIZED, by name. */
  readonly notSynchronized: readonly string[];
  /** False where no answer had states: then the empty list shows nothing. */
  readonly isStateKnown: boolean;
}

/** The shape of `WatchTriggers` in the contract. */
export interface WatchRules {
  readonly commitDelay: { readonly overMs: number; readonly forSeconds: number } | null;
  readonly timesUsual: { readonly times: number; readonly forSeconds: number } | null;
  readonly queue: { readonly sendQueueKb: number | null; readonly rpoSeconds: number | null } | null;
  readonly state: boolean;
  readonly schedules: readonly { readonly cron: string; readonly forSeconds: number }[];
}

/** The rules that polls can meet. */
export type PolledRule = "commitDelay" | "timesUsual" | "sendQueue" | "rpo" | "state";

/** A rule that was met. Value, limit and usual are in its unit: ms, KB or s. */
export interface FiredRule {
  readonly rule: PolledRule | "schedule";
  readonly at: number;
  /** "Commit delay over 15 ms for 15 s" */
  readonly text: string;
  readonly value: number | null;
  readonly limit: number | null;
  readonly usual: number | null;
}

/** The usual delay of a weekday and hour: percentiles of the means of its minutes, ms. */
export interface UsualDelay {
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

/** A minute of polls, as it is kept for 90 days. */
export interface WatchMinute {
  /** The minute's begin. */
  readonly at: number;
  readonly polls: number;
  /** Seconds of the minute that polls cover. */
  readonly seconds: number;
  readonly commits: number | null;
  /** Mean, weighted by commits, and the largest of one poll, ms. */
  readonly delayMs: number | null;
  readonly longestMs: number | null;
  readonly sendQueueKb: number | null;
  readonly redoQueueKb: number | null;
  readonly rpoSeconds: number | null;
}
