/**
 * The tables of all captures as Parquet files, for SQL, for figures over captures and for other engines
 * (docs/reference/tables.md). They are written after each analysis, from its files, and can always be written again.
 */
import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { Logger } from "pino";
import type { CaptureFile } from "@aglens/contract";
import type { TableAtRest } from "@aglens/ag-model/tables";
import { SUMMARY_FILE } from "@aglens/engine/analysis";
import { evidenceSources } from "@aglens/engine/answers";
import { evidenceIn } from "@aglens/engine/files";
import { groupOf } from "../captures/kept/group-name.ts";
import { CancelledError, type Job } from "../captures/jobs/job.ts";
import { originsOf, validityOf } from "../captures/derived/validity.ts";
import type { Records } from "../captures/records/records.ts";
import { isDamage } from "../captures/kept/valid-sources.ts";
import { wantedBlobs } from "../captures/kept/wanted-files.ts";
import { pause, type Clock } from "../kernel/clock.ts";
import { isListed, storedIn } from "../store/capture-state.ts";
import { type Blobs, withBlobs } from "../store/blobs.ts";
import type { StoredAnalysis } from "../store/capture-state.ts";
import type { CaptureRecord } from "../store/catalog.ts";
import type { TablesResult, TablesToWrite } from "./capture-tables.ts";
import { pathOf, type DatasetStore, type KeptTables } from "./dataset-folder.ts";

/** Time between two checks whether the server is quiet, while earlier captures wait. */
const QUIET_MS = 5_000;

/** Group of a capture without any facts about its group. */
const NO_GROUP = "unknown";

interface DatasetParts {
  /** Without it, no tables are kept, and present ones are removed: with several servers on one bucket, for all. */
  readonly isOn: boolean;
  readonly store: DatasetStore;
  readonly records: Records;
  readonly blobs: Pick<Blobs, "path" | "fetch" | "expectRoom">;
  /** Writes the tables of one capture, away from this thread. */
  readonly write: (request: TablesToWrite) => Job<TablesResult>;
  /** Repairs a capture whose stored analysis has changed on the disk. */
  readonly heal: (id: string, stored: StoredAnalysis | undefined, damage: Error) => Promise<void>;
  /** Whether nothing is analyzed: earlier captures wait for that. */
  readonly isQuiet: () => boolean;
  readonly clock: Clock;
  readonly log: Logger;
}

export class Dataset {
  readonly #parts: DatasetParts;
  readonly #kept = new Map<string, KeptTables>();
  /** Captures whose tables may be outdated: just analyzed or deleted, or asked for; then earlier ones. */
  readonly #changed = new Set<string>();
  readonly #ofBefore = new Set<string>();
  readonly #awaited = new Map<string, PromiseWithResolvers<boolean>>();
  #isClosed = false;
  /** Ends the wait for a quiet time. */
  #wake: () => void = () => {};
  #job: Job<TablesResult> | null = null;
  #working: Promise<void> | null = null;

  constructor(parts: DatasetParts) {
    this.#parts = parts;
  }

