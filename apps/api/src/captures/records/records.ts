/**
 * The catalog's records of captures: finds or refuses them with a sentence, changes them, and calls the listeners of a
 * change.
 */
import type { CaptureFile, CaptureList } from "@aglens/contract";
import type { z } from "zod";
import { problem } from "@aglens/engine/problems";
import { hasEnded, isInTrash, isListed } from "../../store/capture-state.ts";
import type { Ended, InTrash } from "../../store/capture-state.ts";
import type { Catalog, CaptureRecord, ListedCaptures, RecordChange } from "../../store/catalog.ts";
import { NO_OTHERS } from "../../store/other-servers.ts";
import type { OtherServers } from "../../store/other-servers.ts";

const DAY_MS = 24 * 3600 * 1000;
/** Captures are in the trash so long. */
const TRASH_DAYS = 7;

/** End of the days in the trash, UTC, ISO 8601. @param since when the capture was moved to the trash */
export function restorableUntil(since: string): string {
  return new Date(Date.parse(since) + TRASH_DAYS * DAY_MS).toISOString();
}

/** @param isOwn whether this server made the change */
type ChangeListener = (id: string, isOwn: boolean) => void;

type StoreChange = Catalog["changeCapture"];

export class Records {
  readonly #catalogue: Catalog;
  readonly others: OtherServers;
  readonly #outdatedListeners = new Set<ChangeListener>();
  readonly #savedListeners = new Set<ChangeListener>();

  constructor(catalogue: Catalog, others: OtherServers = NO_OTHERS) {
    this.#catalogue = catalogue;
    this.others = others;
    others.onChanged((id, isOutdated) => {
      this.#callSaved(id, false);
      if (isOutdated) this.callOutdated(id, false);
    });
  }

