/** The catalogue's records of captures: found or refused with a sentence, changed, and what follows from a change. */
import type { CaptureFile, CaptureList } from "@aglens/contract";
import type { z } from "zod";
import { problem } from "@aglens/engine/problems";
import type { Catalogue, CaptureRecord } from "../store/catalogue.ts";

const DAY_MS = 24 * 3600 * 1000;
/** Captures are in the trash so long. */
const TRASH_DAYS = 7;

/** Until when a capture can be restored, UTC, ISO 8601. @param deleted when it was moved to the trash */
export function restorableUntil(deleted: string): string {
  return new Date(Date.parse(deleted) + TRASH_DAYS * DAY_MS).toISOString();
}

export class Records {
  readonly #catalogue: Catalogue;
  readonly #outdatedListeners = new Set<(id: string) => void>();
  readonly #savedListeners = new Set<(id: string) => void>();

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /** Newest first, without those in the trash. */
  all(): CaptureRecord[] {
    return this.#catalogue.captures().filter(({ deleted }) => deleted === undefined);
  }

  /** Of all captures, also in the trash. */
  ids(): string[] {
    return this.#catalogue.ids();
  }

  /** Those in the trash, the one that was deleted first is first. */
  deleted(): CaptureRecord[] {
    return this.#catalogue.deletedCaptures();
  }

  /** The record as it is stored, also of a capture in the trash; null when there is none. */
  stored(id: string): CaptureRecord | null {
    return this.#catalogue.capture(id);
  }

  /**
   * A page of captures, newest first.
   * @param fewestFiles 1 leaves out captures without files
   * @param after `next` of the page before
   * @param seenBy id of a person: only what is theirs or shared
   */
  page(limit: number, fewestFiles: 0 | 1, after?: string, seenBy?: string): z.infer<typeof CaptureList> {
    const [, created = "", id = ""] = /^(.*) (.*)$/u.exec(after ?? "") ?? [];
    // One more than the page shows whether there is a next one.
    const found = this.#catalogue.briefs(
      limit + 1,
      fewestFiles,
      after === undefined ? undefined : { created, id },
      seenBy,
    );
    const captures = found.slice(0, limit);
    const last = found.length > limit ? captures.at(-1) : undefined;
    return {
      captures,
      total: this.#catalogue.count(fewestFiles, seenBy),
      next: last === undefined ? null : `${last.created} ${last.id}`,
    };
  }

  /** @throws ProblemError `capture-not-found`, also for a capture in the trash */
  get(id: string): CaptureRecord {
    const record = this.#catalogue.capture(id);
    if (record?.deleted !== undefined) {
      throw problem(
        "capture-not-found",
        `The capture was deleted. It is in the trash until ${restorableUntil(record.deleted)} and can be restored from there.`,
      );
    }
    if (record) return record;
    throw problem("capture-not-found", "There is no such capture. It may have expired or been deleted.");
  }

  /** @throws ProblemError `capture-not-found` or `file-not-found` */
  file(id: string, fileId: string): CaptureFile {
    const file = this.get(id).files.find((candidate) => candidate.id === fileId);
    if (file) return file;
    throw problem("file-not-found", "The capture has no such file.");
  }

  /** Stores a record, whatever there was before. */
  add(record: CaptureRecord): void {
    this.#catalogue.saveCapture(record);
    this.#callSaved(record.id);
  }

  /** @throws ProblemError `capture-not-found` */
  change(id: string, change: (record: CaptureRecord) => CaptureRecord): CaptureRecord {
    const record = change(this.get(id));
    this.add(record);
    return record;
  }

  /** Changes what results rest on: they are gone, and whoever holds some is called. @throws ProblemError `capture-not-found` */
  changeAndOutdate(id: string, change: (record: CaptureRecord) => CaptureRecord): CaptureRecord {
    const record = this.change(id, (before) => change(withoutResults(before)));
    this.callOutdated(id);
    return record;
  }

  /** Deletes the capture's links too. */
  remove(id: string): void {
    this.#catalogue.deleteCapture(id);
    this.callOutdated(id);
  }

  /** Ids of captures whose time is over. @param now UTC, ISO 8601 */
  expired(now: string): string[] {
    return this.#catalogue.expiredCaptures(now);
  }

  /** Called with a capture's id when what was computed from it is no longer true. */
  onOutdated(listener: (id: string) => void): void {
    this.#outdatedListeners.add(listener);
  }

  /** Called with a capture's id when its record was stored. */
  onSaved(listener: (id: string) => void): void {
    this.#savedListeners.add(listener);
  }

  #callSaved(id: string): void {
    for (const listener of this.#savedListeners) listener(id);
  }

  /** To be called when results are gone that `change` did not take away. */
  callOutdated(id: string): void {
    for (const listener of this.#outdatedListeners) listener(id);
  }
}

/** The record without the results of an analysis, which fit its files no longer. */
export function withoutResults(record: CaptureRecord): CaptureRecord {
  const { stored: _stored, analyseAgain: _again, digest: _digest, ...rest } = record;
  return { ...rest, state: "receiving", problem: null, verdict: null, severity: null, place: null };
}
