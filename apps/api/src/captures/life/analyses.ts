/** The analyses of captures: started, watched, cancelled and stored. */
import { EventEmitter } from "node:events";
import { dirname } from "node:path";
import type { Logger } from "pino";
import { paceOf, TABLES_FORMAT, withStart } from "@aglens/contract";
import type { Capture, CaptureFile, PhaseStarts, Problem, Progress } from "@aglens/contract";
import { problem, problemDocument, ProblemError } from "@aglens/engine/problems";
import { type Blobs, type FollowedBlobs, withBlobs } from "../../store/blobs.ts";
import {
  analyseAgain,
  beginAnalysis,
  cutOffAnalysis,
  discardResults,
  endAnalysis,
  failAnalysis,
  isReady,
  shownOf,
} from "../../store/capture-state.ts";
import type { ShownAnalysis, StoredAnalysis } from "../../store/capture-state.ts";
import { CatalogUnreachableError } from "../../store/catalog.ts";
import type { CaptureRecord } from "../../store/catalog.ts";
import { checksumOfTable } from "../../store/checksum.ts";
import type { Checksum } from "../../store/checksum.ts";
import { isDiskFull } from "../../store/space.ts";
import type { Space } from "../../store/space.ts";
import type { AnalysisResult, KeptAnalysis } from "@aglens/engine/analysis";
import type { AnalysisRequest } from "../analysis/analyze.ts";
import { AnalysisError } from "@aglens/engine/analysis";
import {
  evidenceIn,
  filesToAnalyze,
  givenTo,
  groupedFiles,
  isAnalyzedEvents,
  lacksFiles,
  namesToAnalyze,
  noProgress,
  refuseUnclearGroups,
} from "@aglens/engine/files";
import type { QueuedJob } from "../analysis/analysis-queue.ts";
import type { Analyzer } from "../analysis/analyzer.ts";
import { digestOf, recordedDigest } from "../derived/digest.ts";
import { writeFirstAnswers } from "../derived/first-answers-file.ts";
import { PREVIEW_FILE, SUMMARY_FILE } from "@aglens/engine/analysis";
import { readValid } from "../kept/model-files.ts";
import { BUCKET, expectValidSources, isDamage } from "../kept/valid-sources.ts";
import type { Paces } from "../analysis/paces.ts";
import { isSameAnalysis, originsOf, validityOf } from "../derived/validity.ts";
import { filesMissing } from "../kept/files-missing.ts";
import { isToRead, type MisreadFiles } from "../intake/misread-files.ts";
import { outcomeOf } from "../jobs/outcome.ts";
import { wantedFiles } from "../kept/wanted-files.ts";
import { type KnownNames, withNames } from "../records/known-names.ts";
import type { Records } from "../records/records.ts";
import type { AnalysisWork, Execution, Turn } from "../work/work.ts";

/** Events of one capture, for clients that watch it. */
export type CaptureNews =
  | { readonly news: "progress"; readonly progress: Progress }
  | { readonly news: "ready"; readonly capture: Capture }
  | { readonly news: "failed"; readonly problem: Problem };

interface Running {
  readonly job: QueuedJob<AnalysisResult>;
  /** From the thread's last report. */
  progress: Progress;
  preview: Uint8Array | null;
  /** Resolves when all is there that is to be kept, before first answers are. Rejects as the job does. */
  readonly kept: Promise<KeptAnalysis>;
  /** The stored analysis, once storing has begun. */
  stored: Promise<StoredAnalysis> | null;
  /** On the clock of `performance`. */
  starts: PhaseStarts;
  /** The caller that cancels updates the capture's state; later results of the job are discarded. */
  readonly cancelling: AbortSignal;
  /** Resolves when all files are there. Rejects with the fault of a file that arrived. */
  readonly came: Promise<void>;
  /** Whether some of them are not there as far as their last byte. */
  readonly isComing: () => boolean;
}

interface AnalysisParts {
  readonly records: Records;
  readonly work: AnalysisWork;
  readonly blobs: Blobs;
  readonly space: Pick<Space, "expectRoom">;
  readonly analyzer: Analyzer;
  readonly paces: Paces;
  readonly misread: MisreadFiles;
  readonly names: KnownNames;
  readonly log: Logger;
}

