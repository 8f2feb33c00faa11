/** Captures whose files an earlier version read wrongly (`isMisread`): their results are discarded, and the files read again. */
import type { Logger } from "pino";
import type { CaptureFile, Problem } from "@aglens/contract";
import {
  isMisread,
  isMisreadAndOverwritten,
  lacksFiles,
  overwritten,
  unreadable,
  withRecognized,
} from "@aglens/engine/files";
import { problem, problemDocument } from "@aglens/engine/problems";
import { type Blobs, withBlobs } from "../../store/blobs.ts";
import { analyseAgain, discardResults, failAnalysis, isReady } from "../../store/capture-state.ts";
import type { CaptureRecord } from "../../store/catalog.ts";
import type { Analyzer } from "../analysis/analyzer.ts";
import { CancelledError } from "../jobs/job.ts";
import type { Job } from "../jobs/job.ts";
import type { ReceivedFile } from "../reading/received-file.ts";
import { withFiles } from "../records/known-names.ts";
import type { Records } from "../records/records.ts";
import type { Work } from "../work/work.ts";

export class MisreadFiles {
  readonly #records: Records;
  readonly #work: Pick<Work, "holdIfFree">;
  readonly #blobs: Blobs;
  readonly #analyzer: Pick<Analyzer, "recognise">;
  readonly #log: Logger;
  readonly #jobs = new Set<Job<ReceivedFile>>();
  #reading: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(
    records: Records,
    work: Pick<Work, "holdIfFree">,
    blobs: Blobs,
    analyzer: Pick<Analyzer, "recognise">,
    log: Logger,
  ) {
    this.#records = records;
    this.#work = work;
    this.#blobs = blobs;
    this.#analyzer = analyzer;
    this.#log = log;
  }

  /**
   * Discards results of misread files. The record alone shows them, so that a start reads no file: a capture that was analyzed is
   * to be analyzed again, and one whose files were overwritten has failed with the reason.
   * @returns the record as it is then
   */
  async discardResults(record: CaptureRecord): Promise<CaptureRecord> {
    if (!record.files.some(isMisread)) return record;
    const changed = await this.#records.change(record.id, withoutMisreadResults);
    this.#records.callOutdated(record.id);
    return changed;
  }

  /**
   * Reads the misread files of a capture again, in their stored form, and stores the results.
   * @throws ProblemError `wrong-state` where the server ends meanwhile; errors of fetching the files
   */
  async readAgain(id: string): Promise<void> {
    const record = await this.#records.stored(id);
    const misread = record?.files.filter(isToRead) ?? [];
    if (misread.length === 0) return;
    const read = new Map<string, CaptureFile>();
    for (const file of misread) read.set(file.id, await this.#read(id, file));
    await this.#records.change(id, (before) => {
      const files = before.files.map((file) => (isToRead(file) && read.get(file.id)) || file);
      return withFiles(before, files);
    });
    this.#log.info({ files: read.size }, "files that an earlier version misread were read again");
  }

  /** Reads the misread files of a capture again in the background, one capture after the other. */
  readLater(id: string): void {
    this.#reading = this.#reading
      .then(async () => {
        if (!this.#isClosed) await this.#work.holdIfFree(id, () => this.readAgain(id));
      })
      .catch((error: unknown) => {
        if (!this.#isClosed) this.#log.error({ err: error }, "misread files could not be read again");
      });
  }

  /** Ends the readings; the next start begins them again. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#jobs].map((job) => job.cancel()));
    await this.#reading;
  }

  async #read(captureId: string, file: CaptureFile): Promise<CaptureFile> {
    if (this.#isClosed) throw ending();
    const { id, name, size, sha256, keptSha256 } = file;
    const checksum = keptSha256 === undefined ? undefined : { bytes: size, sha256: keptSha256 };
    return withBlobs(this.#blobs, captureId, { [id]: checksum }, async () => {
      const path = this.#blobs.path(captureId, id);
      const job = this.#analyzer.recognise({ path, name, sha256, keepSensitive: true }, captureId, size);
      this.#jobs.add(job);
      try {
        return withRecognized(file, await job.done);
      } catch (error) {
        if (error instanceof CancelledError) throw ending();
        this.#log.error({ err: error }, "a misread file could not be read again");
        const message = `Can't read ${name} again: the decoder stopped unexpectedly. The analysis skips the file. Upload it again.`;
        return withRecognized(file, unreadable(message));
      } finally {
        this.#jobs.delete(job);
      }
    });
  }
}

/** Whether a file is misread and here. */
export const isToRead = (file: CaptureFile): boolean => isMisread(file) && file.isMissing !== true;

function withoutMisreadResults(record: CaptureRecord): CaptureRecord {
  if (!record.files.some(isMisread)) return record;
  if (record.files.some(isMisreadAndOverwritten)) {
    const files = record.files.map((file) =>
      isMisreadAndOverwritten(file) ? withRecognized(file, overwritten(file.name)) : file,
    );
    return failAnalysis(discardResults(withFiles(record, files)), OVERWRITTEN);
  }
  if (lacksFiles(record)) return failAnalysis(discardResults(record), MISREAD_WITHOUT_FILES);
  if (isReady(record)) return analyseAgain(record);
  // An analysis that ended with the process may have been the reason: the capture then shows that, as always.
  return record.analysis.is === "failed" ? discardResults(record) : record;
}

const OVERWRITTEN: Problem = problemDocument(
  "files-overwritten",
  "An earlier version of AG Lens overwrote replica and database ids in these files. Upload the files again.",
);

const MISREAD_WITHOUT_FILES: Problem = problemDocument(
  "files-misread",
  "An earlier version of AG Lens read replica and database ids in these files wrongly, and the files aren't here. Upload the files as a new capture.",
);

const ending = (): Error =>
  problem("wrong-state", "AG Lens is being stopped. Start the analysis again when it runs.");
