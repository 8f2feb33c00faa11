/** The catalogue's records of captures: found or refused with a sentence, changed, and what follows from a change. */
import type { CaptureFile, CaptureList } from "@aglens/contract";
import type { z } from "zod";
import { problem } from "../problems.ts";
import type { Catalogue, CaptureRecord } from "../store/catalogue.ts";

export class Records {
  readonly #catalogue: Catalogue;
  readonly #outdatedListeners = new Set<(id: string) => void>();

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /** Newest first. */
  all(): CaptureRecord[] {
    return this.#catalogue.captures();
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

  has(id: string): boolean {
    return this.#catalogue.capture(id) !== null;
  }

  /** @throws ProblemError `capture-not-found` */
  get(id: string): CaptureRecord {
    const record = this.#catalogue.capture(id);
    if (record) return record;
    throw problem("capture-not-found", "There is no such capture. It may have expired or been deleted.");
  }

  /** @throws ProblemError `capture-not-found` or `file-not-found` */
  file(id: string, fileId: string): CaptureFile {
    const file = this.get(id).files.find((candidate) => candidate.id === fileId);
    if (file) return file;
    throw problem("file-not-found", "The capture has no such file.");
  }

  add(record: CaptureRecord): void {
    this.#catalogue.saveCapture(record);
  }

  /** @throws ProblemError `capture-not-found` */
  change(id: string, change: (record: CaptureRecord) => CaptureRecord): CaptureRecord {
    const record = change(this.get(id));
    this.#catalogue.saveCapture(record);
    return record;
  }

  /** Changes what results rest on: they are gone, and whoever holds some is called. @throws ProblemError `capture-not-found` */
  changeAndOutdate(id: string, change: (record: CaptureRecord) => CaptureRecord): CaptureRecord {
    const record = this.change(id, (before) => change(withoutResults(before)));
    this.#callOutdated(id);
    return record;
  }

  /** Deletes the capture's links too. */
  remove(id: string): void {
    this.#catalogue.deleteCapture(id);
    this.#callOutdated(id);
  }

  /** Ids of captures whose time is over. @param now UTC, ISO 8601 */
  expired(now: string): string[] {
    return this.#catalogue.expiredCaptures(now);
  }

  /** Called with a capture's id when what was computed from it is no longer true. */
  onOutdated(listener: (id: string) => void): void {
    this.#outdatedListeners.add(listener);
  }

  #callOutdated(id: string): void {
    for (const listener of this.#outdatedListeners) listener(id);
  }
}

/** The record without the results of an analysis, which fit its files no longer. */
export function withoutResults(record: CaptureRecord): CaptureRecord {
  return { ...record, state: "receiving", problem: null, verdict: null, severity: null, place: null };
}