/** Every method throws ProblemError for the caller to show. */
export class Analyses {
  readonly #records: Records;
  readonly #work: AnalysisWork;
  readonly #blobs: Blobs;
  readonly #space: Pick<Space, "expectRoom">;
  readonly #analyzer: Analyzer;
  readonly #paces: Paces;
  readonly #misread: MisreadFiles;
  readonly #names: KnownNames;
  readonly #log: Logger;
  /** Emitter of events about the analyses of this process. */
  readonly #watchers = new EventEmitter().setMaxListeners(0);
  #onAwaited: (id: string) => void = () => {};

  constructor({ records, work, blobs, space, analyzer, paces, misread, names, log }: AnalysisParts) {
    this.#records = records;
    this.#work = work;
    this.#blobs = blobs;
    this.#space = space;
    this.#analyzer = analyzer;
    this.#paces = paces;
    this.#misread = misread;
    this.#names = names;
    this.#log = log;
    work.employ({
      mayBegin: (bytes) => analyzer.mayBegin(bytes),
      begin: (record, turn) => this.#begin(record, turn),
      startUnasked: (id, isUnasked) => this.startUnasked(id, isUnasked),
      interrupted: (record) => failAnalysis(record, endedTwice()),
      cancelled: (id) => this.#publish(id, { news: "failed", problem: cancelled() }),
      progressed: (id) => this.#tellProgress(id),
      ended: (id) => void this.#tellEnd(id),
    });
    records.onSaved((id, isOwn) => {
      if (!isOwn) void this.#tellEnd(id, ["ready", "failed"]);
    });
  }

  /** The capture for clients: its record with the progress of its analysis. */
  asCapture(kept: CaptureRecord): Capture {
    const { life: _, analysis: _analysis, isUnnamed: _unnamed, isOne: _one, ...others } = kept;
    const { notes: _notes, failover: _failover, draft, ...record } = others;
    const { groups, unused } = groupedFiles(record.files);
    const shown = this.shown(kept);
    const progress = this.#progress(kept, shown.state);
    return {
      ...record,
      ...shown,
      groups,
      unused,
      progress,
      ...(draft === undefined ? {} : { isDraft: true }),
    };
  }

  /** Analyses that wait for their turn, on any server. */
  get waiting(): number {
    return this.#analyzer.load.analysesWaiting + this.#work.waiting;
  }

  /** Progress of a capture's analysis; null when none runs or waits for its turn. */
  progressOf(id: string): Progress | null {
    return this.#work.progressOf(id);
  }

