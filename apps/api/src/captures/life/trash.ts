/**
 * Captures that were deleted: they stay for a week, or less if the disk needs their space, and are then deleted
 * permanently.
 */
import type { Logger } from "pino";
import type { TrashedCapture } from "@aglens/contract";
import { problem } from "@aglens/engine/problems";
import type { ProblemError } from "@aglens/engine/problems";
import type { Clock } from "../../kernel/clock.ts";
import type { Blobs } from "../../store/blobs.ts";
import { isInTrash, isListed, leave, restore, trash } from "../../store/capture-state.ts";
import type { InTrash, LeavingReason } from "../../store/capture-state.ts";
import type { CaptureRecord, HeldCatalog } from "../../store/catalog.ts";
import { isDiskFull } from "../../store/space.ts";
import type { PendingSpace, Space } from "../../store/space.ts";
import { endedRecord, isForgotten } from "../records/ended.ts";
import { bytesOf } from "../records/retention.ts";
import { RECORD_COPY_FILE } from "../kept/record-copy-file.ts";
import { restorableUntil } from "../records/records.ts";
import type { Records } from "../records/records.ts";
import type { Work } from "../work/work.ts";

interface TrashParts {
  readonly records: Records;
  readonly blobs: Blobs;
  readonly space: Space;
  readonly work: Work;
  readonly clock: Clock;
  readonly log: Logger;
}

export class Trash {
  readonly #records: Records;
  readonly #blobs: Blobs;
  readonly #space: Space;
  readonly #work: Work;
  readonly #clock: Clock;
  readonly #log: Logger;

  constructor({ records, blobs, space, work, clock, log }: TrashParts) {
    this.#records = records;
    this.#blobs = blobs;
    this.#space = space;
    this.#work = work;
    this.#clock = clock;
    this.#log = log;
    space.onShort(() => this.#giveUpFirst());
  }

  /** Captures that can be restored, the last deleted one first. @param isTheirs selects captures */
  async list(isTheirs: (record: CaptureRecord) => boolean = () => true): Promise<TrashedCapture[]> {
    return (await this.#records.deleted()).filter(isTheirs).map(trashed).toReversed();
  }

  /**
   * Moves a capture to the trash; on a disk that is short of space, the captures that were deleted first are
   * permanently deleted until there is enough.
   * @throws ProblemError `capture-not-found`
   */
  async put(id: string, because: LeavingReason = "deleted"): Promise<void> {
    await this.#records.get(id);
    try {
      // A capture that is already in the trash does not change: another deletion may have been faster.
      await this.#work.holdAlone(id, ({ changeCapture }) =>
        this.#records.changeStored(id, (record) => trash(record, this.#now(), because), changeCapture),
      );
      this.#records.callOutdated(id);
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      await this.#deleteForGood(id, () => true);
    }
    await this.#makeRoom();
    this.#space.restoreReserve();
  }

  /** Restores a capture. @throws ProblemError `capture-not-found` when it is not in the trash (any more) */
  async restore(id: string): Promise<CaptureRecord> {
    const restored = await this.#records.changeStored(id, (before) => {
      const record = restore(before);
      if (record === before) throw notInTrash();
      // An expired capture would return to the trash at once.
      const least = restorableUntil(this.#now());
      const expires = record.expires === null || record.expires > least ? record.expires : least;
      return { ...record, expires };
    });
    if (restored === null) throw notInTrash();
    return restored;
  }

  /** Deletes a capture, in the trash or not, with its files and links. @throws ProblemError `capture-not-found` */
  async deleteForGood(id: string): Promise<void> {
    const record = await this.#records.stored(id);
    if (record === null || isListed(record)) await this.#records.get(id);
    await this.#deleteForGood(id, () => true, true);
    this.#space.restoreReserve();
  }

