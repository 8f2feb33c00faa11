/** Notes of captures. They are part of a capture's record: what becomes of the capture becomes of its notes. */
import { MOST_NOTES, type NewNote, type Note } from "@aglens/contract";
import type { Records } from "../captures/records.ts";
import type { Clock } from "../clock.ts";
import { newId } from "../identity.ts";
import { problem } from "@aglens/engine/problems";
import type { CaptureRecord, KeptNote } from "../store/catalogue.ts";

/** A note that was deleted can be restored for so long; screens offer it for 10 s. */
const RESTORABLE_MS = 60_000;

/** Every call is one write of the capture's record. Each throws ProblemError `capture-not-found`, also for one in the trash. */
export class CaptureNotes {
  readonly #records: Records;
  readonly #clock: Clock;

  constructor(records: Records, clock: Clock) {
    this.#records = records;
    this.#clock = clock;
  }

  /** In the order of their first instants. */
  list(captureId: string): Note[] {
    return shownNotes(this.#records.get(captureId));
  }

  /** @throws ProblemError `too-many-notes` */
  add(captureId: string, wanted: NewNote): Note {
    const { fromTicks, toTicks, lsn, text } = wanted;
    const note: Note = { id: newId(), fromTicks, toTicks, lsn, text, written: this.#now() };
    this.#change(captureId, (notes) => {
      if (notes.filter(isShown).length >= MOST_NOTES) {
        throw problem(
          "too-many-notes",
          `The capture has ${MOST_NOTES} notes, which is the most. Delete one first.`,
        );
      }
      return [...notes, note];
    });
    return note;
  }

  /** Gives a note another text; the time of writing is that of the new one. @throws ProblemError `note-not-found` */
  rewrite(captureId: string, noteId: string, text: string): Note {
    return this.#changeOne(captureId, noteId, isShown, (note) => ({ ...note, text, written: this.#now() }));
  }

  /** @throws ProblemError `note-not-found` */
  remove(captureId: string, noteId: string): void {
    this.#changeOne(captureId, noteId, isShown, (note) => ({ ...note, deleted: this.#now() }));
  }

  /** Makes a note what it was before it was deleted. @throws ProblemError `note-not-found` when it was too long ago */
  restore(captureId: string, noteId: string): Note {
    return this.#changeOne(captureId, noteId, () => true, shownNote);
  }

  #changeOne(
    captureId: string,
    noteId: string,
    isWanted: (note: KeptNote) => boolean,
    change: (note: KeptNote) => KeptNote,
  ): Note {
    let changed: Note | null = null;
    this.#change(captureId, (notes) =>
      notes.map((note) => {
        if (note.id !== noteId || !isWanted(note)) return note;
        const next = change(note);
        changed = shownNote(next);
        return next;
      }),
    );
    if (changed === null) throw noSuchNote();
    return changed;
  }

  /** Notes that were deleted too long ago are not written again. */
  #change(captureId: string, change: (notes: readonly KeptNote[]) => readonly KeptNote[]): void {
    const oldest = new Date(this.#clock.now() - RESTORABLE_MS).toISOString();
    this.#records.change(captureId, (record) => {
      const restorable = (record.notes ?? []).filter(
        ({ deleted }) => deleted === undefined || deleted >= oldest,
      );
      return { ...record, notes: change(restorable) };
    });
  }

  #now(): string {
    return new Date(this.#clock.now()).toISOString();
  }
}

/** The notes of a record that nobody deleted, in the order of their first instants. */
function shownNotes({ notes = [] }: CaptureRecord): Note[] {
  return notes
    .filter(isShown)
    .map(shownNote)
    .toSorted((a, b) => Number(BigInt(a.fromTicks) - BigInt(b.fromTicks)));
}

const isShown = ({ deleted }: KeptNote): boolean => deleted === undefined;

function shownNote(kept: KeptNote): Note {
  const { deleted: _, ...note } = kept;
  return note;
}

const noSuchNote = (): Error =>
  problem(
    "note-not-found",
    "There is no such note. It was deleted, or its deletion cannot be undone any more.",
  );
