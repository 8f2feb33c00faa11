import { EventEmitter } from "node:events";
import { readFile } from "node:fs/promises";
import type { Logger } from "pino";
import type { Capture, CaptureFile, FileCorrection, Problem, Progress } from "@aglens/contract";
import { problem, problemDocument } from "../problems.ts";
import type { Blobs } from "../store/blobs.ts";
import type { Catalogue, CaptureRecord } from "../store/catalogue.ts";
import { withReplicaLabel } from "./replica-label.ts";
import type { AnalysisRequest, AnalysisResult } from "./analyse.ts";
import { newId } from "../identity.ts";
import { expectFileName, Intake, tooManyFiles } from "./intake.ts";
import type { IntakeLimits } from "./intake.ts";
import { AnalysisError } from "./analysis-error.ts";
import type { Analyser, Job } from "./job.ts";
import { PREVIEW_FILE, SUMMARY_FILE } from "./model-files.ts";

const DAY_MS = 24 * 3600 * 1000;

export interface CaptureLimits extends IntakeLimits {
  readonly keepDays: number | null;
}

/** What happens to one capture while somebody watches. */
export type CaptureNews =
  | { readonly news: "progress"; readonly progress: Progress }
  | { readonly news: "ready"; readonly capture: Capture }
  | { readonly news: "failed"; readonly problem: Problem };

interface Running {
  readonly job: Job<unknown>;
  progress: Progress;
  preview: Uint8Array | null;
}

/** Life of a capture: receive, recognise, analyse, store, expire. Every method throws ProblemError for the caller to show. */
export class Captures {
  readonly #catalogue: Catalogue;
  readonly #blobs: Blobs;
  readonly #analyser: Analyser;
  readonly #intake: Intake;
  readonly #limits: CaptureLimits;
  readonly #log: Logger;
  readonly #running = new Map<string, Running>();
  readonly #watchers = new EventEmitter().setMaxListeners(0);
  readonly #forgotten = new Set<(id: string) => void>();

  constructor(catalogue: Catalogue, blobs: Blobs, analyser: Analyser, limits: CaptureLimits, log: Logger) {
    this.#catalogue = catalogue;
    this.#blobs = blobs;
    this.#analyser = analyser;
    this.#intake = new Intake(blobs, analyser, limits, log);
    this.#limits = limits;
    this.#log = log;
  }

