/**
 * The states of a capture. A record is in one state of its life; the functions here lead from one to the next, and nothing else sets one.
 *
 *            trash              leave              end, of one that expired
 *   listed --------> trashed ---------> leaving --------------------------> ended
 *     | ^               |               ^  |  ^                               |
 *     | +--- restore ---+               |  |  +-- leave, figures unwanted ----+
 *     +--------------- leave -----------+  +--> its record is deleted
 *
 * A function that does not lead on from a record's state returns the record as it is, and then nothing is stored (`Catalogue`).
 */

/** Why a capture left the lists. It expired by its age, or because all captures took too many bytes: its figures stay then. */
export type LeavingReason = "deleted" | "expired";

export type CaptureLife =
  /** People can open it. */
  | { readonly is: "listed" }
  /** It can be restored. `since` is UTC, ISO 8601. */
  | { readonly is: "trashed"; readonly since: string; readonly because: LeavingReason }
  /** Its files and its record are being deleted: too late to be restored. Its files may be gone. */
  | { readonly is: "leaving"; readonly since: string; readonly because: LeavingReason }
  /** Its files are gone, and its figures left: the name that its group had, and the time of its first event. */
  | {
      readonly is: "ended";
      readonly since: string;
      readonly group: string | null;
      readonly from: string | null;
    };

/** The states of a record. */
export interface CaptureState {
  readonly life: CaptureLife;
}

/** In the trash, or on its way out of it. */
export type InTrash = { readonly life: Extract<CaptureLife, { readonly is: "trashed" | "leaving" }> };
/** Only its figures are left. */
export type Ended = { readonly life: Extract<CaptureLife, { readonly is: "ended" }> };

export const LISTED: CaptureLife = { is: "listed" };

export const isListed = ({ life }: CaptureState): boolean => life.is === "listed";

export const isInTrash = <R extends CaptureState>(record: R): record is R & InTrash =>
  record.life.is === "trashed" || record.life.is === "leaving";

export const hasEnded = <R extends CaptureState>(record: R): record is R & Ended =>
  record.life.is === "ended";

/** Whether it expired, and nobody has deleted it since: the fleet page shows its figures. */
export const hasExpired = (life: CaptureLife): boolean =>
  life.is === "ended" || (life.is !== "listed" && life.because === "expired");

/** Moves a listed capture to the trash. @param since UTC, ISO 8601 */
export function trash<R extends CaptureState>(record: R, since: string, because: LeavingReason): R {
  return isListed(record) ? { ...record, life: { is: "trashed", since, because } } : record;
}

/** Lists a capture of the trash again. */
export function restore<R extends CaptureState>(record: R): R {
  return record.life.is === "trashed" ? { ...record, life: LISTED } : record;
}

/**
 * Nobody restores it from now on.
 * @param now since when, where it is not in the trash yet
 * @param isWanted whether somebody wants it gone, and its figures with it, also where they are all that is left
 */
export function leave<R extends CaptureState>(record: R, now: string, isWanted: boolean): R {
  const { life } = record;
  if (life.is === "ended" && !isWanted) return record;
  const since = life.is === "listed" ? now : life.since;
  const because = isWanted || !hasExpired(life) ? "deleted" : "expired";
  if (life.is === "leaving" && life.because === because) return record;
  return { ...record, life: { is: "leaving", since, because } };
}

/** What is left of a capture that expired, once its files are gone. */
export function end<R extends CaptureState>(record: R, left: Pick<Ended["life"], "group" | "from">): R {
  const { life } = record;
  if (life.is !== "leaving" || life.because !== "expired") return record;
  return { ...record, life: { is: "ended", since: life.since, ...left } };
}