  /** Permanently deletes the captures in the trash. @param isTheirs selects captures */
  async empty(isTheirs: (record: CaptureRecord) => boolean = () => true): Promise<void> {
    for (const { id } of (await this.#records.deleted()).filter(isTheirs)) {
      await this.#deleteForGood(id, isInTrash, true);
    }
    this.#space.restoreReserve();
  }

  /** Permanently deletes captures whose days in the trash have ended. @param now UTC, ISO 8601 */
  async emptyOld(now: string): Promise<void> {
    const isOld = (record: CaptureRecord): boolean =>
      isInTrash(record) && restorableUntil(record.life.since) <= now;
    for (const { id } of (await this.#records.deleted()).filter(isOld)) await this.#deleteForGood(id, isOld);
    for (const record of await this.#records.ended())
      if (isForgotten(record, Date.parse(now))) await this.#records.remove(record.id);
  }

  /** Ends the deletions that an earlier process began. */
  async recover(): Promise<void> {
    for (const { id, files, life } of await this.#records.deleted()) {
      const isGone = files.length > 0 && (await this.#blobs.keys(id)).length === 0;
      if (isGone || life.is === "leaving") await this.#deleteForGood(id, isInTrash);
    }
  }

  /**
   * The mark is stored first and the record is deleted last: a process that ends in between leaves a capture in the
   * trash.
   * @param isThat whether its present record is one to delete: it may have been restored
   * @param isWanted whether a user deletes it: then the figures of an expired capture are deleted too
   */
  async #deleteForGood(
    id: string,
    isThat: (record: CaptureRecord) => boolean,
    isWanted = false,
  ): Promise<void> {
    await this.#work.holdAlone(id, async (catalogue) => {
      // A process that ends in between finds in the record whether its figures stay.
      const claimed = await this.#claim(catalogue, id, isThat, isWanted);
      if (claimed === null) return;
      await this.#blobs.removeCapture(id);
      await this.#end(catalogue, claimed);
      // Removes a copy that was written meanwhile; a later writer finds that the capture is gone.
      await this.#blobs.remove(id, RECORD_COPY_FILE);
    });
  }

  /** Its files are gone: of its record only the figures of the fleet page stay, or nothing. */
  async #end({ changeCapture, deleteCapture }: HeldCatalog, claimed: CaptureRecord): Promise<void> {
    const ended = endedRecord(claimed);
    if (ended === null) return this.#records.remove(claimed.id, deleteCapture);
    await this.#records.changeStored(claimed.id, () => ended, changeCapture);
    this.#records.callOutdated(claimed.id);
  }

  /** After this it can't be restored. @returns null when the record is gone, or has changed */
  async #claim(
    { changeCapture }: HeldCatalog,
    id: string,
    isThat: (record: CaptureRecord) => boolean,
    isWanted = false,
  ): Promise<CaptureRecord | null> {
    let claimed: CaptureRecord | null = null;
    try {
      await this.#records.changeStored(
        id,
        (record) => {
          const left = isThat(record) ? leave(record, this.#now(), isWanted) : record;
          claimed = isThat(record) && left.life.is === "leaving" ? left : null;
          return left;
        },
        changeCapture,
      );
    } catch (error) {
      // Not even the reserve was left: deleting the blobs frees the space that the record's deletion needs.
      if (!isDiskFull(error)) throw error;
    }
    return claimed;
  }

  /** Another write waits for the space. @returns null when the trash is empty */
  async #giveUpFirst(): Promise<PendingSpace | null> {
    for (const { id } of await this.#records.deleted()) {
      // A capture in use is skipped: its user may wait for this space.
      const room = await this.#work.holdIfFree(id, (catalogue) => this.#giveUp(catalogue, id));
      if (room !== null) return room;
    }
    return null;
  }

  async #giveUp(catalogue: HeldCatalog, id: string): Promise<PendingSpace | null> {
    const first = await this.#claim(catalogue, id, isInTrash);
    if (first === null) return null;
    this.#log.warn(first.life, "the disk is low on space: a capture in the trash was permanently deleted");
    const done = this.#blobs.removeCaptureSoon(first.id).catch((error: unknown) => {
      this.#log.error({ err: error }, "files of a permanently deleted capture stay until the next start");
    });
    await this.#end(catalogue, first);
    return { bytes: bytesOf(first), done };
  }

  async #makeRoom(): Promise<void> {
    try {
      await this.#space.expectRoom();
    } catch (error) {
      // All captures in the trash are deleted already.
      if (!isDiskFull(error)) throw error;
    }
  }

  #now(): string {
    return new Date(this.#clock.now()).toISOString();
  }
}

const notInTrash = (): ProblemError =>
  problem(
    "capture-not-found",
    "The capture isn't in the trash. It was restored, or it was permanently deleted because it expired or the disk was low on space.",
  );

function trashed({ id, name, created, life, files }: CaptureRecord & InTrash): TrashedCapture {
  return {
    id,
    name,
    created,
    deleted: life.since,
    restorableUntil: restorableUntil(life.since),
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
  };
}