  /** Cleans what an earlier process left behind: blobs without a row, analyses that never ended. */
  async recover(): Promise<void> {
    const known = new Set(this.#catalogue.captures().map((capture) => capture.id));
    for (const id of await this.#blobs.captures()) {
      if (!known.has(id)) await this.#blobs.removeCapture(id);
    }
    for (const capture of this.#catalogue.captures()) {
      // An analysis without a summary is of an earlier version: the files are there to be analysed again.
      const unknown =
        capture.state === "ready" && (await this.#blobs.size(capture.id, SUMMARY_FILE)) === null;
      if (capture.state === "analysing" || unknown) this.#catalogue.saveCapture(stale(capture));
    }
    await this.expire(new Date());
  }

  /** Deletes captures and links whose time is over. */
  async expire(now: Date): Promise<void> {
    this.#catalogue.deleteExpiredLinks(now.toISOString());
    for (const id of this.#catalogue.expiredCaptures(now.toISOString())) await this.remove(id);
  }

  /** Called with a capture's id when what was computed from it is no longer true. */
  onForgotten(listener: (id: string) => void): void {
    this.#forgotten.add(listener);
  }

  create(name: string): Capture {
    const now = new Date();
    const { keepDays } = this.#limits;
    const record: CaptureRecord = {
      id: newId(),
      name,
      created: now.toISOString(),
      expires: keepDays === null ? null : new Date(now.getTime() + keepDays * DAY_MS).toISOString(),
      state: "receiving",
      files: [],
      problem: null,
      verdict: null,
      severity: null,
      place: null,
    };
    this.#catalogue.saveCapture(record);
    return this.#shown(record);
  }

  list(): Capture[] {
    return this.#catalogue.captures().map((record) => this.#shown(record));
  }

  get(id: string): Capture {
    return this.#shown(this.#record(id));
  }

  rename(id: string, name: string): Capture {
    return this.#change(id, (record) => ({ ...record, name }));
  }

  /** A capture stays at least as long as a link to it. `expires` null keeps it for good. */
  keepUntil(id: string, expires: string | null): void {
    this.#change(id, (record) => {
      if (record.expires === null || (expires !== null && expires <= record.expires)) return record;
      return { ...record, expires };
    });
  }

  async remove(id: string): Promise<void> {
    this.#record(id);
    await this.#stop(id);
    // The row goes first: blobs without a row are swept at the next start, a row without blobs would be a lie.
    this.#catalogue.deleteCapture(id);
    this.#forget(id);
    await this.#blobs.removeCapture(id);
  }

  /**
   * Receives one file, or a zip of several, and recognises each.
   * @param text name as the client sent it
   * @param replaces id of a file whose place the new one takes, when it is one of the same kind
   */
  async receive(
    id: string,
    text: string,
    source: AsyncIterable<Uint8Array>,
    replaces?: string,
  ): Promise<CaptureFile[]> {
    const name = expectFileName(text);
    this.#expectNotAnalysing(id);
    if (replaces !== undefined) this.#file(id, replaces);
    const files = await this.#intake.receive(id, name, source);
    return replaces === undefined ? this.#addFiles(id, files) : this.#replaceFile(id, replaces, files);
  }

  /** Takes over a file that a live run wrote into the data directory, and recognises it. */
  async adopt(id: string, name: string, path: string): Promise<CaptureFile> {
    this.#expectNotAnalysing(id);
    const file = await this.#intake.adopt(id, name, path);
    const [added] = await this.#addFiles(id, [file]);
    return added;
  }

  correct(id: string, fileId: string, correction: FileCorrection): CaptureFile {
    this.#expectNotAnalysing(id);
    this.#file(id, fileId);
    const changed = this.#change(id, (record) => ({
      ...stale(record),
      files: record.files.map((file) => (file.id === fileId ? corrected(file, correction) : file)),
    }));
    this.#forget(id);
    return changed.files.find((file) => file.id === fileId) as CaptureFile;
  }

  async removeFile(id: string, fileId: string): Promise<void> {
    this.#expectNotAnalysing(id);
    this.#file(id, fileId);
    this.#change(id, (record) => ({
      ...stale(record),
      files: record.files.filter((file) => file.id !== fileId),
    }));
    this.#forget(id);
    await this.#blobs.remove(id, fileId);
  }

  /** Starts the analysis; it goes on after the answer. */
  startAnalysis(id: string): Capture {
    const record = this.#expectNotAnalysing(id);
    const files = filesToAnalyse(record);
    this.#forget(id);
    const started = performance.now();
    const job = this.#analyser.analyse(
      this.#request(record, files),
      (news) => this.#report(id, news),
      (preview) => {
        const running = this.#running.get(id);
        if (running?.job === job) running.preview = preview;
      },
    );
    this.#running.set(id, { job, progress: noProgress(files), preview: null });
    const capture = this.#change(id, (before) => ({ ...stale(before), state: "analysing" }));
    void job.done
      .then((result) => this.#analysed(id, job, result, started))
      .catch((error: unknown) => {
        if (this.#ended(id, job)) this.#analysisFailed(id, error);
      });
    return capture;
  }

  /** Ends the running analysis; the files stay and it can be started again. */
  async cancelAnalysis(id: string): Promise<Capture> {
    this.#record(id);
    if (!this.#running.has(id)) throw problem("wrong-state", "No analysis of this capture is running.");
    await this.#stop(id);
    return this.#change(id, (record) => ({ ...stale(record), state: "receiving" }));
  }

  /** Calls back with news of a capture until the returned function is called. */
  watch(id: string, listener: (news: CaptureNews) => void): () => void {
    this.#watchers.on(id, listener);
    return () => this.#watchers.off(id, listener);
  }

  /** Where the capture's file with that name lies, to read its events again. */
  pathOf(id: string, fileId: string): string {
    return this.#blobs.path(id, fileId);
  }

  /** The picture of the whole capture, from the analysis while it runs and after it. @throws ProblemError before */
  async preview(id: string): Promise<Uint8Array> {
    const { state } = this.#record(id);
    const running = this.#running.get(id)?.preview ?? null;
    if (running !== null) return running;
    if (state === "ready") return readFile(this.#blobs.path(id, PREVIEW_FILE));
    throw problem("wrong-state", "There is no picture of this capture yet. Start the analysis first.");
  }

  /** Ends every running job; for shutdown. */
  async close(): Promise<void> {
    for (const { job } of this.#running.values()) await job.cancel();
  }

  #request(record: CaptureRecord, files: readonly CaptureFile[]): AnalysisRequest {
    return {
      files: files.map((file) => ({ ...file, path: this.#blobs.path(record.id, file.id) })),
      topologies: record.files
        .filter((file) => file.kind === "topology" && file.role !== "ignored")
        .map((file) => this.#blobs.path(record.id, file.id)),
    };
  }

  async #analysed(id: string, job: Job<unknown>, result: AnalysisResult, started: number): Promise<void> {
    await this.#keep(id, result.files);
    if (!this.#ended(id, job)) return this.#sweep(id);
    const { verdict, severity, place } = result;
    const ready = this.#change(id, (before) => ({ ...before, state: "ready", verdict, severity, place }));
    this.#log.info({ blocks: result.blocks, ms: Math.round(performance.now() - started) }, "analysed");
    this.#tell(id, { news: "ready", capture: ready });
  }

  #report(id: string, progress: Progress): void {
    const running = this.#running.get(id);
    if (!running) return;
    running.progress = progress;
    this.#tell(id, { news: "progress", progress });
  }

  async #keep(id: string, files: Readonly<Record<string, Uint8Array>>): Promise<void> {
    for (const [name, bytes] of Object.entries(files)) {
      await this.#blobs.receive(id, name, once(bytes), Number.POSITIVE_INFINITY);
    }
  }

  /** Takes a job off the list; false when it was cancelled before, and perhaps another one runs by now. */
  #ended(id: string, job: Job<unknown>): boolean {
    return this.#running.get(id)?.job === job && this.#running.delete(id);
  }

  /** Blobs written for a capture that was deleted meanwhile. */
  async #sweep(id: string): Promise<void> {
    if (!this.#catalogue.capture(id)) await this.#blobs.removeCapture(id);
  }

  #analysisFailed(id: string, error: unknown): void {
    if (!(error instanceof AnalysisError)) this.#log.error({ err: error }, "analysis failed");
    const document = problemDocument(
      "analysis-failed",
      error instanceof AnalysisError
        ? error.message
        : "The analysis hit an unexpected error; the API's log has it.",
    );
    this.#change(id, (record) => ({ ...record, state: "failed", problem: document }));
    this.#tell(id, { news: "failed", problem: document });
  }

  async #stop(id: string): Promise<void> {
    const running = this.#running.get(id);
    if (!running) return;
    this.#running.delete(id);
    await running.job.cancel();
    this.#tell(id, { news: "failed", problem: problemDocument("cancelled", "The analysis was cancelled.") });
  }

  async #addFiles(id: string, files: readonly CaptureFile[]): Promise<CaptureFile[]> {
    try {
      const { files: already } = this.#expectNotAnalysing(id);
      if (already.length + files.length > this.#limits.maxFiles) {
        throw tooManyFiles(this.#limits.maxFiles);
      }
    } catch (error) {
      // The capture was deleted or its analysis began while this file came in.
      await this.#discard(id, files);
      throw error;
    }
    const { files: all } = this.#change(id, (record) => {
      const labelled = [...record.files];
      for (const file of files) labelled.push(withReplicaLabel(file, labelled));
      return { ...stale(record), files: labelled };
    });
    this.#forget(id);
    return all.slice(all.length - files.length);
  }

  /** Puts a file in the place of another, with that one's role and replica; when it does not fit, nothing changes. */
  async #replaceFile(id: string, replaces: string, files: readonly CaptureFile[]): Promise<CaptureFile[]> {
    try {
      this.#expectNotAnalysing(id);
      expectReplacement(this.#file(id, replaces), files);
    } catch (error) {
      await this.#discard(id, files);
      throw error;
    }
    const { role, replica } = this.#file(id, replaces);
    const [file] = files.map((one) => ({ ...one, role, replica }));
    this.#change(id, (record) => ({
      ...stale(record),
      files: record.files.map((old) => (old.id === replaces ? file : old)),
    }));
    this.#forget(id);
    await this.#blobs.remove(id, replaces);
    return [file];
  }

  async #discard(id: string, files: readonly CaptureFile[]): Promise<void> {
    for (const file of files) await this.#blobs.remove(id, file.id);
  }

  #record(id: string): CaptureRecord {
    const record = this.#catalogue.capture(id);
    if (!record) {
      throw problem("capture-not-found", "There is no such capture. It may have expired or been deleted.");
    }
    return record;
  }

  #file(id: string, fileId: string): CaptureFile {
    const file = this.#record(id).files.find((candidate) => candidate.id === fileId);
    if (!file) throw problem("file-not-found", "The capture has no such file.");
    return file;
  }

  #expectNotAnalysing(id: string): CaptureRecord {
    const record = this.#record(id);
    if (this.#running.has(id)) {
      throw problem(
        "wrong-state",
        "The capture is being analysed. Wait for the end or cancel the analysis first.",
      );
    }
    return record;
  }

  #change(id: string, change: (record: CaptureRecord) => CaptureRecord): Capture {
    const record = change(this.#record(id));
    this.#catalogue.saveCapture(record);
    return this.#shown(record);
  }

  #shown(record: CaptureRecord): Capture {
    return { ...record, progress: this.#running.get(record.id)?.progress ?? null };
  }

  #tell(id: string, news: CaptureNews): void {
    this.#watchers.emit(id, news);
  }

  #forget(id: string): void {
    for (const listener of this.#forgotten) listener(id);
  }
}

