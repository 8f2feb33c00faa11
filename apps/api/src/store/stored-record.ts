/** Records as a store keeps them: JSON, written by this version or an earlier one. */
import type { CaptureFile } from "@aglens/contract";
import { lacksFiles } from "@aglens/engine/files";
import { hasExpired, LISTED, NOT_ANALYZED, shownOf } from "./capture-state.ts";
import type {
  CaptureAnalysis,
  CaptureDigest,
  CaptureLife,
  CaptureState,
  ShownAnalysis,
  StoredAnalysis,
} from "./capture-state.ts";
import type { CaptureRecord, LinkRecord } from "./catalog.ts";

/** A file as an earlier version may have stored it. */
type New = "path" | "sha256" | "databaseNames" | "groupNames" | "identity" | "given";
type StoredFile = Omit<CaptureFile, New> & Partial<Pick<CaptureFile, New>>;

/**
 * The JSON form of a capture's record: earlier versions, copies of records and the catalog's queries read its state
 * from these properties.
 */
export interface StoredCapture extends Omit<CaptureRecord, "files" | keyof CaptureState>, ShownAnalysis {
  readonly files: readonly StoredFile[];
  /** Files are missing; the first version that kept such captures did not mark the files. */
  readonly withoutFiles?: boolean;
  /** It waits to be analyzed again. */
  readonly analyseAgain?: boolean;
  readonly cutOff?: number;
  readonly stored?: StoredAnalysis;
  readonly digest?: CaptureDigest | null;
  /** Time when it was moved to the trash, UTC, ISO 8601. */
  readonly deleted?: string;
  readonly isLeaving?: boolean;
  /** It expired. */
  readonly isOver?: boolean;
  readonly ended?: { readonly group: string | null; readonly from: string | null };
}

/** A record. @param text as `captureText` makes it, or an earlier version */
export const captureIn = (text: string): CaptureRecord => captureOf(JSON.parse(text) as StoredCapture);

/** A record; files from an earlier version get the missing properties, and keep the user's corrections. */
export function captureOf(stored: StoredCapture): CaptureRecord {
  const {
    state: _state,
    problem: _problem,
    verdict: _verdict,
    severity: _severity,
    place: _place,
    ...rest
  } = stored;
  const { analyseAgain: _again, cutOff: _cutOff, stored: _stored, digest: _digest, ...others } = rest;
  const {
    deleted: _deleted,
    isLeaving: _leaving,
    isOver: _over,
    ended: _ended,
    withoutFiles,
    ...record
  } = others;
  // Later versions know it of each file: other files may be here where event files are missing.
  const areMissing = withoutFiles === true && record.files.every(({ isMissing }) => isMissing === undefined);
  return {
    ...record,
    life: lifeOf(stored),
    analysis: analysisOf(stored),
    files: record.files.map((file): CaptureFile => ({
      path: "",
      sha256: "",
      databaseNames: {},
      groupNames: [],
      identity: null,
      given: file.role === file.detectedRole || file.kind !== "xel" ? {} : { role: file.role },
      ...(areMissing ? { isMissing: true } : {}),
      ...file,
    })),
  };
}

/** The stored form of a record. */
export function storedOf({ life, analysis, ...record }: CaptureRecord): StoredCapture {
  const withoutFiles = lacksFiles(record) ? { withoutFiles: true } : {};
  return { ...record, ...withoutFiles, ...storedAnalysis(analysis), ...storedLife(life) };
}

type StoredLife = Pick<StoredCapture, "deleted" | "isLeaving" | "isOver" | "ended">;
type StoredResults = Pick<
  StoredCapture,
  keyof ShownAnalysis | "analyseAgain" | "cutOff" | "stored" | "digest"
>;

function storedAnalysis(analysis: CaptureAnalysis): StoredResults {
  const shown = shownOf({ analysis });
  const { is, ...kept } = analysis;
  if ("cutOff" in kept) {
    const again = is === "again" ? { analyseAgain: true } : {};
    return kept.cutOff === 0 ? { ...shown, ...again } : { ...shown, ...again, ...kept };
  }
  return { ...shown, ...kept };
}

function storedLife(life: CaptureLife): StoredLife {
  if (life.is === "listed") return {};
  return {
    deleted: life.since,
    ...(life.is === "trashed" ? {} : { isLeaving: true }),
    ...(hasExpired(life) ? { isOver: true } : {}),
    ...(life.is === "ended" ? { ended: { group: life.group, from: life.from } } : {}),
  };
}

function analysisOf(stored: StoredResults): CaptureAnalysis {
  const { state, problem, analyseAgain, cutOff = 0 } = stored;
  if (analyseAgain === true) return { is: "again", cutOff };
  if (state === "analysing") return { is: "running", cutOff };
  if (state === "failed" && problem !== null) return { is: "failed", problem };
  if (state !== "ready") return NOT_ANALYZED;
  const { verdict, severity, place } = stored;
  const files = stored.stored === undefined ? {} : { stored: stored.stored };
  const digest = stored.digest === undefined ? {} : { digest: stored.digest };
  return { is: "ready", verdict, severity, place, ...files, ...digest };
}

function lifeOf({ deleted: since, isLeaving, isOver, ended }: StoredLife): CaptureLife {
  if (since === undefined) return LISTED;
  const because = isOver === true ? "expired" : "deleted";
  // Figures that an earlier version was deleting at a user's request must not be kept.
  if (ended !== undefined && because === "expired") return { is: "ended", since, ...ended };
  return { is: isLeaving === true ? "leaving" : "trashed", since, because };
}

/** @param texts as they were stored @returns newest first */
export function linksIn(texts: readonly string[]): LinkRecord[] {
  return texts.map(linkIn).toSorted((a, b) => (a.created < b.created ? 1 : -1));
}

export function linkIn(text: string): LinkRecord {
  return JSON.parse(text) as LinkRecord;
}

/** A record of a capture as text; `captureIn` reads it. */
export const captureText = (record: CaptureRecord): string => storableText(storedOf(record));

/**
 * A record as JSON that every database accepts; `captureText` is that of a capture. PostgreSQL rejects U+0000 and half
 * of a surrogate pair, and lists with one of them.
 */
export function storableText(record: object & { readonly life?: never }): string {
  const text = JSON.stringify(record);
  if (!/\\u(?:0000|d[89a-f])/u.test(text)) return text;
  return JSON.stringify(record, (_, value: unknown) =>
    typeof value === "string" ? storableString(value) : value,
  );
}

/** A text that every database takes. */
export function storableString(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}