  #progress({ id, files }: CaptureRecord, state: Capture["state"]): Progress | null {
    if (state !== "analysing") return null;
    const progress = this.#work.isToDoAgain(id) ? null : this.progressOf(id);
    if (progress !== null) return { ...progress, paces: [...this.#paces.last] };
    // It waits to be done again, or was begun this moment, maybe by another server.
    return { ...noProgress(files), phase: "receiving" };
  }

  /** The analysis of a capture for clients. */
  shown({ id, analysis }: Pick<CaptureRecord, "id" | "analysis">): ShownAnalysis {
    const { id: _, ...shown } = this.withEnd({ id, ...shownOf({ analysis }) });
    return shown;
  }

  /**
   * A capture with its current state. A capture that is to be analyzed again is shown as being analyzed. A capture
   * whose record says so without a running analysis is shown as failed: its end could not be stored.
   */
  withEnd<R extends Pick<Capture, "id" | "state" | "problem">>(record: R): R {
    if (this.#work.isToDoAgain(record.id)) return { ...record, state: "analysing", problem: null };
    return this.#hasEnded(record) ? { ...record, state: "failed", problem: notStored() } : record;
  }

  #hasEnded({ id, state }: Pick<Capture, "id" | "state">): boolean {
    return state === "analysing" && this.#work.hasNone(id);
  }

  /** Reads records of captures; once more where an analysis ended while they were read: its end is in them then. */
  async read<Read>(
    read: () => Promise<Read>,
    recordsIn: (read: Read) => readonly Pick<Capture, "id" | "state">[],
  ): Promise<Read> {
    const found = await read();
    return recordsIn(found).some((record) => this.#hasEnded(record)) ? read() : found;
  }

  /** A capture's record as it is by now. @throws ProblemError `capture-not-found` */
  record(id: string): Promise<CaptureRecord> {
    return this.read(
      () => this.#records.get(id),
      (record) => [{ id, state: shownOf(record).state }],
    );
  }

  /**
   * Starts the analysis; it continues after the answer. @throws also ProblemError `disk-full` when there is no space
   * for its tables
   */
  async start(id: string, isUnasked = false): Promise<Capture> {
    let withTodaysNames = (before: CaptureRecord): CaptureRecord => before;
    const isReady = async (): Promise<void> => {
      await this.#space.expectRoom();
      await this.#misread.readAgain(id);
      // Names may have been learned since its files arrived.
      const names = await this.#names.of(await this.#records.get(id));
      withTodaysNames = (before) => withNames(before, names);
    };
    const change = (before: CaptureRecord): CaptureRecord => {
      if (lacksFiles(before)) throw filesMissing();
      filesToAnalyze(before.files);
      refuseUnclearGroups(before.files, before.isOne);
      return beginAnalysis(withTodaysNames(before), isUnasked);
    };
    const record = await this.#work.ask(id, isReady, change, isUnasked);
    return this.asCapture(record);
  }

  async #begin(record: CaptureRecord, turn: Turn): Promise<Execution> {
    const { id } = record;
    const files = filesToAnalyze(record.files);
    // The smallest first: topologies are needed before all else.
    const wanted = wantedFiles(readIn(record.files).toSorted((a, b) => a.size - b.size));
    const followed = await this.#blobs.follow(id, wanted);
    const request = this.#request(record, files, followed.coming);
    const cancelling = new AbortController();
    const started = performance.now();
    const kept = Promise.withResolvers<KeptAnalysis>();
    const running: Running = {
      job: this.#analyzer.analyse(request, {
        onProgress: (progress) => this.#report(id, running, turn, progress),
        onPreview: (preview) => {
          running.preview = preview;
          turn.changed();
        },
        onKept: (result) => {
          if (running.cancelling.aborted) return;
          running.stored = this.#keep(id, result.files, running.cancelling);
          // Clients that wait for the end of the analysis get the error.
          running.stored.catch(() => {});
          kept.resolve(result);
        },
        onPlace: () => this.#report(id, running, turn, running.progress),
      }),
      progress: noProgress(files),
      preview: null,
      kept: kept.promise,
      stored: null,
      starts: {},
      cancelling: cancelling.signal,
      came: this.#came(id, followed, request),
      isComing: () => followed.isComing(),
    };
    running.job.done.then(kept.resolve, kept.reject);
    // It never rejects.
    const settled = this.#settle(id, running, turn, started).then(async (isAwaited) => {
      followed.release();
      if (isAwaited) this.#onAwaited(id);
    });
    return {
      get progress() {
        return shownProgress(running);
      },
      get preview() {
        return running.preview;
      },
      settled,
      cancel: async () => {
        cancelling.abort();
        followed.stop();
        await running.job.cancel();
        await settled;
      },
    };
  }

  /** Discards the result of an analysis if a file that was read while it arrived is damaged. */
  async #came(id: string, { whole }: FollowedBlobs, { sources = [] }: AnalysisRequest): Promise<void> {
    const unsound = new Set((await whole).map((key) => this.#blobs.path(id, key)));
    if (unsound.size === 0) return;
    await expectValidSources(
      sources.filter(({ path }) => unsound.has(path)),
      BUCKET,
    );
    throw new Error("A file was damaged on its way from the bucket.");
  }

  /** Starts the analysis without a request of a user: a refusal is shown as the capture's problem. */
  async startUnasked(id: string, isUnasked = false): Promise<void> {
    try {
      await this.start(id, isUnasked);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      const refusal = error.problem;
      // Another request began the analysis, or is changing its files.
      if (refusal.code === "wrong-state") return;
      await this.#records.change(id, (record, known) =>
        this.#work.isFree(id, known) ? failAnalysis(record, refusal) : record,
      );
    }
  }

  /**
   * Analyzes a capture again whose stored analysis differs from the files on the disk.
   * @param found analysis from which the answers were computed; nothing is done when the capture has changed since
   */
  async heal(id: string, found: StoredAnalysis | undefined, { message }: Error): Promise<void> {
    const isSame = (record: CaptureRecord): boolean =>
      isReady(record) && isSameAnalysis(originsOf(record), { stored: found });
    if (!(await this.#toDoAgain(id, isSame))) return;
    this.#log.error({ damage: message }, "the stored analysis of a capture is damaged; it is analyzed again");
    this.#work.again(id);
  }

  /** Writes down that an analysis is to be done again. @returns whether it is: not where the record is another one by now */
  async #toDoAgain(id: string, isThat: (record: CaptureRecord) => boolean): Promise<boolean> {
    let isToDo = false;
    await this.#records.change(id, (record) => {
      isToDo = isThat(record);
      return isToDo ? analyseAgain(record) : record;
    });
    if (isToDo) this.#records.callOutdated(id);
    return isToDo;
  }

  /**
   * A file of the stored analysis, complete and unchanged.
   * @param stored the stored analysis
   * @throws ProblemError `capture-damaged` when it has changed, and the capture is analyzed again
   */
  async readStored(id: string, name: string, stored: StoredAnalysis | undefined): Promise<Uint8Array> {
    const checksum = stored?.files[name];
    try {
      return await withBlobs(this.#blobs, id, { [name]: checksum }, () =>
        readValid(this.#blobs.path(id, name), name, checksum),
      );
    } catch (error) {
      if (isDamage(error)) await this.heal(id, stored, error);
      throw error;
    }
  }

  /** Ends the running analysis; the files stay and it can be started again. */
  async cancel(id: string): Promise<Capture> {
    return this.asCapture(await this.#work.cancel(id, discardResults));
  }

  /** Calls back with news of a capture until the returned function is called. */
  watch(id: string, listener: (news: CaptureNews) => void): () => void {
    this.#watchers.on(id, listener);
    return () => this.#watchers.off(id, listener);
  }

  /** Calls back when an analysis has succeeded that a client watches: a user opens that capture next. */
  onAwaited(listener: (id: string) => void): void {
    this.#onAwaited = listener;
  }

  /** The picture of the entire capture, from the analysis while it runs and after it. @throws ProblemError before */
  async preview(id: string): Promise<Uint8Array> {
    const record = await this.#records.get(id);
    const running = await this.#work.previewOf(id);
    if (running !== null) return running;
    if (isReady(record)) return this.readStored(id, PREVIEW_FILE, record.analysis.stored);
    throw problem("wrong-state", "There is no picture of this capture yet. Start the analysis first.");
  }

  /**
   * Repairs leftovers of an earlier process: interrupted analyses start again, as do those that an earlier version
   * stored in another format or computed from misread files. An analysis with which a second process ended by force has
   * failed: it may have been the reason.
   */
  async recover(): Promise<void> {
    for (const record of await this.#records.all()) {
      try {
        await this.putRight(record);
      } catch (error) {
        // One capture's state that cannot be stored must not prevent access to all others.
        this.#log.error({ err: error }, "a capture could not be put right at the start");
      }
    }
  }

  /** The same for one capture, which may have been in the trash or in another directory at the start. */
  async putRight(found: CaptureRecord): Promise<void> {
    const record = await this.#misread.discardResults(found);
    const { id, analysis } = record;
    if (analysis.is === "again" || (isOfBefore(record) && (await this.#toDoAgain(id, isOfBefore))))
      return this.#work.again(id);
    if (analysis.is === "running") {
      const put = await this.#records.change(id, (before, known) =>
        this.#work.isFree(id, known) ? cutOffAnalysis(before, endedTwice()) : before,
      );
      if (put.analysis.is === "again") return this.#work.again(id);
    }
    if (record.files.some(isToRead)) this.#misread.readLater(id);
  }

  #request(
    record: CaptureRecord,
    files: readonly CaptureFile[],
    coming: FollowedBlobs["coming"],
  ): AnalysisRequest {
    return {
      files: files.map((file) => ({ ...file, path: this.#blobs.path(record.id, file.id) })),
      topologies: namesToAnalyze(record.files, (file) => this.#blobs.path(record.id, file.id)),
      facts:
        files.length > 0
          ? []
          : evidenceIn(record.files).map((file) => ({
              path: this.#blobs.path(record.id, file.id),
              ...givenTo(file),
            })),
      sources: readIn(record.files).flatMap(({ id, name, role, size, keptSha256 }) =>
        role === "ignored" || keptSha256 === undefined
          ? []
          : [{ name, path: this.#blobs.path(record.id, id), checksum: { bytes: size, sha256: keptSha256 } }],
      ),
      coming: Object.fromEntries(
        Object.entries(coming).map(([key, blob]) => [this.#blobs.path(record.id, key), blob]),
      ),
    };
  }

  /**
   * Waits for the results to keep, stores them and reports the end; never rejects. @returns whether a client awaited
   * the capture
   */
  async #settle(id: string, running: Running, turn: Turn, started: number): Promise<boolean> {
    let end: CaptureNews | null;
    try {
      end = (await this.#ended(id, running, turn, started))?.() ?? null;
    } catch (error) {
      this.#log.error({ err: error }, "the end of an analysis could not be stored");
      end = { news: "failed", problem: notStored() };
    }
    turn.leave();
    if (end === null) return false;
    const isAwaited = end.news === "ready" && this.#watchers.listenerCount(id) > 0;
    this.#publish(id, end);
    return isAwaited;
  }

  /** Stores how the analysis ended. @returns the news of it, null when it was cancelled */
  async #ended(
    id: string,
    running: Running,
    turn: Turn,
    started: number,
  ): Promise<(() => CaptureNews) | null> {
    try {
      const result = await keptOf(running);
      if (running.cancelling.aborted) return null;
      const stored = await (running.stored ?? this.#keep(id, result.files, running.cancelling));
      if (running.cancelling.aborted) return null;
      const pace = paceOf(running.starts, running.progress, performance.now());
      if (pace !== null) void this.#paces.add(pace);
      await this.keepFirst(id, stored, await this.#firstOf(running));
      if (running.cancelling.aborted) return null;
      const { verdict, severity, place } = result;
      const digest = recordedDigest(digestIn(result.files), stored);
      const ready = await turn.end((before) =>
        endAnalysis(before, { verdict, severity, place, stored, digest }),
      );
      if (ready === null) return null;
      this.#log.info({ blocks: result.blocks, ms: Math.round(performance.now() - started) }, "analysed");
      return () => ({ news: "ready", capture: this.asCapture(ready) });
    } catch (error) {
      if (running.cancelling.aborted) return null;
      // It may be stored: another end would undo it.
      if (error instanceof CatalogUnreachableError) throw error;
      if (!(error instanceof AnalysisError)) this.#log.error({ err: error }, "analysis failed");
      const document = failureDocument(error);
      const failed = await turn.end((record) => failAnalysis(record, document));
      return failed && (() => ({ news: "failed", problem: document }));
    }
  }

  async #keep(id: string, files: KeptAnalysis["files"], cancelling: AbortSignal): Promise<StoredAnalysis> {
    // Together: each waits for the disk, and the next is hashed meanwhile.
    const writes = Object.entries(files).map(async ([name, bytes]): Promise<[string, Checksum]> => {
      const checksum = await checksumOfTable(bytes);
      const receive = (): Promise<number> =>
        this.#blobs.receive(id, name, single(bytes), Number.POSITIVE_INFINITY, checksum);
      await this.#blobs.patiently(receive, cancelling);
      return [name, checksum];
    });
    const ends = await Promise.allSettled(writes);
    const failure = ends.find((end) => end.status === "rejected");
    if (failure !== undefined) throw failure.reason;
    const checksums = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
    return { format: TABLES_FORMAT, files: Object.fromEntries(checksums) };
  }

  /** Empty where the first answers could not be computed: they are computed when they are asked for. */
  async #firstOf({ job, cancelling }: Running): Promise<NonNullable<AnalysisResult["first"]>> {
    try {
      return (await job.done).first ?? [];
    } catch (error) {
      if (!cancelling.aborted)
        this.#log.warn({ err: error }, "the first answers of an analysis did not come");
      return [];
    }
  }

  /** Answers that could not be kept are computed when they are asked for. */
  async keepFirst(
    id: string,
    stored: StoredAnalysis,
    answers: NonNullable<AnalysisResult["first"]>,
  ): Promise<void> {
    const validity = validityOf("first answers", { stored });
    if (validity === null || answers.length === 0) return;
    const folder = dirname(this.#blobs.path(id, SUMMARY_FILE));
    await writeFirstAnswers(folder, validity, answers).catch((error: unknown) => {
      this.#log.warn({ err: error }, "the first answers of an analysis could not be kept");
    });
  }

  #report(id: string, running: Running, turn: Turn, progress: Progress): void {
    if (running.cancelling.aborted) return;
    running.progress = { ...progress, analyses: this.#othersToo() };
    if (running.job.waiting === null) running.starts = withStart(running.starts, progress, performance.now());
    turn.changed();
    this.#publish(id, { news: "progress", progress: shownProgress(running) });
  }

  /** Analyses at the same time, where there are more than one. */
  #othersToo(): Progress["analyses"] {
    const { analysing: running, analysesWaiting: waiting } = this.#analyzer.load;
    return running + waiting > 1 ? { running, waiting } : undefined;
  }

  #tellProgress(id: string): void {
    const progress = this.progressOf(id);
    if (progress !== null) this.#publish(id, { news: "progress", progress });
  }

  /** Reports the end of an analysis on another server. @param told states that are reported */
  async #tellEnd(
    id: string,
    told: readonly Capture["state"][] = ["ready", "failed", "receiving"],
  ): Promise<void> {
    if (this.#watchers.listenerCount(id) === 0) return;
    const record = await this.#records.stored(id).catch(() => null);
    const shown = record === null ? null : shownOf(record);
    if (shown !== null && !told.includes(shown.state)) return;
    if (record !== null && isReady(record))
      this.#publish(id, { news: "ready", capture: this.asCapture(record) });
    else this.#publish(id, { news: "failed", problem: shown?.problem ?? cancelled() });
  }

  #publish(id: string, news: CaptureNews): void {
    this.#watchers.emit(id, news);
  }
}

/** Waits for any end: nothing of it is written any more when the capture's next analysis may begin. */
async function keptOf(running: Running): Promise<KeptAnalysis> {
  const job = { done: running.kept, cancel: () => running.job.cancel() };
  try {
    return await outcomeOf(job, running.came, running.isComing);
  } finally {
    await running.stored?.catch(() => {});
  }
}

function digestIn({ [SUMMARY_FILE]: summary, [PREVIEW_FILE]: preview }: KeptAnalysis["files"]) {
  return summary === undefined || preview === undefined ? null : digestOf(summary, preview);
}

const isOfBefore = (record: CaptureRecord): boolean =>
  isReady(record) && record.analysis.stored?.format !== TABLES_FORMAT;

const cancelled = (): Problem => problemDocument("cancelled", "The analysis was cancelled.");

const endedTwice = (): Problem =>
  problemDocument(
    "analysis-failed",
    "AG Lens ended unexpectedly twice while it analyzed this capture. Start the analysis again. If that ends AG Lens too, analyze fewer files or a shorter time.",
  );

function notStored(): Problem {
  return problemDocument(
    "analysis-failed",
    "How the analysis ended could not be stored; the API's log says why. See that its data directory can be written and has room, then start the analysis again.",
  );
}

function failureDocument(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  if (isDiskFull(error)) {
    return problemDocument(
      "disk-full",
      "The disk of the API's data directory was full before the analysis was stored. Delete captures or make room on that disk, then start the analysis again.",
    );
  }
  return problemDocument(
    "analysis-failed",
    error instanceof AnalysisError
      ? error.message
      : "The analysis hit an unexpected error; the API's log has it.",
  );
}

/** Progress of a running analysis for clients: while it waits, also its place in the queue. */
function shownProgress(running: Running): Progress {
  const { waiting } = running.job;
  return waiting === null ? running.progress : { ...running.progress, phase: "waiting", waiting };
}

/** Files that an analysis reads: evidence only where there are no events. */
const readIn = (files: readonly CaptureFile[]): CaptureFile[] =>
  files.some(isAnalyzedEvents) ? files.filter(({ kind }) => kind !== "evidence") : [...files];

// oxlint-disable-next-line typescript/require-await -- a source of bytes is asynchronous
async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
