/** Notes of captures. They are part of a capture's record: what becomes of the capture becomes of its notes. */
import type { NewNote, Note } from "@aglens/contract";
import {
  addNote,
  deleteNote,
  restoreNote,
  rewriteNote,
  shownNotes,
  type ChangedNotes,
  type KeptNote,
} from "@aglens/engine/notes";
import type { Records } from "../captures/records/records.ts";
import type { Clock } from "../kernel/clock.ts";
import { newId } from "../kernel/identity.ts";

/** Every call is one write of the capture's record. Each throws ProblemError `capture-not-found`, also for one in the trash. */
export class CaptureNotes {
  readonly #records: Records;
  readonly #clock: Clock;

  constructor(records: Records, clock: Clock) {
    this.#records = records;
    this.#clock = clock;
  }

  /** In the order of their first instants. */
  async list(captureId: string): Promise<Note[]> {
    const { notes = [] } = await this.#records.get(captureId);
    return shownNotes(notes);
  }

  /** @throws ProblemError as `addNote` */
  add(captureId: string, wanted: NewNote): Promise<Note> {
    const id = newId();
    return this.#change(captureId, (notes, now) => addNote(notes, wanted, id, now));
  }

  /** @throws ProblemError as `rewriteNote` */
  rewrite(captureId: string, noteId: string, text: string): Promise<Note> {
    return this.#change(captureId, (notes, now) => rewriteNote(notes, noteId, text, now));
  }

  /** @throws ProblemError as `deleteNote` */
  async remove(captureId: string, noteId: string): Promise<void> {
    await this.#change(captureId, (notes, now) => deleteNote(notes, noteId, now));
  }

  /** @throws ProblemError as `restoreNote` */
  restore(captureId: string, noteId: string): Promise<Note> {
    return this.#change(captureId, (notes, now) => restoreNote(notes, noteId, now));
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
