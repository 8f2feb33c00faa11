/** Events of files that were just received: their analysis begins with them, instead of reading the files again. */
import type { EventColumns } from "@aglens/ag-model/events";
import { buffersOfEvents } from "@aglens/ag-model/replication";
import type { PreparedEvents } from "@aglens/ag-model/replication";

/** The events of one file: their columns, or the prepared events if an analysis needs no more. */
export type DecodedEvents =
  | { readonly columns: EventColumns; readonly prepared: null }
  | { readonly columns: null; readonly prepared: PreparedEvents };

/** The events of one stored file. */
export type DecodedFile = DecodedEvents & {
  /** Path of the stored file. */
  readonly path: string;
};

/** Time in which people look at the recognized files, from the last file of a drop to its analysis. */
const KEPT_MS = 5 * 60_000;

/** Keeps events until they are taken, for some minutes, as long as all together are not too many bytes: the oldest leave first. */
export class DecodedFiles {
  readonly #mostBytes: number;
  /** By path, in the order of arrival. */
  readonly #kept = new Map<string, { readonly events: DecodedEvents; readonly timer: NodeJS.Timeout }>();
  /** By path. */
  readonly #coming = new Map<string, Promise<void>>();

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /**
   * Keeps the events of a file once they are there.
   * @param path where the file is or will be stored
   * @param events null when they will not arrive
   */
  expect(path: string, events: Promise<DecodedEvents | null>): void {
    const kept = events.then((come) => {
      this.#coming.delete(path);
      if (come !== null) this.keep({ path, ...come });
    });
    this.#coming.set(path, kept);
  }

  /** Resolves when the events of these files have arrived; at once where none are expected. */
  whenCome(paths: readonly string[]): Promise<unknown> {
    return Promise.all(paths.flatMap((path) => this.#coming.get(path) ?? []));
  }

  /** @param path where the file is or will be stored */
  keep({ path, ...events }: DecodedFile): void {
    this.take(path);
    if (eventBytes(events) > this.#mostBytes) return;
    const timer = setTimeout(() => this.#kept.delete(path), KEPT_MS).unref();
    this.#kept.set(path, { events, timer });
    for (const oldest of this.#kept.keys()) {
      if (this.bytes <= this.#mostBytes) return;
      this.take(oldest);
    }
  }

  /** Returns the events of a file and removes them from memory; null when they are not kept. */
  take(path: string): DecodedEvents | null {
    const kept = this.#kept.get(path);
    if (kept === undefined) return null;
    clearTimeout(kept.timer);
    this.#kept.delete(path);
    return kept.events;
  }

  /** Memory of all kept events, in bytes. */
  get bytes(): number {
    return [...this.#kept.values()].reduce((sum, { events }) => sum + eventBytes(events), 0);
  }
}

const eventBytes = (events: DecodedEvents): number =>
  buffersOfEvents(events).reduce((sum, { byteLength }) => sum + byteLength, 0);
