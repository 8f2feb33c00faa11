import type { Capture, CaptureBrief, Link } from "@aglens/contract";
import type { KeptNote } from "@aglens/engine/notes";
import type { Asker, CaptureState, ShownAnalysis } from "./capture-state.ts";

/** What is kept about a capture: all but the progress, which lives with the running job, and what follows from its files. */
export type CaptureRecord = Omit<
  Capture,
  keyof ShownAnalysis | "progress" | "groups" | "unused" | "isDraft"
> &
  CaptureState & {
    /** Nobody gave it a name: it has the one that its files make. */
    readonly isUnnamed?: boolean;
    /** Its files are one capture however they are grouped: a live run knows its servers. */
    readonly isOne?: boolean;
    /** Instants that were marked while it was recorded live. */
    readonly marks?: readonly RecordedMark[];
    /** Notes on it, in the order they were written. */
    readonly notes?: readonly KeptNote[];
  };

/** An instant that somebody or a rule marked in a live run. */
export interface RecordedMark {
  /** UTC on the primary's clock, FILETIME ticks as a decimal string: a capture's time 0 is known when it was analyzed. */
  readonly ticks: string;
  readonly label: string;
  readonly byRule: boolean;
}

/** A link; what later versions added is absent in the records of earlier ones. */
type AddedToLinks = "audience" | "replacesNames" | "takenBack" | "opens";
export interface LinkRecord
  extends Omit<Link, "deleteToken" | "hasPassphrase" | AddedToLinks>, Partial<Pick<Link, AddedToLinks>> {
  /** Salt and hash by scrypt; absent for a link without a passphrase. */
  readonly passphrase?: KeptPassphrase;
  /** SHA-256 of the delete token, hex; the token itself is not kept. */
  readonly tokenHash: string;
}

/** What is to be done in several steps, written down before the first one: the next process goes on with it. */
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
  /** Id of a person: only what is theirs or shared; absent for all. */
  readonly seenBy?: string | undefined;
  /** Drafts of the user who asks. Absent for all drafts. */
  readonly drafts?: OwnDrafts | undefined;
}

/** Drafts of a person or of a browser (`isListedFor`), in addition to the other captures or alone. */
export interface OwnDrafts extends Asker {
  readonly show: "with" | "without" | "only";
}

/** A place in the list of captures: behind the one that was made then and has that id. */
export interface PlaceInList {
  readonly created: string;
  readonly id: string;
}

/**
 * Small facts about captures and links. Each call is one transaction: all of it is stored, or nothing. What was stored is there for
 * every call that begins after it resolved, and survives a power cut. What a change makes of a record is stored only over the very
 * record that it was given: where another writer was quicker, it is called again with what that one stored. A change that throws stores
 * nothing, and so does one that returns what it was given.
 */
export interface Catalogue {
  /** Newest first, with those in the trash. */
  captures(): Promise<CaptureRecord[]>;
  /** Ids of all of them. */
  ids(): Promise<string[]>;
  /** Captures as lists need them, newest first, without those in the trash. */
  briefs(limit: number, listed: ListedCaptures, after?: PlaceInList): Promise<CaptureBrief[]>;
  /** How many captures there are, as `briefs` takes them. */
  count(listed: ListedCaptures): Promise<number>;
  /** Bytes of the files of all captures, or of one person's, with those in the trash. */
  bytes(owner?: string): Promise<number>;
  /** How many captures of a person are analyzed or wait for it. */
  analysing(owner: string): Promise<number>;
  capture(id: string): Promise<CaptureRecord | null>;
  /** Adds a capture, unless there is one with that id, also in the trash. @returns whether it was added */
  addCapture(record: CaptureRecord): Promise<boolean>;
  /** @returns the record as it is stored then; null when there is none */
  changeCapture(id: string, change: RecordChange): Promise<CaptureRecord | null>;
  /** Deletes the capture's links and plan too. */
  deleteCapture(id: string): Promise<void>;
  /** Ids of captures whose time is over at `now` (ISO 8601), without those in the trash. */
  expiredCaptures(now: string): Promise<string[]>;
  /** Captures in the trash, the one that was deleted first is first. */
  deletedCaptures(): Promise<CaptureRecord[]>;
  /** Null also while its capture is in the trash. */
  link(id: string): Promise<LinkRecord | null>;
  /** Links of a capture, newest first. */
  linksOf(captureId: string): Promise<LinkRecord[]>;
  /** Adds a link, unless its capture is gone. @returns whether it was added */
  addLink(record: LinkRecord): Promise<boolean>;
  /** @returns the record as it is stored then; null when there is none */
  changeLink(id: string, change: (record: LinkRecord) => LinkRecord): Promise<LinkRecord | null>;
  deleteExpiredLinks(now: string): Promise<void>;
  plans(): Promise<KeptPlan[]>;
  savePlan(plan: KeptPlan): Promise<void>;
  deletePlan(id: string): Promise<void>;
  /**
   * Ends a plan: adds captures that are not there yet, changes the one that the plan is about, if it is there, and deletes the plan. Nothing
   * is done where there is none any more: somebody else has ended it, and what it made may be gone since.
   */
  endPlan(id: string, added: readonly CaptureRecord[], change: RecordChange): Promise<void>;
  /** A fact about the captures as a whole, by its name; null when it was never stored. */
  fact(name: string): Promise<string | null>;
  saveFact(name: string, value: string): Promise<void>;
  /** Ids of records that could not be read and were put aside, in the table `damagedRecords`. */
  readonly damaged: readonly string[];
  /** Closes the database that it is in. */
  close(): Promise<void>;
}

/** What is stored by who holds a capture. A call is refused, and nothing is stored, where another server holds the capture by now. */
export interface HeldCatalogue extends Pick<
  Catalogue,
  "changeCapture" | "deleteCapture" | "savePlan" | "deletePlan" | "endPlan"
> {
  /** For steps outside the catalogue that would undo what another server did: refused as storing something is. */
  expectHeld(): Promise<void>;
}

/** The catalogue does not answer. Whether it stored what it was called for is not known. */
export class CatalogueUnreachableError extends Error {
  constructor(cause: unknown) {
    super("The catalogue cannot be reached.", { cause });
  }
}

/** What a server does with a capture while nothing else changes its files. */
export interface CaptureWork {
  /** Its analysis, which may still wait for its turn, or changes of its files in several steps. */
  readonly kind: "analysis" | "hold";
}

/**
 * What a record becomes. It may be called more than once.
 * @param work what some server does with the capture, where several have the catalogue; null where nothing is known to be done
 */
export type RecordChange = (record: CaptureRecord, work: CaptureWork | null) => CaptureRecord;
