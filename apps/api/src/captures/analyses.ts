/** The analyses of captures: started, watched, cancelled, and what is stored of them. */
import { EventEmitter } from "node:events";
import { dirname } from "node:path";
import type { Logger } from "pino";
import { paceOf, TABLES_FORMAT, withStart } from "@aglens/contract";
import type { Capture, CaptureFile, PhaseStarts, Problem, Progress } from "@aglens/contract";
import { problem, problemDocument, ProblemError } from "@aglens/engine/problems";
import { type Blobs, type FetchedBlobs, withBlobs } from "../store/blobs.ts";
import type { CaptureRecord, StoredAnalysis } from "../store/catalogue.ts";
import { checksumOf } from "../store/checksum.ts";
import type { Checksum } from "../store/checksum.ts";
import { isDiskFull } from "../store/space.ts";
import type { Space } from "../store/space.ts";
import type { AnalysisResult } from "@aglens/engine/analysis";
import type { AnalysisRequest } from "./analyse.ts";
import { AnalysisError } from "@aglens/engine/analysis";
import { filesToAnalyse, groupedFiles, noProgress, refuseUnclearGroups } from "@aglens/engine/files";
import type { QueuedJob } from "./analysis-queue.ts";
import type { Analyser } from "./analyser.ts";
import { digestOf } from "./digest.ts";
import { writeFirstAnswers } from "./first-answers-file.ts";
import { PREVIEW_FILE, SUMMARY_FILE } from "@aglens/engine/analysis";
import { readSound } from "./model-files.ts";
import type { Paces } from "./paces.ts";
import { tablesDigest } from "./prepared-file.ts";
import { filesMissing } from "./files-missing.ts";
import { wantedFiles } from "./wanted-files.ts";
import { withoutResults } from "./records.ts";
import type { Records } from "./records.ts";

/** What happens to one capture while somebody watches. */
export type CaptureNews =
  | { readonly news: "progress"; readonly progress: Progress }
  | { readonly news: "ready"; readonly capture: Capture }
  | { readonly news: "failed"; readonly problem: Problem };

interface Running {
  readonly job: QueuedJob<AnalysisResult>;
  /** As its thread reported it last. */
  progress: Progress;
  preview: Uint8Array | null;
  /** On the clock of `performance`. */
  starts: PhaseStarts;
  /** Whoever cancels takes care of the capture's state; what the job still brings is thrown away. */
  cancelled: boolean;
  /** Resolves when nothing of this analysis is written any more. */
  settled: Promise<void>;
}

/** Every method throws ProblemError for the caller to show. */
export class Analyses {
  readonly #records: Records;
  readonly #blobs: Blobs;
  readonly #space: Pick<Space, "expectRoom">;
  readonly #analyser: Analyser;
  readonly #paces: Paces;
  readonly #log: Logger;
  readonly #running = new Map<string, Running>();
  /** Captures whose analysis begins once that is stored. */
  readonly #starting = new Map<string, Promise<void>>();
  /** Captures whose analysis is to be done again, one after the other; none in it is running. */
  readonly #again = new Set<string>();
  #isDoingAgain = false;
  /** Work on a capture that its analysis and changes of its files have to wait for. */
  readonly #held = new Map<string, Promise<void>>();
  readonly #watchers = new EventEmitter().setMaxListeners(0);
  #onAwaited: (id: string) => void = () => {};

