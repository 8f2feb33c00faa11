/**
 * Files that arrive in parts, over broken connections and restarts, until each is complete and a file of its capture.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { CaptureFile, UploadInParts } from "@aglens/contract";
import type { Quotas } from "../access/quotas.ts";
import type { Captures } from "../captures/captures.ts";
import { expectFileName, tooBig } from "../captures/intake/intake.ts";
import type { FollowedUpload } from "../captures/intake/intake.ts";
import type { Clock } from "../kernel/clock.ts";
import { problem, ProblemError } from "@aglens/engine/problems";
import { semaphore } from "../kernel/semaphore.ts";
import { isListed } from "../store/capture-state.ts";
import type { Blobs } from "../store/blobs.ts";
import type { CaptureRecord } from "../store/catalog.ts";
import type { Space } from "../store/space.ts";
import { FollowedUploads } from "./followed-uploads.ts";
import type { UploadFiles, UploadNote } from "./upload-files.ts";

const HOUR_MS = 3600 * 1000;
/** A complete upload that is newer than this is being taken in by the server that received it. */
const UNDER_WAY_MS = 60_000;
/** Time between two checks of another server's work. */
const LOOK_MS = 100;

export interface UploadLimits {
  readonly maxUploadBytes: number;
  readonly maxFiles: number;
  /** Hours that an upload is kept after its last part. */
  readonly uploadKeepHours: number;
}

export interface NewUpload {
  readonly id: string;
  readonly captureId: string;
  readonly name: string;
  readonly path: string;
  readonly replaces?: string | undefined;
  /** Statement texts, host and login names stay in the file. */
  readonly keepSensitive?: boolean;
  readonly size: number;
  readonly head: string | null;
}

export interface UploadParts {
  readonly files: UploadFiles;
  readonly captures: Captures;
  readonly blobs: Blobs;
  readonly space: Pick<Space, "expectRoom">;
  readonly clock: Clock;
  readonly limits: UploadLimits;
  readonly log: Logger;
}

/** Problems after which the sender can try again: the bytes stay. */
const PASSING = new Set(["wrong-state", "disk-full", "bucket-unreachable", "internal"]);

export class Uploads {
  readonly #parts: UploadParts;
  /** Complete files that are being taken in, so that none is taken in twice. */
  readonly #finishing = new Map<string, Promise<readonly string[]>>();
  readonly #followed: FollowedUploads<UploadNote>;
  /** One after the other: each counts the bytes of the previous one. */
  readonly #beginInTurn = semaphore(1);

  constructor(parts: UploadParts) {
    this.#parts = parts;
    this.#followed = new FollowedUploads((note) => this.#follow(note));
  }

  /**
   * Reads leftovers of an earlier process, before captures are swept: a file that it was taking in is not lost, because
   * its bytes are still here.
   */
  async recover(): Promise<void> {
    const { files, blobs, captures } = this.#parts;
    // Another server may be taking these in, or their client asks for it again.
    if (files.isShared) return;
    for (const note of await files.notes()) {
      const record = await captures.records.stored(note.captureId);
      if (note.fileIds !== undefined || record === null) continue;
      const begun = (await blobs.keys(note.captureId)).filter((key) => isOfUpload(note.id, key));
      const named = record.files.map((file) => file.id).filter((id) => isOfUpload(note.id, id));
      if (named.length > 0) await this.#setFinished(note, named);
      else for (const key of begun) await blobs.remove(note.captureId, key);
    }
  }

  /**
   * Takes in uploads that were complete when an earlier process or another server ended: their sender may not return.
   * Never rejects.
   */
  async finishWhole(): Promise<void> {
    const refused = (error: unknown): void => {
      this.#parts.log.warn({ err: error }, "whole uploads could not be taken into their captures");
    };
    try {
      for (const id of await this.#leftWhole()) await this.finish(id).catch(refused);
    } catch (error) {
      refused(error);
    }
  }

  /** Complete uploads that no server is taking in. */
  async #leftWhole(): Promise<string[]> {
    const { files, clock } = this.#parts;
    const left: string[] = [];
    for (const { id, size } of await this.#unfinished()) {
      const { bytes, at } = await files.received(id);
      const isUnderWay = files.isShared && clock.now() - at < UNDER_WAY_MS;
      if (bytes >= size && !isUnderWay) left.push(id);
    }
    return left;
  }

