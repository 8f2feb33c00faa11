import { EventEmitter } from "node:events";
import { open, readFile } from "node:fs/promises";
import { createReadStream } from "node:fs";
import type { Logger } from "pino";
import type { Capture, CaptureFile, FileCorrection, Problem, Progress } from "xel-parser/contract";
import { problem, problemDocument } from "../http/problem.ts";
import type { BlobWriter, Blobs } from "../store/blobs.ts";
import { TooBigError } from "../store/blobs.ts";
import type { Catalogue, CaptureRecord } from "../store/catalogue.ts";
import type { Recognised } from "./recognise.ts";
import { withReplicaLabel } from "./replica-label.ts";
import { uploadedName } from "./file-name.ts";
import type { UploadedName } from "./file-name.ts";
import { newId } from "./identity.ts";
import { AnalysisError } from "./job.ts";
import type { Analyser, Job } from "./job.ts";
import { PREVIEW_FILE, SUMMARY_FILE } from "./model-files.ts";
import { looksLikeZip, unzip, ZipError } from "./zip.ts";

const DAY_MS = 24 * 3600 * 1000;
const MAX_ZIP_RATIO = 300;
/** Folders and archivers' own entries come on top of the files. */
const ENTRIES_PER_FILE = 4;

export interface CaptureLimits {
  readonly maxUploadBytes: number;
  readonly maxFiles: number;
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
  readonly #limits: CaptureLimits;
  readonly #log: Logger;
  readonly #running = new Map<string, Running>();
  readonly #watchers = new EventEmitter().setMaxListeners(0);
  readonly #forgotten = new Set<(id: string) => void>();