  constructor(
    records: Records,
    blobs: Blobs,
    space: Pick<Space, "expectRoom">,
    analyser: Analyser,
    paces: Paces,
    log: Logger,
  ) {
    this.#records = records;
    this.#blobs = blobs;
    this.#space = space;
    this.#analyser = analyser;
    this.#paces = paces;
    this.#log = log;
    records.onOutdated((id) => this.#again.delete(id));
  }

  /** The capture as clients see it: its record with the progress of its analysis. */
  asCapture(kept: CaptureRecord): Capture {
    const shown = this.withEnd(kept);
    const {
      analyseAgain: _,
      isUnnamed: _unnamed,
      isOne: _one,
      notes: _notes,
      stored: _stored,
      digest: _digest,
      withoutFiles: _withoutFiles,
      isOver: _isOver,
      ...record
    } = shown;
    const { groups, unused } = groupedFiles(record.files);
    return { ...record, groups, unused, progress: this.#progress(record) };
  }

  /** How far the analysis of a capture is; null when none runs or waits for its turn. */
  progressOf(id: string): Progress | null {
    return shownProgress(this.#running.get(id));
  }

  #progress({ id, files }: Pick<CaptureRecord, "id" | "files">): Progress | null {
    if (this.#again.has(id)) return { ...noProgress(files), phase: "receiving" };
    const progress = this.progressOf(id);
    return progress && { ...progress, paces: [...this.#paces.last] };
  }

  /** @throws ProblemError `wrong-state` while the capture is analysed, `capture-not-found` */
  async expectNone(id: string): Promise<CaptureRecord> {
    const record = await this.#records.get(id);
    this.expectFree(id);
    return record;
  }

  /** For a change of a record: what was so when it was asked for need not be so any more. @throws ProblemError `wrong-state` */
  expectFree(id: string): void {
    if (this.#held.has(id)) {
      throw problem(
        "wrong-state",
        "The capture is being made into several, or deleted. Try again in a moment.",
      );
    }
    if (!this.#isAnalysed(id)) return;
    throw problem(
      "wrong-state",
      "The capture is being analysed. Wait for the end or cancel the analysis first.",
    );
  }

  #isAnalysed(id: string): boolean {
    return this.#running.has(id) || this.#starting.has(id);
  }

  /** Does some work on a capture during which nothing else changes it. @throws ProblemError `wrong-state`; what the work throws */
  async hold<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    this.expectFree(id);
    const ended = Promise.withResolvers<void>();
    this.#held.set(id, ended.promise);
    try {
      return await work();
    } finally {
      this.#held.delete(id);
      ended.resolve();
    }
  }

  /** As `hold`, once nothing else holds the capture; an analysis of it is ended. */
  async holdAlone<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    while (this.isBusy(id)) await this.end(id);
    return this.hold(id, work);
  }

  /** Whether it is analysed, or other work on it is under way. */
  isBusy(id: string): boolean {
    return this.#held.has(id) || this.#isAnalysed(id);
  }

  /** Resolves when nothing holds the capture. */
  async whenFree(id: string): Promise<void> {
    await this.#held.get(id);
  }

  /**
   * The record with the state that it has by now: one whose analysis waits to be done again is being analysed; one that says
   * "analysing" without a running analysis has failed, and that could not be stored.
   */
  withEnd<R extends Pick<CaptureRecord, "id" | "state" | "problem">>(record: R): R {
    if (this.#again.has(record.id)) return { ...record, state: "analysing", problem: null };
    return this.#hasEnded(record) ? { ...record, state: "failed", problem: notStored() } : record;
  }

  #hasEnded({ id, state }: Pick<CaptureRecord, "id" | "state">): boolean {
    return state === "analysing" && !this.#isAnalysed(id);
  }

  /** Reads records of captures; once more where an analysis ended while they were read: its end is in them then. */
  async read<Read>(
    read: () => Promise<Read>,
    recordsIn: (read: Read) => readonly Pick<CaptureRecord, "id" | "state">[],
  ): Promise<Read> {
    const found = await read();
    return recordsIn(found).some((record) => this.#hasEnded(record)) ? read() : found;
  }

  /** A capture's record as it is by now. @throws ProblemError `capture-not-found` */
  record(id: string): Promise<CaptureRecord> {
    return this.read(
      () => this.#records.get(id),
      (record) => [record],
    );
  }

  /** Starts the analysis; it runs on after the answer. @throws also ProblemError `disk-full` when there is no room for its tables */
  async start(id: string): Promise<Capture> {
    this.expectFree(id);
    const begun = Promise.withResolvers<void>();
    // From now on nothing else begins: storing that it has begun takes a while.
    this.#starting.set(id, begun.promise);
    try {
      await this.#space.expectRoom();
      const record = await this.#records.changeAndOutdate(id, (before) => {
        if (before.withoutFiles === true) throw filesMissing();
        filesToAnalyse(before.files);
        refuseUnclearGroups(before.files, before.isOne);
        return startedAgain(before);
      });
      await this.#begin(record);
      return this.asCapture(record);
    } finally {
      this.#starting.delete(id);
      begun.resolve();
    }
  }

  async #begin(record: CaptureRecord): Promise<void> {
    const { id } = record;
    const files = filesToAnalyse(record.files);
    const fetched = await this.#fetch(record);
    const started = performance.now();
    const running: Running = {
      job: this.#analyser.analyse(
        this.#request(record, files),
        (progress) => this.#report(id, running, progress),
        (preview) => {
          running.preview = preview;
        },
        () => this.#report(id, running, running.progress),
      ),
      progress: noProgress(files),
      preview: null,
      starts: {},
      cancelled: false,
      settled: Promise.resolve(),
    };
    this.#running.set(id, running);
    running.settled = this.#settle(id, running, started).finally(() => fetched.release());
  }

