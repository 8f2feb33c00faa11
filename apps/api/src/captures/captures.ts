import type { Logger } from "pino";
import type { Capture } from "@aglens/contract";
import type { Clock } from "../clock.ts";
import { newId } from "../identity.ts";
import type { Blobs } from "../store/blobs.ts";
import type { Catalogue, CaptureRecord } from "../store/catalogue.ts";
import { Analyses } from "./analyses.ts";
import { CaptureFiles } from "./capture-files.ts";
import { Intake } from "./intake.ts";
import type { IntakeLimits } from "./intake.ts";
import type { Analyser } from "./job.ts";
import { Records } from "./records.ts";

const DAY_MS = 24 * 3600 * 1000;

export interface CaptureLimits extends IntakeLimits {
  /** Days until a capture is deleted; null keeps it. */
  readonly keepDays: number | null;
}

/** Life of a capture, from its making to its end; its files and its analysis have rooms of their own. */
export class Captures {
  readonly records: Records;
  readonly analyses: Analyses;
  readonly files: CaptureFiles;
  readonly #catalogue: Catalogue;
  readonly #blobs: Blobs;
  readonly #clock: Clock;
  readonly #keepDays: number | null;

  constructor(
    catalogue: Catalogue,
    blobs: Blobs,
    analyser: Analyser,
    clock: Clock,
    limits: CaptureLimits,
    log: Logger,
  ) {
    this.#clock = clock;
    this.#catalogue = catalogue;
    this.#blobs = blobs;
    this.#keepDays = limits.keepDays;
    this.records = new Records(catalogue);
    this.analyses = new Analyses(this.records, blobs, analyser, log);
    const intake = new Intake(blobs, analyser, limits, log);
    this.files = new CaptureFiles(this.records, this.analyses, blobs, intake, limits.maxFiles);
  }

  /** Cleans what an earlier process left behind: blobs without a record, captures whose time is over, analyses cut off. */
  async recover(): Promise<void> {
    const recorded = new Set(this.records.all().map((capture) => capture.id));
    for (const id of await this.#blobs.captures()) {
      if (!recorded.has(id)) await this.#blobs.removeCapture(id);
    }
    await this.expire();
    await this.analyses.recover();
  }

  /** Deletes captures and links whose time is over. */
  async expire(): Promise<void> {
    const now = new Date(this.#clock.now()).toISOString();
    this.#catalogue.deleteExpiredLinks(now);
    for (const id of this.records.expired(now)) await this.remove(id);
  }

  create(name: string): Capture {
    const now = this.#clock.now();
    const record: CaptureRecord = {
      id: newId(),
      name,
      created: new Date(now).toISOString(),
      expires: this.#keepDays === null ? null : new Date(now + this.#keepDays * DAY_MS).toISOString(),
      state: "receiving",
      files: [],
      problem: null,
      verdict: null,
      severity: null,
      place: null,
    };
    this.records.add(record);
    return this.analyses.asCapture(record);
  }

  /** Newest first. */
  list(): Capture[] {
    return this.records.all().map((record) => this.analyses.asCapture(record));
  }

  /** @throws ProblemError `capture-not-found` */
  get(id: string): Capture {
    return this.analyses.asCapture(this.records.get(id));
  }

  /** @throws ProblemError `capture-not-found` */
  rename(id: string, name: string): Capture {
    return this.analyses.asCapture(this.records.change(id, (record) => ({ ...record, name })));
  }

  /** A capture stays at least as long as a link to it. `expires` null keeps it for good. */
  keepUntil(id: string, expires: string | null): void {
    this.records.change(id, (record) => {
      if (record.expires === null || (expires !== null && expires <= record.expires)) return record;
      return { ...record, expires };
    });
  }

  /** @throws ProblemError `capture-not-found` */
  async remove(id: string): Promise<void> {
    this.records.get(id);
    await this.analyses.end(id);
    // The record goes first: blobs without a record are swept at the next start, a record without blobs would be a lie.
    this.records.remove(id);
    await this.#blobs.removeCapture(id);
  }

  /** Ends every running analysis; for shutdown. */
  async close(): Promise<void> {
    await this.analyses.close();
  }
}
