/** Captures that were deleted: kept for a week, then, or sooner where the disk needs their room, deleted for good. */
import type { Logger } from "pino";
import type { TrashedCapture } from "@aglens/contract";
import { problem } from "@aglens/engine/problems";
import type { Clock } from "../clock.ts";
import type { Blobs } from "../store/blobs.ts";
import type { CaptureRecord } from "../store/catalogue.ts";
import { isDiskFull } from "../store/space.ts";
import type { ComingRoom, Space } from "../store/space.ts";
import type { Analyses } from "./analyses.ts";
import { bytesOf } from "./retention.ts";
import { restorableUntil, withoutResults } from "./records.ts";
import type { Records } from "./records.ts";

export class Trash {
  readonly #records: Records;
  readonly #blobs: Blobs;
  readonly #space: Space;
  readonly #analyses: Analyses;
  readonly #clock: Clock;
  readonly #log: Logger;
  /** Being deleted for good: too late to be restored. */
  readonly #leaving = new Set<string>();

  constructor(records: Records, blobs: Blobs, space: Space, analyses: Analyses, clock: Clock, log: Logger) {
    this.#records = records;
    this.#blobs = blobs;
    this.#space = space;
    this.#analyses = analyses;
    this.#clock = clock;
    this.#log = log;
    space.onShort(() => this.#giveUpFirst());
  }

  /** What can be restored, the one that was deleted last is first. @param isTheirs whose captures are listed */
  list(isTheirs: (record: CaptureRecord) => boolean = () => true): TrashedCapture[] {
    return this.#records.deleted().filter(isTheirs).map(trashed).toReversed();
  }

  /**
   * Moves a capture to the trash; on a disk that is short of room, what was deleted first is given up until there is some.
   * @throws ProblemError `capture-not-found`
   */
  async put(id: string): Promise<void> {
    this.#records.get(id);
    await this.#analyses.end(id);
    // Another deletion may have been as quick.
    if (this.#isIn(id)) return;
    try {
      this.#records.change(id, (record) => this.#marked(record));
      this.#records.callOutdated(id);
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      await this.#deleteForGood(id);
    }
    this.#makeRoom();
    this.#space.restoreReserve();
  }

  /** Makes a capture what it was. @throws ProblemError `capture-not-found` when it is not in the trash (any more) */
  restore(id: string): CaptureRecord {
    const { deleted: _, ...record } = this.#inTrash(id);
    // One whose time was over would be back in the trash at once.
    const least = restorableUntil(this.#now());
    const expires = record.expires === null || record.expires > least ? record.expires : least;
    const restored = { ...record, expires };
    this.#records.add(restored);
    return restored;
  }

  /** Deletes a capture, in the trash or not, with its files and links. @throws ProblemError `capture-not-found` */
  async deleteForGood(id: string): Promise<void> {
    if (this.#records.stored(id)?.deleted === undefined) this.#records.get(id);
    await this.#analyses.end(id);
    await this.#deleteForGood(id);
    this.#space.restoreReserve();
  }

  /** Deletes for good what is in the trash. @param isTheirs whose captures are deleted */
  async empty(isTheirs: (record: CaptureRecord) => boolean = () => true): Promise<void> {
    for (const { id } of this.#records.deleted().filter(isTheirs)) {
      if (this.#isIn(id)) await this.#deleteForGood(id);
    }
    this.#space.restoreReserve();
  }

  /** Deletes for good what was in the trash for its time. @param now UTC, ISO 8601 */
  async emptyOld(now: string): Promise<void> {
    for (const { id, deleted = now } of this.#records.deleted()) {
      if (restorableUntil(deleted) <= now && this.#isIn(id)) await this.#deleteForGood(id);
    }
  }

  /** Ends the deletions that an earlier process began: their files are gone. */
  async recover(): Promise<void> {
    for (const { id, files } of this.#records.deleted()) {
      if (files.length > 0 && (await this.#blobs.keys(id)).length === 0) this.#records.remove(id);
    }
  }

  #marked(record: CaptureRecord): CaptureRecord {
    const kept = record.state === "analysing" ? withoutResults(record) : record;
    return { ...kept, deleted: this.#now() };
  }

  /** The mark comes first and the record is the last to go: a process that ends in between leaves a capture in the trash. */
  async #deleteForGood(id: string): Promise<void> {
    try {
      const record = this.#records.stored(id);
      if (record !== null && record.deleted === undefined) this.#records.add(this.#marked(record));
    } catch (error) {
      // Not even the reserve was left: the blobs make the room that the record's deletion needs.
      if (!isDiskFull(error)) throw error;
    }
    this.#leaving.add(id);
    try {
      await this.#blobs.removeCapture(id);
      this.#records.remove(id);
    } finally {
      this.#leaving.delete(id);
    }
  }

  /** Somebody waits for the room. @returns null when the trash is empty */
  #giveUpFirst(): ComingRoom | null {
    const [first] = this.#records.deleted();
    if (first === undefined) return null;
    this.#log.warn(
      { deleted: first.deleted },
      "the disk is short of room: a capture in the trash was deleted for good",
    );
    const done = this.#blobs.removeCaptureSoon(first.id).catch((error: unknown) => {
      this.#log.error(
        { err: error },
        "files of a capture that was deleted for good stay until the next start",
      );
    });
    this.#records.remove(first.id);
    return { bytes: bytesOf(first), done };
  }

  #makeRoom(): void {
    try {
      this.#space.expectRoom();
    } catch (error) {
      // All was given up that can be.
      if (!isDiskFull(error)) throw error;
    }
  }

  /** Whether it was not restored meanwhile. */
  #isIn(id: string): boolean {
    return this.#records.stored(id)?.deleted !== undefined;
  }

  #inTrash(id: string): CaptureRecord {
    const record = this.#records.stored(id);
    if (record?.deleted !== undefined && !this.#leaving.has(id)) return record;
    throw problem(
      "capture-not-found",
      "The capture is not in the trash. It was restored, or deleted for good to make room or because its time was over.",
    );
  }

  #now(): string {
    return new Date(this.#clock.now()).toISOString();
  }
}

function trashed({ id, name, created, deleted = created, files }: CaptureRecord): TrashedCapture {
  return {
    id,
    name,
    created,
    deleted,
    restorableUntil: restorableUntil(deleted),
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
  };
}