  /** The files of an analysis that begins; it has failed where they cannot be had. */
  async #fetch({ id, files }: CaptureRecord): Promise<FetchedBlobs> {
    try {
      return await this.#blobs.fetch(id, wantedFiles(files));
    } catch (error) {
      const document = failureDocument(error);
      await this.#records.change(id, (record) => ({ ...record, state: "failed", problem: document }));
      throw error;
    }
  }

  /** Starts the analysis on nobody's request: what refuses it is shown as the capture's problem. */
  async startUnasked(id: string): Promise<void> {
    try {
      await this.start(id);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      const refusal = error.problem;
      await this.#records.change(id, (record) =>
        // Somebody else began it.
        this.#isAnalysed(id) ? record : { ...startedAgain(record), state: "failed", problem: refusal },
      );
    }
  }

  /**
   * Analyses captures again on nobody's request, behind those that wait already: a start may find hundreds, and whoever works
   * with AG Lens comes first.
   */
  #analyseAgain(ids: readonly string[]): void {
    for (const id of ids) this.#again.add(id);
    if (this.#isDoingAgain) return;
    this.#isDoingAgain = true;
    void this.#doAgain().finally(() => {
      this.#isDoingAgain = false;
    });
  }

  async #doAgain(): Promise<void> {
    for (const id of this.#again) {
      this.#again.delete(id);
      try {
        await this.whenFree(id);
        // Somebody may have started it, changed its files or deleted it.
        if (!this.#isAnalysed(id) && (await this.#isToDoAgain(id))) await this.startUnasked(id);
        await this.#running.get(id)?.settled;
      } catch (error) {
        this.#log.error({ err: error }, "an analysis could not be done again");
      }
    }
  }

  async #isToDoAgain(id: string): Promise<boolean> {
    const record = await this.#records.stored(id);
    return record?.analyseAgain === true && record.deleted === undefined;
  }

  /**
   * What an analysis stored is not what is on the disk: it is analysed again.
   * @param found what the answers were computed from; nothing is done when the capture has changed since
   */
  async heal(id: string, found: StoredAnalysis | undefined, { message }: Error): Promise<void> {
    let isSame = false;
    await this.#records.change(id, (record) => {
      isSame = record.state === "ready" && JSON.stringify(record.stored) === JSON.stringify(found);
      return isSame ? { ...withoutResults(record), analyseAgain: true } : record;
    });
    if (!isSame) return;
    this.#records.callOutdated(id);
    this.#log.error({ damage: message }, "the stored analysis of a capture is damaged; it is analysed again");
    this.#analyseAgain([id]);
  }

  /**
   * A file that the analysis stored, whole and as it was stored.
   * @param stored what the analysis stored
   * @throws ProblemError `capture-damaged` when it is not, and the capture is analysed again
   */
  async readStored(id: string, name: string, stored: StoredAnalysis | undefined): Promise<Uint8Array> {
    const checksum = stored?.files[name];
    try {
      return await withBlobs(this.#blobs, id, { [name]: checksum }, () =>
        readSound(this.#blobs.path(id, name), name, checksum),
      );
    } catch (error) {
      if (error instanceof ProblemError) await this.heal(id, stored, error);
      throw error;
    }
  }

  /** Ends the running analysis; the files stay and it can be started again. */
  async cancel(id: string): Promise<Capture> {
    // At once: what it brings from now on is thrown away.
    if (this.#isAnalysed(id)) await this.end(id);
    else await this.#expectAgain(id);
    return this.asCapture(await this.#records.change(id, withoutResults));
  }

  /** Takes a capture off those whose analysis is to be done again. @throws ProblemError where it is none of them */
  async #expectAgain(id: string): Promise<void> {
    await this.#records.get(id);
    if (this.#again.delete(id)) return;
    throw problem("wrong-state", "No analysis of this capture is running.");
  }

  /** Ends a running analysis, if there is one, and other work on the capture; leaves its state to the caller. */
  async end(id: string): Promise<void> {
    if (this.#held.has(id)) await this.whenFree(id);
    if (this.#starting.has(id)) await this.#starting.get(id);
    const running = this.#running.get(id);
    if (!running) return;
    running.cancelled = true;
    await running.job.cancel();
    await running.settled;
    this.#publish(id, {
      news: "failed",
      problem: problemDocument("cancelled", "The analysis was cancelled."),
    });
  }

  /** Calls back with news of a capture until the returned function is called. */
  watch(id: string, listener: (news: CaptureNews) => void): () => void {
    this.#watchers.on(id, listener);
    return () => this.#watchers.off(id, listener);
  }

  /** Calls back when an analysis has ended well that somebody watches: that capture is opened next. */
  onAwaited(listener: (id: string) => void): void {
    this.#onAwaited = listener;
  }

  /** The picture of the whole capture, from the analysis while it runs and after it. @throws ProblemError before */
  async preview(id: string): Promise<Uint8Array> {
    const { state, stored } = await this.#records.get(id);
    const running = this.#running.get(id)?.preview ?? null;
    if (running !== null) return running;
    if (state === "ready") return this.readStored(id, PREVIEW_FILE, stored);
    throw problem("wrong-state", "There is no picture of this capture yet. Start the analysis first.");
  }

  /**
   * Puts right what an earlier process left: analyses that its orderly end interrupted start again, as do those that an earlier
   * version stored in another way; one that ended with the process by force does not, because it may have been the reason.
   */
  async recover(): Promise<void> {
    const again: string[] = [];
    for (const record of await this.#records.all()) {
      try {
        if ((await this.#recovered(record)).analyseAgain === true) again.push(record.id);
      } catch (error) {
        // One capture's state that cannot be stored must not keep all others from being served.
        this.#log.error({ err: error }, "a capture could not be put right at the start");
      }
    }
    this.#analyseAgain(again);
  }

  async #recovered(record: CaptureRecord): Promise<CaptureRecord> {
    const { id, state, stored, analyseAgain } = record;
    if (analyseAgain === true) return record;
    if (state === "analysing") return this.#records.change(id, interrupted);
    if (state !== "ready" || stored?.format === TABLES_FORMAT) return record;
    return this.#records.change(id, (before) => ({ ...withoutResults(before), analyseAgain: true }));
  }

  /** Ends every running analysis; the next start begins them again. */
  async close(): Promise<void> {
    await Promise.all(this.#starting.values());
    const ids = [...this.#running.keys()];
    // Those that wait to be done again have that in their records.
    this.#again.clear();
    await Promise.all(ids.map((id) => this.end(id)));
    for (const id of ids) {
      try {
        await this.#records.change(id, (record) => ({ ...withoutResults(record), analyseAgain: true }));
      } catch (error) {
        this.#log.error({ err: error }, "an analysis that is to start again could not be noted");
      }
    }
  }

  #request(record: CaptureRecord, files: readonly CaptureFile[]): AnalysisRequest {
    return {
      files: files.map((file) => ({ ...file, path: this.#blobs.path(record.id, file.id) })),
      topologies: record.files
        .filter((file) => file.kind === "topology" && file.role !== "ignored")
        .map((file) => this.#blobs.path(record.id, file.id)),
      sources: record.files.flatMap(({ id, name, role, size, keptSha256 }) =>
        role === "ignored" || keptSha256 === undefined
          ? []
          : [{ name, path: this.#blobs.path(record.id, id), checksum: { bytes: size, sha256: keptSha256 } }],
      ),
    };
  }

  /** Waits for the result and stores it; never rejects. */
  async #settle(id: string, running: Running, started: number): Promise<void> {
    try {
      const news = await this.#ended(id, running, started);
      this.#running.delete(id);
      if (news === null) return;
      const end = news();
      const isAwaited = end.news === "ready" && this.#watchers.listenerCount(id) > 0;
      this.#publish(id, end);
      if (isAwaited) this.#onAwaited(id);
    } catch (error) {
      this.#running.delete(id);
      this.#log.error({ err: error }, "the end of an analysis could not be stored");
      this.#publish(id, { news: "failed", problem: notStored() });
    }
  }

  /** Stores how the analysis ended. @returns the news of it, null when it was cancelled */
  async #ended(id: string, running: Running, started: number): Promise<(() => CaptureNews) | null> {
    try {
      const result = await running.job.done;
      if (running.cancelled) return null;
      const stored = await this.#keep(id, result.files);
      await this.keepFirst(id, stored, result.first ?? []);
      if (running.cancelled) return null;
      const pace = paceOf(running.starts, running.progress, performance.now());
      if (pace !== null) void this.#paces.add(pace);
      const { verdict, severity, place } = result;
      const ready = await this.#records.change(id, (before) => ({
        ...before,
        state: "ready",
        verdict,
        severity,
        place,
        stored,
        digest: digestIn(result.files),
      }));
      this.#log.info({ blocks: result.blocks, ms: Math.round(performance.now() - started) }, "analysed");
      return () => ({ news: "ready", capture: this.asCapture(ready) });
    } catch (error) {
      if (running.cancelled) return null;
      if (!(error instanceof AnalysisError)) this.#log.error({ err: error }, "analysis failed");
      const document = failureDocument(error);
      await this.#records.change(id, (record) => ({ ...record, state: "failed", problem: document }));
      return () => ({ news: "failed", problem: document });
    }
  }

  async #keep(id: string, files: AnalysisResult["files"]): Promise<StoredAnalysis> {
    // Together: each waits for the disk, and the next is hashed meanwhile.
    const writes = Object.entries(files).map(async ([name, bytes]): Promise<[string, Checksum]> => {
      const written = this.#blobs.receive(id, name, single(bytes), Number.POSITIVE_INFINITY);
      const checksum = checksumOf(bytes);
      await written;
      return [name, checksum];
    });
    const ends = await Promise.allSettled(writes);
    const failure = ends.find((end) => end.status === "rejected");
    if (failure !== undefined) throw failure.reason;
    const checksums = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
    return { format: TABLES_FORMAT, files: Object.fromEntries(checksums) };
  }

  /** Answers that could not be kept are worked out when they are asked for. */
  async keepFirst(
    id: string,
    { files }: Pick<StoredAnalysis, "files">,
    answers: NonNullable<AnalysisResult["first"]>,
  ): Promise<void> {
    const tables = tablesDigest(files);
    if (tables === null || answers.length === 0) return;
    const folder = dirname(this.#blobs.path(id, SUMMARY_FILE));
    await writeFirstAnswers(folder, tables, answers).catch((error: unknown) => {
      this.#log.warn({ err: error }, "the first answers of an analysis could not be kept");
    });
  }

  #report(id: string, running: Running, progress: Progress): void {
    if (running.cancelled) return;
    running.progress = progress;
    if (running.job.waiting === null) running.starts = withStart(running.starts, progress, performance.now());
    this.#publish(id, { news: "progress", progress: shownProgress(running) ?? progress });
  }

  #publish(id: string, news: CaptureNews): void {
    this.#watchers.emit(id, news);
  }
}

function digestIn({ [SUMMARY_FILE]: summary, [PREVIEW_FILE]: preview }: AnalysisResult["files"]) {
  return summary === undefined || preview === undefined ? null : digestOf(summary, preview);
}

function startedAgain(kept: CaptureRecord): CaptureRecord {
  const { analyseAgain: _, ...record } = kept;
  return { ...record, state: "analysing", problem: null };
}

function interrupted(record: CaptureRecord): CaptureRecord {
  return {
    ...record,
    state: "failed",
    problem: problemDocument(
      "analysis-failed",
      "AG Lens ended unexpectedly while it analysed this capture. Start the analysis again; if that ends AG Lens too, analyse fewer files or a shorter time.",
    ),
  };
}

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

/** What clients see of a running analysis: while it waits, its place in the queue too. */
function shownProgress(running: Running | undefined): Progress | null {
  if (running === undefined) return null;
  const { waiting } = running.job;
  return waiting === null ? running.progress : { ...running.progress, phase: "waiting", waiting };
}

// oxlint-disable-next-line typescript/require-await -- a source of bytes is asynchronous
async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