  constructor(catalogue: Catalogue, blobs: Blobs, analyser: Analyser, limits: CaptureLimits, log: Logger) {
    this.#catalogue = catalogue;
    this.#blobs = blobs;
    this.#analyser = analyser;
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
    const name = uploadedName(text);
    if (name === null) {
      throw problem(
        "bad-file-name",
        `"${text.slice(0, 80)}" is not a file name. Give ?name= the file's own name.`,
      );
    }
    this.#expectNotAnalysing(id);
    if (replaces !== undefined) this.#file(id, replaces);
    const fileId = newId();
    const size = await this.#store(id, fileId, source);
    const received = looksLikeZip(await head(this.#blobs.path(id, fileId)))
      ? await this.#unpack(id, fileId)
      : [{ fileId, name, size }];
    const files = await Promise.all(received.map((file) => this.#recognise(id, file)));
    return replaces === undefined ? this.#addFiles(id, files) : this.#replaceFile(id, replaces, files);
  }

  /** Takes over a file that a live run wrote into the data directory, and recognises it. */
  async adopt(id: string, name: string, path: string): Promise<CaptureFile> {
    this.#expectNotAnalysing(id);
    const fileId = newId();
    const size = await this.#blobs.adopt(id, fileId, path);
    const file = await this.#recognise(id, { fileId, name: { name, folder: null }, size });
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
    const files = record.files.filter((file) => file.kind === "xel" && file.role !== "ignored");
    if (files.length === 0) {
      throw problem(
        "nothing-to-analyse",
        "The capture has no readable .xel file. Add the event files of the primary and of its secondaries.",
      );
    }
    const started = performance.now();
    const progress: Progress = {
      phase: "decode",
      bytesDone: 0,
      bytesTotal: files.reduce((sum, file) => sum + file.size, 0),
      events: 0,
      blocks: 0,
      files: files.map((file) => ({ id: file.id, bytesDone: 0, events: 0 })),
    };
    this.#forget(id);
    const job = this.#analyser.analyse(
      {
        files: files.map((file) => ({ ...file, path: this.#blobs.path(id, file.id) })),
        topologies: record.files
          .filter((file) => file.kind === "topology" && file.role !== "ignored")
          .map((file) => this.#blobs.path(id, file.id)),
      },
      (news) => this.#report(id, news),
      (preview) => {
        const running = this.#running.get(id);
        if (running?.job === job) running.preview = preview;
      },
    );
    this.#running.set(id, { job, progress, preview: null });
    const capture = this.#change(id, (before) => ({ ...stale(before), state: "analysing" }));
    void job.done
      .then(async (result) => {
        await this.#keep(id, result.files);
        if (!this.#ended(id, job)) return this.#sweep(id);
        const ready = this.#change(id, (before) => ({
          ...before,
          state: "ready",
          verdict: result.verdict,
          severity: result.severity,
          place: result.place,
        }));
        this.#log.info({ blocks: result.blocks, ms: Math.round(performance.now() - started) }, "analysed");
        this.#tell(id, { news: "ready", capture: ready });
      })
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

  async #store(id: string, fileId: string, source: AsyncIterable<Uint8Array>): Promise<number> {
    try {
      return await this.#blobs.receive(id, fileId, source, this.#limits.maxUploadBytes);
    } catch (error) {
      if (error instanceof TooBigError) throw tooBig(error.limit);
      throw error;
    }
  }

  async #unpack(id: string, zipId: string): Promise<Received[]> {
    const received: (Received & { readonly writer: BlobWriter })[] = [];
    try {
      await unzip(
        createReadStream(this.#blobs.path(id, zipId)),
        {
          maxEntries: this.#limits.maxFiles * ENTRIES_PER_FILE,
          maxBytes: this.#limits.maxUploadBytes,
          maxRatio: MAX_ZIP_RATIO,
        },
        async (text) => {
          const name = uploadedName(text);
          if (text.endsWith("/") || name === null || isClutter(text)) return null;
          if (received.length === this.#limits.maxFiles) throw tooManyFiles(this.#limits.maxFiles);
          const fileId = newId();
          const writer = await this.#blobs.create(id, fileId);
          const entry = { fileId, name, size: 0, writer };
          received.push(entry);
          return {
            write: (bytes) => writer.write(bytes),
            end: async () => {
              entry.size = writer.size;
              await writer.commit();
            },
          };
        },
      );
    } catch (error) {
      for (const { fileId, writer } of received) {
        await writer.discard();
        await this.#blobs.remove(id, fileId);
      }
      throw zipProblem(error, this.#limits);
    } finally {
      await this.#blobs.remove(id, zipId);
    }
    if (received.length === 0) throw problem("bad-zip", "The zip holds no files, only folders.");
    return received;
  }

  async #recognise(id: string, { fileId, name, size }: Received): Promise<CaptureFile> {
    const path = this.#blobs.path(id, fileId);
    const recognised = await this.#analyser
      .recognise({ path, name: name.name })
      .done.catch((error: unknown): Recognised => {
        this.#log.error({ err: error }, "recognition failed");
        return notRecognised(name.name);
      });
    return {
      id: fileId,
      name: name.name,
      size,
      ...recognised,
      role: initialRole(recognised),
      replica: initialReplica(recognised, name),
    };
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

interface Received {
  readonly fileId: string;
  readonly name: UploadedName;
  size: number;
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

/** A file nobody can tell is left out until the user says what it is. */
function initialRole(recognised: Recognised): CaptureFile["role"] {
  if (recognised.kind === "topology") return "primary";
  if (recognised.kind === "unreadable" || recognised.detectedRole === "unknown") return "ignored";
  return recognised.detectedRole;
}

/** There is one primary; a secondary that does not name itself may sit in a folder of its own. */
function initialReplica(recognised: Recognised, { folder }: UploadedName): string {
  if (recognised.kind === "topology") return "Topology";
  if (recognised.detectedRole === "primary") return "Primary";
  return folder ?? "Secondary";
}

/** When the decoder itself gave up; what it could tell of a bad file is `recogniseFile`'s own answer. */
function notRecognised(name: string): Recognised {
  return {
    kind: "unreadable",
    message: `${name}, byte 0: the decoder stopped unexpectedly. The file is left out of the analysis.`,
    gaps: [],
    events: 0,
    from: null,
    to: null,
    detectedRole: "unknown",
    evidence: "",
    replicaId: null,
    partnerIds: [],
    replicaNames: {},
  };
}

/** Entries that archivers of desktops add on their own. */
function isClutter(name: string): boolean {
  return name.startsWith("__MACOSX/") || /(?:^|\/)(?:\.DS_Store|Thumbs\.db|desktop\.ini)$/u.test(name);
}

function tooBig(limit: number): Error {
  return problem(
    "too-big",
    `The file is larger than ${limit.toLocaleString("en")} bytes, the API's limit (AGLENS_MAX_UPLOAD_BYTES).`,
  );
}

function tooManyFiles(limit: number): Error {
  return problem(
    "too-many-files",
    `A capture holds at most ${limit} files. Make a second capture for the others.`,
  );
}

function zipProblem(error: unknown, limits: CaptureLimits): unknown {
  if (!(error instanceof ZipError)) return error;
  if (error.code === "too-big") {
    return problem("too-big", `${error.message} Unpack it and upload its files one by one.`);
  }
  if (error.code === "too-many-entries") {
    return problem("too-many-files", `${error.message} A capture holds at most ${limits.maxFiles} files.`);
  }
  return problem("bad-zip", error.message);
}

async function head(path: string): Promise<Uint8Array> {
  const handle = await open(path);
  try {
    const bytes = new Uint8Array(4);
    await handle.read(bytes, 0, bytes.byteLength, 0);
    return bytes;
  } finally {
    await handle.close();
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
