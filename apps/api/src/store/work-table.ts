/**
 * The work on captures: one row for each capture that a server works on. The table of a single server is in its memory,
 * and ends with it. In a table that several servers share, a row is a lease: its server renews it, by the catalog's
 * clock, and any server may take one that has run out.
 */
import type { Progress } from "@aglens/contract";
import type { CaptureRecord, CaptureWork, HeldCatalog, RecordChange } from "./catalog.ts";

/** Another server took the work over, or the work was ended. */
export class LeaseLostError extends Error {}

/** An analysis that is asked for. */
export interface AskedAnalysis {
  /** Name of the server that was asked: it may take the analysis first. */
  readonly server: string;
  /** Bytes of the files to read. */
  readonly bytes: number;
  readonly progress: Progress;
  /** Asked for without a request of a user: it begins after all others, on a server that runs none. */
  readonly isUnasked: boolean;
}

/** A server that has room for analyses. */
export interface Taker {
  readonly server: string;
  /** Token of the lease. */
  readonly token: string;
  /** Ids of analyses that it runs already, though their leases may have run out. */
  readonly running: readonly string[];
}

/** An analysis that a server took. */
export interface TakenAnalysis {
  readonly id: string;
  readonly token: string;
  /** How often servers took it before that ended during it. */
  readonly attempts: number;
  readonly isCancelled: boolean;
}

/** An analysis in the table of all servers. */
export interface SharedAnalysis {
  readonly id: string;
  /** Name of the server that runs it; null while it waits. */
  readonly server: string | null;
  readonly progress: Progress;
}

export interface Lease {
  readonly token: string;
  /** Whether a request asked for the end of the analysis. */
  readonly isCancelled: boolean;
}

/** Whether others may have something to do now, or something to show. */
export type WorkNews = "changed" | "further";

/** Functions of the table that every server needs. */
export interface WorkTable {
  /** All work at this moment, by capture; null where other servers do some of it. */
  readonly rows: ReadonlyMap<string, CaptureWork> | null;
  /** Work on a capture; null without work. */
  kindOf(id: string): Promise<CaptureWork["kind"] | null>;
  /**
   * Stores a capture's changed record, and the request for its analysis.
   * @param isReady awaited before. A single server begins nothing else meanwhile; of several servers, the first to
   * store it gets the work
   * @returns the kind of present work on the capture, and then nothing is stored
   */
  ask(
    id: string,
    change: RecordChange,
    analysisOf: (record: CaptureRecord) => AskedAnalysis,
    isReady?: () => Promise<void>,
  ): Promise<CaptureRecord | CaptureWork["kind"] | null>;
  /**
   * Takes the next analysis, unless it is too big for this server now. A single server takes every one: those without
   * room wait in its queue.
   * @param mayBegin whether there is room for that many bytes
   */
  take(taker: Taker, mayBegin: (bytes: number) => boolean): Promise<TakenAnalysis | null>;
  /** Takes over an analysis that no server runs. @returns whether there was one */
  seize(id: string, server: string, token: string): Promise<boolean>;
  /** Asks the server that runs an analysis to end it. @returns whether there is one */
  cancel(id: string): Promise<boolean>;
  /** Holds a capture. @returns the kind of present work on it; null when it is held */
  hold(id: string, server: string, token: string): Promise<CaptureWork["kind"] | null>;
  /** A catalog for writes to a held capture. Its calls throw LeaseLostError where another server holds it by now. */
  heldBy(id: string, token: string): HeldCatalog;
  /** Stores a capture's changed record, and ends the work. @throws LeaseLostError, and then nothing is stored */
  end(id: string, token: string, change: RecordChange): Promise<CaptureRecord | null>;
  /** Ends work without a result to store. */
  release(id: string, token: string): Promise<void>;
}

/** The table of a server alone: its rows change by the calls of that server only, and its leases do not run out. */
export interface OwnWorkTable extends WorkTable {
  readonly rows: ReadonlyMap<string, CaptureWork>;
}

/** The table of several servers. */
export interface SharedWorkTable extends WorkTable {
  readonly rows: null;
  /** Renews leases. @returns leases that this server still has */
  renew(tokens: readonly string[]): Promise<Lease[]>;
  report(token: string, id: string, progress: Progress): Promise<void>;
  keepPreview(token: string, preview: Uint8Array): Promise<void>;
  /** The first picture that the analysis has reported. */
  preview(id: string): Promise<Uint8Array | null>;
  /** Lets other servers take analyses that were begun; this does not count as an attempt. */
  giveBack(tokens: readonly string[]): Promise<void>;
  /** All analyses, those that wait in the order of their turns. */
  analyses(): Promise<SharedAnalysis[]>;
  /** Calls back when another server asked for work, took or ended it, or is further with it. */
  onNews(listener: (id: string, what: WorkNews) => void): void;
}

/** Times in ms. */
export interface LeaseTimes {
  /** Time that work belongs to a server whose messages have stopped. */
  readonly leaseMs: number;
  /** Time to wait for the server that was asked: it may have the decoded events in memory. */
  readonly headStartMs: number;
}
