/**
 * The states of a capture: where it is in its life, and how far its analysis is. The functions here lead from one to the next, and nothing
 * else sets one.
 *
 *            trash              leave              end, of one that expired
 *   listed --------> trashed ---------> leaving --------------------------> ended
 *     | ^               |               ^  |  ^                               |
 *     | +--- restore ---+               |  |  +-- leave, figures unwanted ----+
 *     +--------------- leave -----------+  +--> its record is deleted
 *
 *            beginAnalysis             endAnalysis
 *    none -----------------> running -----------------> ready
 *      ^       ^     ^         |   |                      |
 *      |       |   again <-----+---|-- analyseAgain ------+
 *      |     failed <--------------+   (from running also cutOffAnalysis, the first time)
 *      |             failAnalysis      (also from none and again; cutOffAnalysis, the second time)
 *      +-- from all: discardResults; from running: trash and leave
 *
 * endAnalysis also leads on from none: a capture opened from a file comes with its results.
 * A function that does not lead on from a record's state returns the record as it is, and then nothing is stored (`Catalog`).
 */
import type { Capture, FleetFigures, Problem } from "@aglens/contract";
import type { Checksum } from "./checksum.ts";

/** Why a capture left the lists. It expired by its age, or because all captures took too many bytes: its figures stay then. */
export type LeavingReason = "deleted" | "expired";

export type CaptureLife =
  /** People can open it. */
  | { readonly is: "listed" }
  /** It can be restored. `since` is UTC, ISO 8601. */
  | { readonly is: "trashed"; readonly since: string; readonly because: LeavingReason }
  /** Its files and its record are being deleted, so it can't be restored. Its files may be gone. */
  | { readonly is: "leaving"; readonly since: string; readonly because: LeavingReason }
  /** Its files are deleted, and its figures stay: the name of its group, and the time of its first event. */
  | {
      readonly is: "ended";
      readonly since: string;
      readonly group: string | null;
      readonly from: string | null;
    };

export type CaptureAnalysis =
  /** Not analyzed, or not since its files changed. */
  | { readonly is: "none" }
  /**
   * It waits to be analyzed again without a request of a user: a process ended during the analysis, or its tables
   * cannot be used any more.
   */
  | { readonly is: "again"; readonly cutOff: number }
  /**
   * It is being analyzed, or waits for its turn. `cutOff` counts processes that ended by force meanwhile, since a user
   * started it.
   */
  | { readonly is: "running"; readonly cutOff: number }
  | ({ readonly is: "ready" } & AnalysisResults)
  | { readonly is: "failed"; readonly problem: Problem };

/** Stored results of an analysis. */
export interface AnalysisResults extends Pick<Capture, "verdict" | "severity" | "place"> {
  /** Absent where an earlier version analyzed it, and where only figures are left. */
  readonly stored?: StoredAnalysis;
  /** Its part of lists; null when it could not be read, absent when it was not read yet. */
  readonly digest?: CaptureDigest | null;
}

/** The files that an analysis stored, by name, and the format they have. */
export interface StoredAnalysis {
  readonly format: number;
  readonly files: Readonly<Record<string, Checksum>>;
}

/** Figures of an analysis for lists. */
export interface CaptureDigest {
  readonly durationUs: number;
  /** 95th percentile of commit latency, µs; null without a commit. */
  readonly p95Us: number | null;
  /** The minimap, as `encodeGlyph` writes it. */
  readonly glyph: string;
  /** Absent in digests of earlier versions, until they are computed again; null when there are no figures. */
  readonly fleet?: FleetFigures | null;
  /** Result of `validityOf`; absent in digests of earlier versions. */
  readonly validity?: string;
}

/** Dropped files that were never analyzed: only their sender sees them in lists, and they expire within a day. */
export interface CaptureDraft {
  /** SHA-256 of the name that the browser has for itself, hex; absent where the capture has an owner or no browser dropped the files. */
  readonly browser?: string;
  /** Expiry of the capture once it is no draft, UTC, ISO 8601; null for none. */
  readonly expires: string | null;
}

/** The states of a record. */
export interface CaptureState {
  readonly life: CaptureLife;
  readonly analysis: CaptureAnalysis;
  /** Absent for a capture that is not a draft, or no longer one. */
  readonly draft?: CaptureDraft | undefined;
}

/** In the trash, or on its way out of it. */
export type InTrash = { readonly life: Extract<CaptureLife, { readonly is: "trashed" | "leaving" }> };
/** An expired capture with only its figures. */
export type Ended = { readonly life: Extract<CaptureLife, { readonly is: "ended" }> };

/** An analyzed capture, with figures, tables and a verdict. */
export type Ready = { readonly analysis: Extract<CaptureAnalysis, { readonly is: "ready" }> };

type Lived = Pick<CaptureState, "life">;

export const LISTED: CaptureLife = { is: "listed" };
export const NOT_ANALYZED: CaptureAnalysis = { is: "none" };

export const isListed = ({ life }: Lived): boolean => life.is === "listed";

export const isInTrash = <R extends Lived>(record: R): record is R & InTrash =>
  record.life.is === "trashed" || record.life.is === "leaving";

export const hasEnded = <R extends Lived>(record: R): record is R & Ended => record.life.is === "ended";

/** Whether it expired, and was not deleted since: the fleet page shows its figures. */
export const hasExpired = (life: CaptureLife): boolean =>
  life.is === "ended" || (life.is !== "listed" && life.because === "expired");

export const isReady = <R extends Pick<CaptureState, "analysis">>(record: R): record is R & Ready =>
  record.analysis.is === "ready";

/** Files that an analysis stored; undefined without an analysis. */
export const storedIn = ({ analysis }: Pick<CaptureState, "analysis">): StoredAnalysis | undefined =>
  analysis.is === "ready" ? analysis.stored : undefined;

