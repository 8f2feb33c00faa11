/**
 * Stored notes about sessions that are left on servers, so that a restart does not forget them. They contain names and
 * sentences, no logins.
 */
import { readFile } from "node:fs/promises";
import { Owner } from "@aglens/contract";
import { z } from "zod";
import { writeAside } from "../../kernel/write-aside.ts";

const LeftNote = z.object({
  id: z.string(),
  /** The server as it calls itself. */
  name: z.string(),
  session: z.string(),
  problem: z.string(),
  /** Owner of the run that left it; absent where users didn't sign in. */
  owner: Owner.optional(),
});
export type LeftNote = z.infer<typeof LeftNote>;

const Written = z.object({ sessions: z.array(LeftNote) });

/** Place of the notes. */
export interface NotesPlace {
  /** Empty where nothing was. */
  read(): Promise<string>;
  write(text: string): Promise<void>;
}

export function notesInFile(path: string): NotesPlace {
  return {
    read: () => readFile(path, "utf8").catch(() => ""),
    write: (text) => writeAside(path, text),
  };
}

export class LeftNotes {
  readonly #place: NotesPlace;
  readonly #onFailure: (error: unknown) => void;
  #written: Promise<void> = Promise.resolve();

  /** @param onFailure called when it could not be written */
  constructor(place: NotesPlace, onFailure: (error: unknown) => void) {
    this.#place = place;
    this.#onFailure = onFailure;
  }

  /** Sessions that an earlier process left; empty where they cannot be read. */
  async read(): Promise<LeftNote[]> {
    const text = await this.#place.read();
    try {
      return Written.parse(JSON.parse(text)).sessions;
    } catch {
      return [];
    }
  }

  /** Replaces the notes, after earlier writes. */
  write(sessions: readonly LeftNote[]): void {
    const text = JSON.stringify({ sessions });
    this.#written = this.#written.then(() => this.#place.write(text)).catch(this.#onFailure);
  }

  /** Resolves when everything is written. */
  async settled(): Promise<void> {
    await this.#written;
  }
}