  /** Deletes uploads that have expired or whose capture is gone. */
  async sweep(): Promise<void> {
    const now = this.#parts.clock.now();
    if (this.#parts.files.isShared) await this.finishWhole();
    for (const note of await this.#parts.files.notes()) {
      if (this.#finishing.has(note.id)) continue;
      const isGone = (await this.#parts.captures.records.stored(note.captureId)) === null;
      if (isGone || (await this.#expires(note.id)) <= now) await this.remove(note.id);
      else if (note.fileIds === undefined) await this.#parts.captures.deferDraft(note.captureId);
    }
  }

  /** Bytes that unfinished uploads will have, of all captures or of one person's. */
  async unfinishedBytes(owner?: string): Promise<number> {
    let bytes = 0;
    for (const { captureId, size } of await this.#unfinished())
      if (owner === undefined || (await this.#ownerOf(captureId)) === owner) bytes += size;
    return bytes;
  }

  async #ownerOf(captureId: string): Promise<string | undefined> {
    return (await this.#parts.captures.records.stored(captureId))?.owner?.id;
  }

  /** Unfinished uploads of captures that `isTheirs`, the one that began first is first. */
  async list(isTheirs: (record: CaptureRecord) => boolean): Promise<UploadInParts[]> {
    const shown: UploadInParts[] = [];
    for (const note of (await this.#unfinished()).toSorted((a, b) => (a.begun < b.begun ? -1 : 1))) {
      const record = await this.#parts.captures.records.stored(note.captureId);
      const isKept = (await this.#expires(note.id)) > this.#parts.clock.now();
      if (record === null || !isListed(record) || !isTheirs(record) || !isKept) continue;
      shown.push(await this.#asShown(note, null));
    }
    return shown;
  }

  /**
   * Begins an upload, if all of it is allowed.
   * @throws ProblemError `bad-file-name`, `capture-not-found`, `file-not-found`, `wrong-state`, `too-many-files`,
   * `too-big`, `over-quota`, `disk-full`
   */
  begin(upload: NewUpload, quotas: Quotas): Promise<void> {
    return this.#beginInTurn(() => this.#begin(upload, quotas));
  }

  async #begin(upload: NewUpload, quotas: Quotas): Promise<void> {
    const { captures, clock, files, limits, space } = this.#parts;
    const { id, captureId, path, replaces, keepSensitive, size } = upload;
    const { name } = expectFileName(path);
    await captures.files.expectTakes(captureId, path, replaces);
    const coming = (await this.#unfinished()).filter((note) => note.captureId === captureId).length;
    const record = await captures.records.get(captureId);
    const present = record.files.length;
    if (present + coming >= limits.maxFiles) {
      throw problem(
        "too-many-files",
        `A capture holds at most ${limits.maxFiles} files, and ${coming} are being sent already. Make a second capture for the others.`,
      );
    }
    if (size > limits.maxUploadBytes) throw tooBig(limits.maxUploadBytes);
    await quotas.expectBytes(record, size);
    await space.expectRoom(size);
    const note: UploadNote = {
      id,
      captureId,
      name,
      path,
      ...(replaces === undefined ? {} : { replaces }),
      ...(keepSensitive === true ? { keepSensitive } : {}),
      size,
      head: upload.head,
      begun: new Date(clock.now()).toISOString(),
    };
    try {
      await files.begin(id);
      await files.save(note);
    } catch (error) {
      await files.remove(id).catch(() => {});
      throw error;
    }
  }

  /** The upload of that capture. @throws ProblemError `upload-not-found`, `upload-expired` */
  async expect(captureId: string, id: string): Promise<UploadNote> {
    const note = await this.#parts.files.note(id);
    if (note === null || note.captureId !== captureId) {
      throw problem(
        "upload-not-found",
        "Can't find this upload. It expired, was discarded, or failed. Upload the file again.",
      );
    }
    if ((await this.#expires(id)) > this.#parts.clock.now()) return note;
    throw problem(
      "upload-expired",
      `The upload was kept for ${this.#parts.limits.uploadKeepHours} hours after its last part. Send the file again.`,
    );
  }

  /** Bytes of the complete file, and bytes that are there. @throws ProblemError `upload-not-found` */
  async sizes(id: string): Promise<{ readonly size: number; readonly offset: number }> {
    const note = await this.#parts.files.note(id);
    if (note === null) throw thrownAway();
    const { size, fileIds } = note;
    return { size, offset: fileIds === undefined ? (await this.#parts.files.received(id)).bytes : size };
  }

  /** Until when the arrived bytes are kept, ms since 1970; null for an upload that is complete or discarded. */
  async keptUntil(id: string): Promise<number | null> {
    const note = await this.#parts.files.note(id);
    return note === null || note.fileIds !== undefined ? null : this.#expires(id);
  }

  /** Expiry, ms since 1970. */
  async #expires(id: string): Promise<number> {
    return (await this.#parts.files.received(id)).at + this.#parts.limits.uploadKeepHours * HOUR_MS;
  }

  async append(id: string, offset: number, source: AsyncIterable<Uint8Array>): Promise<number> {
    const note = await this.#parts.files.note(id);
    const bytes = note === null ? source : this.#followed.part(note, offset, source);
    return this.#parts.files.append(id, offset, bytes);
  }

  /** A problem here is ignored, because the complete file meets it too. */
  async #follow({ captureId, id, path, keepSensitive, size }: UploadNote): Promise<FollowedUpload | null> {
    const { captures, files } = this.#parts;
    try {
      return await captures.files.follow(captureId, id, path, files.path(id), {
        keepSensitive,
        announced: size,
      });
    } catch (error) {
      if (error instanceof ProblemError) return null;
      throw error;
    }
  }

  /** The upload, with its resulting files: a complete one is taken in first. @throws errors of `finish` */
  async read(captureId: string, id: string): Promise<UploadInParts> {
    const { captures, files } = this.#parts;
    const note = await this.expect(captureId, id);
    const isComplete = note.fileIds !== undefined || (await files.received(id)).bytes === note.size;
    if (!isComplete) return this.#asShown(note, null);
    const ids = await this.finish(id);
    const record = await captures.records.get(captureId);
    const became = record.files.filter((file) => ids.includes(file.id));
    return this.#asShown(note, became);
  }

  /**
   * Takes a complete upload into its capture; a second call has no further effect.
   * @returns ids of its files
   * @throws ProblemError of `CaptureFiles.takeIn`; where trying again is useless, the upload is deleted then
   */
  async finish(id: string): Promise<readonly string[]> {
    const under = this.#finishing.get(id);
    if (under !== undefined) return under;
    const finishing = this.#finish(id).finally(() => this.#finishing.delete(id));
    this.#finishing.set(id, finishing);
    return finishing;
  }

  async #finish(id: string): Promise<readonly string[]> {
    const note = await this.#parts.files.note(id);
    if (note === null) throw thrownAway();
    if (note.fileIds !== undefined) return note.fileIds;
    if (!this.#parts.files.isShared) return this.#takeIn(note);
    const { others } = this.#parts.captures.records;
    let ids: readonly string[] = [];
    // One server at a time: a refusal of the second would delete the file of the first.
    const isDone = await others.alone(`upload ${id}`, async () => {
      const now = await this.#parts.files.note(id);
      if (now === null) throw thrownAway();
      ids = now.fileIds ?? (await this.#takeIn(now));
    });
    if (isDone) return ids;
    await pause(LOOK_MS);
    return this.#finish(id);
  }

  async #takeIn(note: UploadNote): Promise<readonly string[]> {
    const { captures, files } = this.#parts;
    let became: readonly CaptureFile[];
    const followed = this.#followed.take(note.id);
    try {
      const path = await files.whole(note);
      became = await captures.files.takeIn(note.captureId, note.id, note.path, path, { ...note, followed });
    } catch (error) {
      // Another server may have taken it in meanwhile.
      const ids = files.isShared ? (await files.note(note.id))?.fileIds : undefined;
      if (ids !== undefined) return ids;
      if (error instanceof ProblemError && !PASSING.has(error.problem.code)) await this.remove(note.id);
      throw error;
    } finally {
      await followed?.cancel();
    }
    const ids = became.map((file) => file.id);
    await this.#setFinished(note, ids);
    return ids;
  }

  /** The note stays as long as it would have: an answer that was lost can be asked for again. */
  async #setFinished(note: UploadNote, fileIds: readonly string[]): Promise<void> {
    const finished = { ...note, fileIds: [...fileIds] };
    // A full disk must not make finished work fail; the next start finds it finished.
    await this.#parts.files.save(finished).catch((error: unknown) => {
      this.#parts.log.warn({ err: error }, "the end of an upload could not be noted");
    });
    await this.#parts.files.removeBytes(note.id);
  }

  async remove(id: string): Promise<void> {
    await this.#followed.abandon(id);
    await this.#parts.files.remove(id);
  }

  /** Waits for files that are being taken in; for shutdown. */
  async close(): Promise<void> {
    await this.#followed.close();
    await Promise.allSettled(this.#finishing.values());
  }

  async #unfinished(): Promise<UploadNote[]> {
    return (await this.#parts.files.notes()).filter(({ fileIds }) => fileIds === undefined);
  }

  async #asShown(note: UploadNote, became: CaptureFile[] | null): Promise<UploadInParts> {
    const { bytes, at } = await this.#parts.files.received(note.id);
    const { id, captureId, name, path, size, head, begun } = note;
    const read = became === null ? this.#followed.soFar(id) : null;
    return {
      id,
      captureId,
      name,
      path,
      size,
      received: became === null ? bytes : size,
      head,
      begun,
      lastReceived: new Date(at).toISOString(),
      expires: new Date(await this.#expires(id)).toISOString(),
      files: became,
      ...(read === null ? {} : { read }),
    };
  }
}

const thrownAway = (): ProblemError => problem("upload-not-found", "The upload was discarded.");

/** Whether a key of a capture's blobs, or a file's id, belongs to an upload: its own id, or a file of its zip. */
function isOfUpload(id: string, key: string): boolean {
  return key === id || key.startsWith(`${id}-`);
}
