/** The sessions that are left on servers, written down so that a restart does not forget them. Holds names and sentences, no logins. */
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { writeAside } from "../../write-aside.ts";

const LeftNote = z.object({
  id: z.string(),
  /** The server as it calls itself. */
  name: z.string(),
  session: z.string(),
  problem: z.string(),
});
export type LeftNote = z.infer<typeof LeftNote>;

const LeftNotes = z.object({ sessions: z.array(LeftNote) });

export class LeftNotesFile {
  readonly #path: string;
  readonly #onFailure: (error: unknown) => void;
  #written: Promise<void> = Promise.resolve();

  /** @param onFailure called when it could not be written */
  constructor(path: string, onFailure: (error: unknown) => void) {
    this.#path = path;
    this.#onFailure = onFailure;
  }

  /** What an earlier process left; nothing where there is no file that can be read. */
  async read(): Promise<LeftNote[]> {
    const text = await readFile(this.#path, "utf8").catch(() => "");
    try {
      return LeftNotes.parse(JSON.parse(text)).sessions;
    } catch {
      return [];
    }
  }

  /** Replaces what is written, after what was to be written before. */
  write(sessions: readonly LeftNote[]): void {
    const text = JSON.stringify({ sessions });
    this.#written = this.#written.then(() => writeAside(this.#path, text)).catch(this.#onFailure);
  }

  /** Resolves when everything is written. */
  async settled(): Promise<void> {
    await this.#written;
  }
}
