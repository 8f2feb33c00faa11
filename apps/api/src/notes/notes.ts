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
import type { Records } from "../captures/records.ts";
import type { Clock } from "../clock.ts";
import { newId } from "../identity.ts";

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
    return shownNotes(this.#records.get(captureId).notes ?? []);
  }

  /** @throws ProblemError as `addNote` */
  add(captureId: string, wanted: NewNote): Note {
    const id = newId();
    return this.#change(captureId, (notes, now) => addNote(notes, wanted, id, now));
  }

  /** @throws ProblemError as `rewriteNote` */
  rewrite(captureId: string, noteId: string, text: string): Note {
    return this.#change(captureId, (notes, now) => rewriteNote(notes, noteId, text, now));
  }

  /** @throws ProblemError as `deleteNote` */
  remove(captureId: string, noteId: string): void {
    this.#change(captureId, (notes, now) => deleteNote(notes, noteId, now));
  }

  /** @throws ProblemError as `restoreNote` */
  restore(captureId: string, noteId: string): Note {
    return this.#change(captureId, (notes, now) => restoreNote(notes, noteId, now));
  }

  #change(captureId: string, change: (notes: readonly KeptNote[], nowMs: number) => ChangedNotes): Note {
    const { notes, note } = change(this.#records.get(captureId).notes ?? [], this.#clock.now());
    this.#records.change(captureId, (record) => ({ ...record, notes }));
    return note;
  }
}