  /** Newest first, without those in the trash. */
  async all(): Promise<CaptureRecord[]> {
    return (await this.#catalogue.captures()).filter(isListed);
  }

  /** Ids of all captures, also in the trash. */
  ids(): Promise<string[]> {
    return this.#catalogue.ids();
  }

  /** Captures in the trash, the one that was deleted first is first. */
  async deleted(): Promise<(CaptureRecord & InTrash)[]> {
    return (await this.#catalogue.deletedCaptures()).filter(isInTrash);
  }

  /** Expired captures with only their figures. */
  async ended(): Promise<(CaptureRecord & Ended)[]> {
    return (await this.#catalogue.deletedCaptures()).filter(hasEnded);
  }

  /** The stored record, also of a capture in the trash; null when it does not exist. */
  stored(id: string): Promise<CaptureRecord | null> {
    return this.#catalogue.capture(id);
  }

  /**
   * A page of captures, newest first.
   * @param after `next` of the page before
   */
  async page(limit: number, listed: ListedCaptures, after?: string): Promise<z.infer<typeof CaptureList>> {
    const [, created = "", id = ""] = /^(.*) (.*)$/u.exec(after ?? "") ?? [];
    // One more than the page, to find out whether there is a next one.
    const place = after === undefined ? undefined : { created, id };
    const found = await this.#catalogue.briefs(limit + 1, listed, place);
    const captures = found.slice(0, limit);
    const last = found.length > limit ? captures.at(-1) : undefined;
    return {
      captures,
      total: await this.#catalogue.count(listed),
      next: last === undefined ? null : `${last.created} ${last.id}`,
    };
  }

  /** @throws ProblemError `capture-not-found`, also for a capture in the trash */
  async get(id: string): Promise<CaptureRecord> {
    return expectPresent(await this.#catalogue.capture(id));
  }

  /** @throws ProblemError `capture-not-found` or `file-not-found` */
  async file(id: string, fileId: string): Promise<CaptureFile> {
    return fileIn(await this.get(id), fileId);
  }

  /** Adds a record, unless there is one with its id. @returns whether it was added */
  async add(record: CaptureRecord): Promise<boolean> {
    const isAdded = await this.#catalogue.addCapture(record);
    if (isAdded) this.#callSaved(record.id);
    return isAdded;
  }

  /**
   * Changes the current record; an error in the change leaves it as it is (`Catalog`). A caller that depends on other
   * facts checks them in the change, because they may differ by then.
   * @param store stores it, with other data that belongs to it
   * @throws ProblemError `capture-not-found`; errors of the change
   */
  async change(id: string, change: RecordChange, store?: StoreChange): Promise<CaptureRecord> {
    const changed = await this.changeStored(id, (record, work) => change(expectPresent(record), work), store);
    return changed ?? expectPresent(null);
  }

  /** As `change`, also of a capture in the trash. @returns null when the record does not exist */
  async changeStored(
    id: string,
    change: RecordChange,
    store: StoreChange = (...changed) => this.#catalogue.changeCapture(...changed),
  ): Promise<CaptureRecord | null> {
    const record = await store(id, change);
    if (record !== null) this.#callSaved(id);
    return record;
  }

  /** Ends a plan (`Catalog.endPlan`). @param store as `change` has it */
  async endPlan(
    id: string,
    added: readonly CaptureRecord[],
    change: RecordChange,
    store: Catalog["endPlan"],
  ): Promise<void> {
    await store(id, added, change);
    for (const record of added) this.#callSaved(record.id);
    this.#callSaved(id);
    this.callOutdated(id);
  }

  /**
   * Makes a change that discards results, and calls the listeners that use them. @throws ProblemError
   * `capture-not-found`
   */
  async changeAndOutdate(id: string, change: RecordChange, store?: StoreChange): Promise<CaptureRecord> {
    const record = await this.change(id, change, store);
    this.callOutdated(id);
    return record;
  }

  /** Deletes the capture's links too. @param store as `change` has it */
  async remove(
    id: string,
    store: Catalog["deleteCapture"] = (capture) => this.#catalogue.deleteCapture(capture),
  ): Promise<void> {
    await store(id);
    this.callOutdated(id);
  }

  /** Ids of expired captures. @param now UTC, ISO 8601 */
  expired(now: string): Promise<string[]> {
    return this.#catalogue.expiredCaptures(now);
  }

  /**
   * Called with a capture's id when results computed from it are no longer true. A change by another server may be read
   * before its message arrives: results computed after that read are still true.
   */
  onOutdated(listener: ChangeListener): void {
    this.#outdatedListeners.add(listener);
  }

  /** Called with a capture's id when its record was stored, here or by another server. */
  onSaved(listener: ChangeListener): void {
    this.#savedListeners.add(listener);
  }

  #callSaved(id: string, isOwn = true): void {
    for (const listener of this.#savedListeners) listener(id, isOwn);
  }

  /**
   * To be called when results are gone that `change` did not discard. @param isOwn whether this server discarded them
   */
  callOutdated(id: string, isOwn = true): void {
    for (const listener of this.#outdatedListeners) listener(id, isOwn);
  }
}

/** @throws ProblemError `capture-not-found`, also for a capture in the trash */
function expectPresent(record: CaptureRecord | null): CaptureRecord {
  if (record === null)
    throw problem("capture-not-found", "There is no such capture. It may have expired or been deleted.");
  const { life } = record;
  if (life.is === "listed") return record;
  if (life.is === "ended") {
    throw problem(
      "capture-not-found",
      "The time of this capture is over: its files and tables were deleted. The fleet page has its figures.",
    );
  }
  throw problem(
    "capture-not-found",
    `The capture was deleted. It is in the trash until ${restorableUntil(life.since)} and can be restored from there.`,
  );
}

/** @throws ProblemError `file-not-found` */
export function fileIn({ files }: CaptureRecord, fileId: string): CaptureFile {
  const file = files.find((candidate) => candidate.id === fileId);
  if (file) return file;
  throw problem("file-not-found", "The capture has no such file.");
}