/** The files that an analysis stored, by name. */
export const storedFiles = (record: Pick<CaptureState, "analysis">): StoredAnalysis["files"] =>
  storedIn(record)?.files ?? {};

/** An analysis for clients of the API, and in its stored form. */
export type ShownAnalysis = Pick<Capture, "state" | "problem" | "verdict" | "severity" | "place">;

const STATES = {
  none: "receiving",
  again: "receiving",
  running: "analysing",
  ready: "ready",
  failed: "failed",
} as const satisfies Record<CaptureAnalysis["is"], Capture["state"]>;

export function shownOf({ analysis }: Pick<CaptureState, "analysis">): ShownAnalysis {
  const state = STATES[analysis.is];
  const problem = analysis.is === "failed" ? analysis.problem : null;
  if (analysis.is !== "ready") return { state, problem, verdict: null, severity: null, place: null };
  const { verdict, severity, place } = analysis;
  return { state, problem, verdict, severity, place };
}

/** Moves a listed capture to the trash. @param since UTC, ISO 8601 */
export function trash<R extends CaptureState>(record: R, since: string, because: LeavingReason): R {
  return isListed(record) ? { ...settled(record), life: { is: "trashed", since, because } } : record;
}

/** Lists a capture of the trash again. */
export function restore<R extends CaptureState>(record: R): R {
  return record.life.is === "trashed" ? { ...record, life: LISTED } : record;
}

/**
 * Moves a record to the state in which it can't be restored.
 * @param now UTC, ISO 8601, for a record that is not in the trash yet
 * @param isWanted whether a user deletes it, and its figures with it, also where only those are left
 */
export function leave<R extends CaptureState>(record: R, now: string, isWanted: boolean): R {
  const { life } = record;
  if (life.is === "ended" && !isWanted) return record;
  const since = life.is === "listed" ? now : life.since;
  const because = isWanted || !hasExpired(life) ? "deleted" : "expired";
  if (life.is === "leaving" && life.because === because) return record;
  return { ...settled(record), life: { is: "leaving", since, because } };
}

/** The rest of an expired capture, once its files are gone. */
export function end<R extends CaptureState>(record: R, left: Pick<Ended["life"], "group" | "from">): R {
  const { life } = record;
  if (life.is !== "leaving" || life.because !== "expired") return record;
  return { ...record, life: { is: "ended", since: life.since, ...left } };
}

/** A capture outside the lists has no running analysis. */
const settled = <R extends CaptureState>(record: R): R =>
  record.analysis.is === "running" ? discardResults(record) : record;

/**
 * An analysis is not started a third time after two processes ended by force during it, as in a cluster of several
 * servers.
 */
const MOST_CUT_OFF = 2;

const cutOffIn = ({ analysis }: CaptureState): number =>
  analysis.is === "again" || analysis.is === "running" ? analysis.cutOff : 0;

/** @param isUnasked no user asked for it: the count of processes that ended by force during it continues */
export function beginAnalysis<R extends CaptureState>(record: R, isUnasked: boolean): R {
  if (!isListed(record)) return record;
  return { ...publish(record), analysis: { is: "running", cutOff: isUnasked ? cutOffIn(record) : 0 } };
}

/** Makes a draft a capture as any other, which is kept as long as those. */
export function publish<R extends CaptureState>(record: R): R {
  const { draft } = record;
  return draft === undefined ? record : { ...record, draft: undefined, expires: draft.expires };
}

export function endAnalysis<R extends CaptureState>(record: R, results: AnalysisResults): R {
  const { is } = record.analysis;
  return is === "running" || is === "none" ? { ...record, analysis: { is: "ready", ...results } } : record;
}

/** Why an analysis has no results, or could not begin. */
export function failAnalysis<R extends CaptureState>(record: R, problem: Problem): R {
  return isReady(record) ? record : { ...record, analysis: { is: "failed", problem } };
}

/** An analysis that ended, or an earlier one, is to be done again. */
export function analyseAgain<R extends CaptureState>(record: R): R {
  const { is } = record.analysis;
  if (is !== "running" && is !== "ready") return record;
  return { ...record, analysis: { is: "again", cutOff: cutOffIn(record) } };
}

/** An analysis whose process ended by force. @param problem that it failed with, where it may have been the reason */
export function cutOffAnalysis<R extends CaptureState>(record: R, problem: Problem): R {
  if (record.analysis.is !== "running") return record;
  const cutOff = cutOffIn(record) + 1;
  if (cutOff >= MOST_CUT_OFF) return failAnalysis(record, problem);
  return { ...record, analysis: { is: "again", cutOff } };
}

/** Its files are no longer those that an analysis read. */
export function discardResults<R extends CaptureState>(record: R): R {
  return record.analysis.is === "none" ? record : { ...record, analysis: NOT_ANALYZED };
}

/** Replaces an analysis's part of lists. */
export function withDigest<R extends CaptureState>(record: R, digest: CaptureDigest | null): R {
  return isReady(record) ? { ...record, analysis: { ...record.analysis, digest } } : record;
}

/** Recognizes an author: the person, or the browser on a server without sign-in. Programs have neither. */
export interface Asker {
  readonly personId: string | null;
  /** SHA-256 of the name that it has for itself, hex. */
  readonly browser: string | null;
}

interface Draftable {
  readonly owner?: { readonly id: string } | undefined;
  readonly draft?: CaptureDraft | undefined;
}

/** A draft is in the lists of the person or browser that dropped its files, and in no others. */
export function isListedFor({ personId, browser }: Asker, { owner, draft }: Draftable): boolean {
  if (draft === undefined) return true;
  if (owner !== undefined) return owner.id === personId;
  return draft.browser === undefined || draft.browser === browser;
}
