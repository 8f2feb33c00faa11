/** Notes of captures. They are part of a capture's record and share its life. */
import type { NewNote, Note } from "@aglens/contract";
import {
  addNote,
  deleteNote,
  isTheirs,
  restoreNote,
  rewriteNote,
  shownNotes,
  type ChangedNotes,
  type KeptNote,
} from "@aglens/engine/notes";
import { problem } from "@aglens/engine/problems";
import type { Records } from "../captures/records/records.ts";
import type { Clock } from "../kernel/clock.ts";
import { newId } from "../kernel/identity.ts";

/** The person who reads or changes notes. */
export interface NoteReader {
  /** Their name where they are signed in. */
  readonly name: string | undefined;
  /** Identifies an author: id of the person, otherwise of the browser. */
  readonly by: string | undefined;
  /** May change the notes of others. */
  readonly isAdmin: boolean;
}

const NOBODY: NoteReader = { name: undefined, by: undefined, isAdmin: false };

/** Every call is one write of the capture's record. Each throws ProblemError `capture-not-found`, also for one in the trash. */
export class CaptureNotes {
  readonly #records: Records;
  readonly #clock: Clock;

  constructor(records: Records, clock: Clock) {
    this.#records = records;
    this.#clock = clock;
  }

  /** Sorted by their start. */
  async list(captureId: string, reader = NOBODY): Promise<Note[]> {
    const { notes = [] } = await this.#records.get(captureId);
    const others = new Set(notes.filter((note) => !mayChange(note, reader)).map(({ id }) => id));
    return shownNotes(notes).map((note) => (others.has(note.id) ? { ...note, mayChange: false } : note));
  }

  /** @throws ProblemError as `addNote` */
  add(captureId: string, wanted: NewNote, author = NOBODY): Promise<Note> {
    const id = newId();
    return this.#change(captureId, (notes, now) => addNote(notes, wanted, id, now, author));
  }

  /** @throws ProblemError as `rewriteNote` */
  rewrite(captureId: string, noteId: string, text: string, reader = NOBODY): Promise<Note> {
    return this.#changeOwn(captureId, noteId, reader, (notes, now) => rewriteNote(notes, noteId, text, now));
  }

  /** @throws ProblemError as `deleteNote` */
  async remove(captureId: string, noteId: string, reader = NOBODY): Promise<void> {
    await this.#changeOwn(captureId, noteId, reader, (notes, now) => deleteNote(notes, noteId, now));
  }

  /** @throws ProblemError as `restoreNote` */
  restore(captureId: string, noteId: string, reader = NOBODY): Promise<Note> {
    return this.#changeOwn(captureId, noteId, reader, (notes, now) => restoreNote(notes, noteId, now));
  }

  /** @throws ProblemError `not-allowed` for a note of another author */
  #changeOwn(
    captureId: string,
    noteId: string,
    reader: NoteReader,
    change: (notes: readonly KeptNote[], nowMs: number) => ChangedNotes,
  ): Promise<Note> {
    return this.#change(captureId, (notes, now) => {
      const note = notes.find(({ id }) => id === noteId);
      if (note !== undefined && !mayChange(note, reader)) throw notYours(note);
      return change(notes, now);
    });
  }

  async #change(
    captureId: string,
    change: (notes: readonly KeptNote[], nowMs: number) => ChangedNotes,
  ): Promise<Note> {
    const changed: Note[] = [];
    await this.#records.change(captureId, (record) => {
      const { notes, note } = change(record.notes ?? [], this.#clock.now());
      changed[0] = note;
      return { ...record, notes };
    });
    const [note] = changed;
    if (note === undefined) throw new Error("a capture was changed without its change");
    return note;
  }
}

const mayChange = (note: KeptNote, { by, isAdmin }: NoteReader): boolean => isAdmin || isTheirs(note, by);

const notYours = ({ author = "Its author" }: KeptNote): Error =>
  problem("not-allowed", `${author} wrote this note. Only its author or an admin can change or delete it.`);
