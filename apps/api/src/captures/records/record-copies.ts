/** A copy of each capture's record next to its files, from which the catalog can be rebuilt. */
import type { Logger } from "pino";
import { Capture, FailoverCause, Note } from "@aglens/contract";
import { z } from "zod";
import { RecordedMarks } from "../kept/recorded-marks.ts";
import type { Blobs } from "../../store/blobs.ts";
import { hasEnded } from "../../store/capture-state.ts";
import type { CaptureRecord } from "../../store/catalog.ts";
import { captureOf, storedOf } from "../../store/stored-record.ts";
import type { StoredCapture } from "../../store/stored-record.ts";
import { RECORD_COPY_FILE } from "../kept/record-copy-file.ts";
import type { Records } from "./records.ts";

const FORMAT = 1;

const RecordCopy = z.object({
  format: z.literal(FORMAT),
  record: Capture.omit({ progress: true, groups: true, unused: true }).extend({
    isUnnamed: z.boolean().optional(),
    isOne: z.boolean().optional(),
    marks: RecordedMarks.optional(),
    failover: FailoverCause.shape.kind.optional(),
    notes: z.array(Note.extend({ deleted: z.string().optional() })).optional(),
    analyseAgain: z.boolean().optional(),
    cutOff: z.number().optional(),
    deleted: z.string().optional(),
    stored: z
      .object({
        format: z.number(),
        files: z.record(z.string(), z.object({ bytes: z.number(), sha256: z.string() })),
      })
      .optional(),
  }),
});

/** The record in a copy; null when it cannot be read. */
export function recordInCopy(text: string): CaptureRecord | null {
  try {
    const copy = RecordCopy.safeParse(JSON.parse(text));
    return copy.success ? captureOf(copy.data.record as StoredCapture) : null;
  } catch {
    return null;
  }
}

/** Writes copies one after the other, after the changes: of several changes of a capture only the last one counts. */
export class RecordCopies {
  readonly #records: Records;
  readonly #blobs: Blobs;
  readonly #log: Logger;
  readonly #waiting = new Set<string>();
  #writing: Promise<void> | null = null;

  constructor(records: Records, blobs: Blobs, log: Logger) {
    this.#records = records;
    this.#blobs = blobs;
    this.#log = log;
    records.onSaved((id, isOwn) => {
      if (isOwn) this.write(id);
    });
  }

  /** Soon; a copy that cannot be written is written at the capture's next change, or at the next start. */
  write(id: string): void {
    this.#waiting.add(id);
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null;
    });
  }

  /** Resolves when all are written. */
  async settle(): Promise<void> {
    await this.#writing;
  }

  async #write(id: string): Promise<void> {
    const record = await this.#withFiles(id);
    if (record === null) return;
    await this.#blobs.writeInThread(
      id,
      RECORD_COPY_FILE,
      JSON.stringify({ format: FORMAT, record: storedOf(record) }),
    );
    // In a bucket, the copy may have been written after the deletion of all other files.
    if ((await this.#withFiles(id)) === null) await this.#blobs.remove(id, RECORD_COPY_FILE);
  }

  /** Null where the capture, or all but its figures, is deleted. */
  async #withFiles(id: string): Promise<CaptureRecord | null> {
    const record = await this.#records.stored(id);
    return record === null || hasEnded(record) ? null : record;
  }

  async #writeAll(): Promise<void> {
    // Several changes at once are one copy.
    await Promise.resolve();
    for (const id of this.#waiting) {
      this.#waiting.delete(id);
      try {
        await this.#write(id);
      } catch (error) {
        this.#log.warn({ err: error }, "can't write the copy of a capture's record next to its files");
      }
    }
  }
}