/** @throws ProblemError `nothing-to-analyse` */
function filesToAnalyse(record: CaptureRecord): CaptureFile[] {
  const files = record.files.filter((file) => file.kind === "xel" && file.role !== "ignored");
  if (files.length > 0) return files;
  throw problem(
    "nothing-to-analyse",
    "The capture has no readable .xel file. Add the event files of the primary and of its secondaries.",
  );
}

function noProgress(files: readonly CaptureFile[]): Progress {
  return {
    phase: "decode",
    bytesDone: 0,
    bytesTotal: files.reduce((sum, file) => sum + file.size, 0),
    events: 0,
    blocks: 0,
    files: files.map((file) => ({ id: file.id, bytesDone: 0, events: 0, at: null })),
  };
}

/** The record without the results of an analysis that no longer fits its files. */
function stale(record: CaptureRecord): CaptureRecord {
  return { ...record, state: "receiving", problem: null, verdict: null, severity: null, place: null };
}

function corrected(file: CaptureFile, { role, replica }: FileCorrection): CaptureFile {
  return { ...file, role: role ?? file.role, replica: replica ?? file.replica };
}

/** One event file takes the place of one of the same side; anything else would change what the capture is about. */
function expectReplacement(old: CaptureFile, files: readonly CaptureFile[]): void {
  const [file] = files;
  const reason =
    files.length > 1
      ? `The zip holds ${files.length} files.`
      : file.kind !== "xel"
        ? (file.message ?? `${file.name} is no event file.`)
        : file.detectedRole !== old.detectedRole
          ? `${file.name} is not of the same side: ${file.evidence}.`
          : null;
  if (reason === null) return;
  throw problem("not-a-replacement", `${reason} ${old.name} stays as it was.`);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
