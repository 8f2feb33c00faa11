/**
 * The rules of a capture's notes: their number and order, and how long a deleted one can be restored. Nothing is stored
 * here; every change returns a new list. Instants of changes are ms since 1970.
 */
import { MOST_NOTES, type NewNote, type Note } from "@aglens/contract";
import { problem } from "../problems/problems.ts";

/** A note; a deleted one stays as long as it can be restored. */
export interface KeptNote extends Note {
  /** When it was deleted, UTC, ISO 8601. */
  readonly deleted?: string | undefined;
  /** Identity of its author; absent where anyone may change it. */
  readonly by?: string | undefined;
}

/** The author of a note. */
export interface NoteAuthor {
  readonly name: string | undefined;
  /** Identity by which the author is recognized later. */
  readonly by: string | undefined;
}

/** All notes of a capture after a change, and the one that was changed. */
export interface ChangedNotes {
  readonly notes: readonly KeptNote[];
  readonly note: Note;
}

/** Time in which a deleted note can be restored, ms; screens offer it for 10 s. */
const RESTORABLE_MS = 60_000;

/** The notes that were not deleted, in the order of their first instants. */
export const shownNotes = (kept: readonly KeptNote[]): Note[] =>
  kept
    .filter(isShown)
    .map(shownNote)
    .toSorted((a, b) => Number(BigInt(a.fromTicks) - BigInt(b.fromTicks)));

/** @throws ProblemError `too-many-notes` */
export function addNote(
  kept: readonly KeptNote[],
  wanted: NewNote,
  id: string,
  nowMs: number,
  { name = wanted.author, by }: Partial<NoteAuthor> = {},
): ChangedNotes {
  expectRoom(kept);
  const { fromTicks, toTicks, lsn, text } = wanted;
  const note: KeptNote = {
    id,
    fromTicks,
    toTicks,
    lsn,
    text,
    written: utcOf(nowMs),
    ...(name === undefined ? {} : { author: name }),
    ...(by === undefined ? {} : { by }),
  };
  return { notes: [...restorable(kept, nowMs), note], note: shownNote(note) };
}

/** Whether an author may change a note. */
export const isTheirs = (note: KeptNote, by: string | undefined): boolean =>
  note.by === undefined || note.by === by;

/**
 * Changes the text of a note; its time of writing becomes that of the new text. @throws ProblemError `note-not-found`
 */
export const rewriteNote = (
  kept: readonly KeptNote[],
  id: string,
  text: string,
  nowMs: number,
): ChangedNotes => changeOne(kept, shownWith(kept, id), { text, written: utcOf(nowMs) }, nowMs);

/** @throws ProblemError `note-not-found` */
export const deleteNote = (kept: readonly KeptNote[], id: string, nowMs: number): ChangedNotes =>
  changeOne(kept, shownWith(kept, id), { deleted: utcOf(nowMs) }, nowMs);

/**
 * Restores a deleted note to its earlier state; an existing one stays unchanged.
 * @throws ProblemError `note-not-found` when it was deleted too long ago, `too-many-notes`
 */
export function restoreNote(kept: readonly KeptNote[], id: string, nowMs: number): ChangedNotes {
  const note = restorable(kept, nowMs).find((one) => one.id === id);
  if (note === undefined) throw noSuchNote();
  if (!isShown(note)) expectRoom(kept);
  return changeOne(kept, note, { deleted: undefined }, nowMs);
}

/** Notes that were deleted too long ago are not kept any longer. */
function changeOne(
  kept: readonly KeptNote[],
  note: KeptNote,
  change: Partial<KeptNote>,
  nowMs: number,
): ChangedNotes {
  const changed = { ...note, ...change };
  const notes = restorable(kept, nowMs).map((one) =>
    one !== note ? one : isShown(changed) ? withoutDeletion(changed) : changed,
  );
  return { notes, note: shownNote(changed) };
}

function shownWith(kept: readonly KeptNote[], id: string): KeptNote {
  const note = kept.find((one) => one.id === id && isShown(one));
  if (note === undefined) throw noSuchNote();
  return note;
}

function restorable(kept: readonly KeptNote[], nowMs: number): readonly KeptNote[] {
  const oldest = utcOf(nowMs - RESTORABLE_MS);
  return kept.filter(({ deleted }) => deleted === undefined || deleted >= oldest);
}

function expectRoom(kept: readonly KeptNote[]): void {
  if (kept.filter(isShown).length < MOST_NOTES) return;
  throw problem(
    "too-many-notes",
    `The capture has ${MOST_NOTES} notes, which is the most. Delete one first.`,
  );
}

const isShown = ({ deleted }: KeptNote): boolean => deleted === undefined;

function withoutDeletion(kept: KeptNote): KeptNote {
  const { deleted: _, ...note } = kept;
  return note;
}

function shownNote(kept: KeptNote): Note {
  const { deleted: _, by: _by, ...note } = kept;
  return note;
}

const utcOf = (ms: number): string => new Date(ms).toISOString();

const noSuchNote = (): Error =>
  problem("note-not-found", "Can't find this note. It was deleted, or its deletion can no longer be undone.");