  /**
   * Reads tables of an earlier process, and from now on keeps the tables in step with the captures. To be called once.
   */
  async open(): Promise<void> {
    const { isOn, records, store, log } = this.#parts;
    if (!isOn) {
      this.#working = store
        .removeAll()
        .catch((error: unknown) => log.warn({ err: error }, "the tables of captures could not be removed"));
      return;
    }
    for (const tables of await store.readAll()) this.#kept.set(tables.capture, tables);
    await this.#lookAtAll();
    records.onSaved((id) => this.#settleSoon(id));
    records.onOutdated((id) => this.#settleSoon(id));
    records.others.onMissed(() => {
      this.#lookAtAll().catch((error: unknown) =>
        log.warn({ err: error }, "the captures of which other servers told could not be read"),
      );
    });
  }

  async #lookAtAll(): Promise<void> {
    for (const id of [...(await this.#parts.records.ids()), ...this.#kept.keys()]) this.#ofBefore.add(id);
    this.#work();
  }

  /** Paths of one table below the data set's folder, with `/`: of those of the captures that have it by now. */
  files(captures: Iterable<string>, table: TableAtRest): string[] {
    const file = `${table}.parquet`;
    return [...captures].flatMap((id) => {
      const kept = this.#kept.get(id);
      // Earlier captures do not have a new table until theirs are written again.
      return kept?.files[file] === undefined ? [] : [`${pathOf(kept)}/${file}`];
    });
  }

  /**
   * Writes a capture's tables next if they are missing. @returns false where they cannot be written, or the capture has
   * no tables
   */
  async whenWritten(id: string): Promise<boolean> {
    if (this.#isClosed || !this.#parts.isOn) return false;
    const awaited = this.#awaited.get(id) ?? Promise.withResolvers<boolean>();
    this.#awaited.set(id, awaited);
    this.#settleSoon(id);
    return awaited.promise;
  }

  /**
   * Path of one table of a capture, once it is written; null where it can't be written.
   * @throws ProblemError `capture-not-found`
   */
  async pathWhenWritten(id: string, table: TableAtRest): Promise<string | null> {
    await this.#parts.records.get(id);
    await this.whenWritten(id);
    const kept = this.#kept.get(id);
    return kept === undefined ? null : this.#parts.store.path(kept, `${table}.parquet`);
  }

  /** Called after tables could not be read: writes those again that are not complete any more. */
  async lookAgain(): Promise<void> {
    for (const kept of this.#kept.values()) {
      if (await this.#parts.store.isComplete(kept)) continue;
      // They may have been written again or removed meanwhile.
      if (this.#kept.get(kept.capture) !== kept) continue;
      this.#kept.delete(kept.capture);
      this.#settleSoon(kept.capture);
    }
  }

  /** Bytes of a capture's tables. */
  bytesOf(id: string): number {
    const files = Object.values(this.#kept.get(id)?.files ?? {});
    return files.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Captures whose tables are still to be written. */
  get waiting(): number {
    return this.#changed.size + this.#ofBefore.size;
  }

  /** Resolves when nothing is written any more; the next start finds the rest. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wake();
    await this.#job?.cancel();
    await this.#working;
    for (const { resolve } of this.#awaited.values()) resolve(false);
  }

  #settleSoon(id: string): void {
    this.#ofBefore.delete(id);
    this.#changed.add(id);
    this.#wake();
    this.#work();
  }

  #work(): void {
    if (this.#isClosed) return;
    this.#working ??= this.#settleAll().finally(() => {
      this.#working = null;
      if (this.waiting > 0) this.#work();
    });
  }

  async #settleAll(): Promise<void> {
    // Several changes of one capture at once count as one.
    await Promise.resolve();
    while (this.waiting > 0 && !this.#isClosed) {
      const id = this.#next();
      if (id === null) await this.#pause();
      else await this.#settle(id);
    }
  }

  async #pause(): Promise<void> {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    await pause(this.#parts.clock, QUIET_MS, woken.signal);
  }

  /** The capture that is settled next; null while only earlier captures wait and the server is busy. */
  #next(): string | null {
    const { value: changed } = this.#changed.values().next();
    if (changed !== undefined) {
      this.#changed.delete(changed);
      return changed;
    }
    const { value: before } = this.#ofBefore.values().next();
    if (before === undefined || !this.#parts.isQuiet()) return null;
    this.#ofBefore.delete(before);
    return before;
  }

  /** Updates a capture's tables; never rejects. */
  async #settle(id: string): Promise<void> {
    const isThere = await this.#settled(id).catch((error: unknown) => {
      if (!(error instanceof CancelledError))
        this.#parts.log.warn({ err: error }, "the tables of a capture could not be written as Parquet files");
      return false;
    });
    // It changed again meanwhile: callers that wait get the result of the next round.
    if (this.#changed.has(id) || this.#ofBefore.has(id)) return;
    this.#awaited.get(id)?.resolve(isThere);
    this.#awaited.delete(id);
  }

  async #settled(id: string): Promise<boolean> {
    const { store, records } = this.#parts;
    const wanted = wantedOf(await records.stored(id));
    const kept = this.#kept.get(id);
    if (wanted !== null && kept?.validity === wanted.validity) return true;
    if (kept !== undefined && (wanted === null || pathOf(kept) !== pathOf(wanted))) {
      this.#kept.delete(id);
      await store.remove(kept);
    }
    return wanted === null ? false : this.#writeAlone(wanted);
  }

  /** One server writes a capture's tables, and the others take them over. */
  async #writeAlone(wanted: WantedTables): Promise<boolean> {
    const { capture } = wanted;
    if (await this.#isFound(wanted)) return true;
    let isThere = false;
    const isDone = await this.#parts.records.others.alone(`tables of ${capture}`, async () => {
      isThere = (await this.#isFound(wanted)) || (await this.#write(wanted));
    });
    if (isDone) return isThere;
    await this.#pause();
    this.#ofBefore.add(capture);
    return false;
  }

  /** Takes over tables that another server has written. */
  async #isFound(wanted: WantedTables): Promise<boolean> {
    const found = await this.#parts.store.found(wanted);
    if (found !== null) this.#kept.set(found.capture, found);
    return found !== null;
  }

  async #write(wanted: WantedTables): Promise<boolean> {
    const { store, records, blobs, heal, log } = this.#parts;
    const { capture, stored } = wanted;
    await blobs.expectRoom();
    const to = store.aside();
    try {
      const blobsToRead = { ...stored.files, ...wantedBlobs(wanted.evidence) };
      const { files, failover, notShown } = await withBlobs(blobs, capture, blobsToRead, () =>
        this.#written(wanted, to),
      );
      if (notShown !== null)
        log.warn({ capture, notShown }, "the tables of a capture are without some of its files");
      const now = wantedOf(await records.stored(capture));
      // Analyzed again or deleted meanwhile: its change waits in line.
      if (now?.validity !== wanted.validity) return false;
      const { stored: _, evidence: _files, ...tables } = wanted;
      // Before the tables count as written: an error makes both again.
      await records.changeStored(capture, (record) => withFailover(record, failover));
      await store.keep(to, { ...tables, files });
      this.#kept.set(capture, { ...tables, files });
      return true;
    } catch (error) {
      if (isDamage(error)) await heal(capture, stored, error);
      throw error;
    } finally {
      await rm(to, { recursive: true, force: true });
    }
  }

  async #written({ capture, group, stored, evidence }: WantedTables, to: string): Promise<TablesResult> {
    if (this.#isClosed) throw new CancelledError("Closed.");
    const { blobs, write } = this.#parts;
    this.#job = write({
      from: dirname(blobs.path(capture, SUMMARY_FILE)),
      stored: stored.files,
      evidence: {
        sources: evidenceSources(evidence),
        paths: Object.fromEntries(evidence.map(({ id }) => [id, blobs.path(capture, id)])),
      },
      to,
      metadata: { capture_id: capture, group },
    });
    try {
      return await this.#job.done;
    } finally {
      this.#job = null;
    }
  }
}

/** The tables that a capture should have. */
interface WantedTables extends Omit<KeptTables, "files"> {
  readonly validity: string;
  readonly stored: StoredAnalysis;
  /** Files whose facts are in the tables. */
  readonly evidence: readonly CaptureFile[];
}

/** The record itself where it has this cause already: nothing is stored then. */
function withFailover(record: CaptureRecord, found: TablesResult["failover"]): CaptureRecord {
  const { failover = null, ...others } = record;
  if (failover === found) return record;
  return found === null ? others : { ...record, failover: found };
}

/** Null for a capture without tables, in the trash, or deleted. */
function wantedOf(record: CaptureRecord | null): WantedTables | null {
  if (record === null || !isListed(record)) return null;
  const stored = storedIn(record);
  const validity = validityOf("Parquet files", originsOf(record));
  if (stored === undefined || validity === null) return null;
  return {
    capture: record.id,
    group: groupOf(record.files) ?? NO_GROUP,
    validity,
    stored,
    evidence: evidenceIn(record.files),
  };
}
