import type { Capture, CaptureBrief, FailoverCause, Link } from "@aglens/contract";
import type { KeptNote } from "@aglens/engine/notes";
import type { Asker, CaptureState, ShownAnalysis } from "./capture-state.ts";

/**
 * Stored facts about a capture: all except the progress, which belongs to the running job, and facts that follow from
 * its files.
 */
export type CaptureRecord = Omit<
  Capture,
  keyof ShownAnalysis | "progress" | "groups" | "unused" | "isDraft"
> &
  CaptureState & {
    /** It has no name from a user: its files determine the name. */
    readonly isUnnamed?: boolean;
    /** Its files are one capture regardless of their grouping: a live run identifies its servers. */
    readonly isOne?: boolean;
    /** Times that were marked while it was recorded live. */
    readonly marks?: readonly RecordedMark[];
    /** Cause of its last failover by its other files, from when its tables were written; absent without one. */
    readonly failover?: FailoverCause["kind"];
    /** Notes on it, in the order they were written. */
    readonly notes?: readonly KeptNote[];
  };

/** A time that a person or a rule marked in a live run. */
export interface RecordedMark {
  /** UTC on the primary's clock, FILETIME ticks as a decimal string: a capture's time 0 is known when it was analyzed. */
  readonly ticks: string;
  readonly label: string;
  readonly byRule: boolean;
}

/** A link; properties of later versions are absent in earlier records. */
type AddedToLinks = "audience" | "replacesNames" | "takenBack" | "opens";
export interface LinkRecord
  extends Omit<Link, "deleteToken" | "hasPassphrase" | AddedToLinks>, Partial<Pick<Link, AddedToLinks>> {
  /** Salt and hash by scrypt; absent for a link without a passphrase. */
  readonly passphrase?: KeptPassphrase;
  /** SHA-256 of the delete token, hex; the token itself is not kept. */
  readonly tokenHash: string;
}

/** Work in several steps, stored before the first one: the next process continues it. */
export interface KeptPlan {
  /** Capture that it is about. */
  readonly id: string;
  /** JSON. */
  readonly plan: string;
}

/** Both base64url. */
export interface KeptPassphrase {
  readonly salt: string;
  readonly hash: string;
}

/** Which captures a list has. */
export interface ListedCaptures {
  /** 1 leaves out captures without files. */
  readonly fewestFiles: 0 | 1;
  /** Id of a person: lists only captures that are theirs or shared; absent for all. */
  readonly seenBy?: string | undefined;
  /** Drafts of the user of the request. Absent for all drafts. */
  readonly drafts?: OwnDrafts | undefined;
}

/** Drafts of a person or of a browser (`isListedFor`), in addition to the other captures or alone. */
export interface OwnDrafts extends Asker {
  readonly show: "with" | "without" | "only";
}

/** A place in the list of captures: after the capture with that time of creation and id. */
export interface PlaceInList {
  readonly created: string;
  readonly id: string;
}

/**
 * Small facts about captures and links. Each call is one transaction: it stores all or nothing. Stored data is there
 * for every call that begins after the call resolved, and survives a power cut. The result of a change is stored only
 * over the same record that the change received: where another writer was faster, it is called again with that writer's
 * record. A change that throws stores nothing, and neither does one that returns the record that it received.
 */
export interface Catalog {
  /** Newest first, with those in the trash. */
  captures(): Promise<CaptureRecord[]>;
  /** Ids of all of them. */
  ids(): Promise<string[]>;
  /** Captures as lists need them, newest first, without those in the trash. */
  briefs(limit: number, listed: ListedCaptures, after?: PlaceInList): Promise<CaptureBrief[]>;
  /** Number of captures, selected as in `briefs`. */
  count(listed: ListedCaptures): Promise<number>;
  /** Bytes of the files of all captures, or of one person's, with those in the trash. */
  bytes(owner?: string): Promise<number>;
  /** Number of a person's captures that are analyzed or wait for it. */
  analysing(owner: string): Promise<number>;
  capture(id: string): Promise<CaptureRecord | null>;
  /** Adds a capture, unless there is one with that id, also in the trash. @returns whether it was added */
  addCapture(record: CaptureRecord): Promise<boolean>;
  /** @returns the new record; null when it does not exist */
  changeCapture(id: string, change: RecordChange): Promise<CaptureRecord | null>;
  /** Deletes the capture's links and plan too. */
  deleteCapture(id: string): Promise<void>;
  /** Ids of captures that have expired at `now` (ISO 8601), without those in the trash. */
  expiredCaptures(now: string): Promise<string[]>;
  /** Captures in the trash, the one that was deleted first is first. */
  deletedCaptures(): Promise<CaptureRecord[]>;
  /** Null also while its capture is in the trash. */
  link(id: string): Promise<LinkRecord | null>;
  /** Links of a capture, newest first. */
  linksOf(captureId: string): Promise<LinkRecord[]>;
  /** Adds a link, unless its capture was deleted. @returns whether it was added */
  addLink(record: LinkRecord): Promise<boolean>;
  /** @returns the new record; null when it does not exist */
  changeLink(id: string, change: (record: LinkRecord) => LinkRecord): Promise<LinkRecord | null>;
  deleteExpiredLinks(now: string): Promise<void>;
  plans(): Promise<KeptPlan[]>;
  savePlan(plan: KeptPlan): Promise<void>;
  deletePlan(id: string): Promise<void>;
  /**
   * Ends a plan: adds captures that are not there yet, changes the capture of the plan, if it is there, and deletes the
   * plan. Does nothing when the plan does not exist any more: another process has ended it, and its captures may be
   * gone since.
   */
  endPlan(id: string, added: readonly CaptureRecord[], change: RecordChange): Promise<void>;
  /** A fact about all captures together, by its name; null when it was never stored. */
  fact(name: string): Promise<string | null>;
  saveFact(name: string, value: string): Promise<void>;
  /** Ids of records that could not be read and were put aside, in the table `damagedRecords`. */
  readonly damaged: readonly string[];
  /** Closes the database that it is in. */
  close(): Promise<void>;
}

/**
 * Writes of a server that holds a capture. A call is refused, and nothing is stored, where another server holds the
 * capture by now.
 */
export interface HeldCatalog extends Pick<
  Catalog,
  "changeCapture" | "deleteCapture" | "savePlan" | "deletePlan" | "endPlan"
> {
  /** For steps outside the catalog that would undo work of another server: refused like a write. */
  expectHeld(): Promise<void>;
}

/** The catalog does not answer. It is unknown whether it stored the change. */
export class CatalogUnreachableError extends Error {
  constructor(cause: unknown) {
    super("The catalogue cannot be reached.", { cause });
  }
}

/** Work of a server on a capture while nothing else changes its files. */
export interface CaptureWork {
  /** Its analysis, which may still wait for its turn, or changes of its files in several steps. */
  readonly kind: "analysis" | "hold";
}

/**
 * Computes a new record. It may be called more than once.
 * @param work work of some server on the capture, where several have the catalog; null without known work
 */
export type RecordChange = (record: CaptureRecord, work: CaptureWork | null) => CaptureRecord;
