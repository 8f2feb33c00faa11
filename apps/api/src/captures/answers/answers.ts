import { dirname } from "node:path";
import type { Logger } from "pino";
import type { CaptureFile, Summary } from "@aglens/contract";
import { problem, type ProblemError } from "@aglens/engine/problems";
import { isListed, isReady, storedFiles } from "../../store/capture-state.ts";
import type { Ready, StoredAnalysis } from "../../store/capture-state.ts";
import { damageOfFile } from "../../store/checksum.ts";
import { AnswerCache, type SharedAnswer } from "./answer-cache.ts";
import { AnswerThread, captureChanged } from "./answer-thread.ts";
import type { HeldCapture } from "./answer-thread.ts";
import type { OpenedThread } from "./shared-answer-thread.ts";
import type { Captures } from "../captures.ts";
import type { FarFiles } from "../kept/far-files.ts";
import type { FetchedBlobs } from "../../store/blobs.ts";
import type { CaptureRecord, RecordedMark } from "../../store/catalog.ts";
import { evidenceIn, lacksFiles, withUniqueNames } from "@aglens/engine/files";
import { SUMMARY_FILE } from "@aglens/engine/analysis";
import { FirstAnswers, mayBeFirst } from "./first-answers.ts";
import { originsOf, validityOf } from "../derived/validity.ts";
import { readsEventFiles, readsEvidence, withEvidenceOf } from "@aglens/engine/answers";
import type { Answer, Question } from "@aglens/engine/answers";
import { isDamage, tablesDamaged } from "../kept/valid-sources.ts";
import { wantedFiles } from "../kept/wanted-files.ts";

const TICKS_PER_US = 10;
/** Captures kept open; one of a million blocks takes a few hundred megabytes. */
const KEPT_OPEN = 3;

/** Small captures that share threads. */
const MOST_OPEN = 1_000;

/** Most captures with something in memory: more than can be open. The text that identifies a capture's content takes some 2 KB. */
const MOST_KNOWN = 2_000;

/** Summaries kept, of some ten kilobytes each. */
const SUMMARIES_KEPT = 100;

/**
 * Starts a thread that answers about one capture.
 * @param onEnded called once when it breaks or ends
 * @param onDamage called when it finds a damaged file that no question asked for
 */
export type OpenCapture = (
  capture: HeldCapture,
  onEnded: () => void,
  onDamage: (damage: ProblemError) => void,
) => OpenedThread;

/**
 * Answers about analyzed captures. Each open capture has a thread; the most recently used ones stay open. A busy thread
 * is never ended for another capture: while more captures are used at once, more are open.
 */
/** The record of an analyzed capture. */
type ReadyRecord = CaptureRecord & Ready;

export class Answers {
  readonly #captures: Captures;
  readonly #openCapture: OpenCapture;
  readonly #cache = new AnswerCache();
  readonly #first: FirstAnswers;
  /** In their stored form; a screen opens with it. */
  readonly #summaries = new Map<string, Summary>();
  /** Captures whose thread is about to start. */
  readonly #opening = new Set<string>();
  readonly #log: Pick<Logger, "warn"> | null;
  #isClosed = false;
  /** In order of use, the last used last. */
  readonly #threads = new Map<string, ReturnType<OpenCapture>>();
  /** The validity of the answers in memory, by capture; the last used last. */
  readonly #validities = new Map<string, string | null>();

  constructor(
    captures: Captures,
    openCapture: OpenCapture = (capture, onEnded, onDamage) =>
      new AnswerThread(capture, onEnded, undefined, onDamage),
    log: Pick<Logger, "warn"> | null = null,
  ) {
    this.#captures = captures;
    this.#first = new FirstAnswers(captures, (id) => this.summary(id), log);
    this.#log = log;
    this.#openCapture = openCapture;
    captures.analyses.onAwaited((id) => this.#openSoon(id));
    captures.records.onOutdated((id, isOwn) => {
      if (isOwn) this.#forget(id);
      else void this.#forgetIfOther(id);
    });
  }

  /** The summary as the analysis stored it, with the capture's present name. @throws ProblemError as `ask` */
  async summary(id: string): Promise<Summary> {
    const record = await this.#ready(id);
    const { name, marks = [] } = record;
    const summary = this.#summaries.get(id) ?? (await this.#readSummary(id, record.analysis.stored));
    return { ...summary, captureId: id, name, marks: marksIn(summary, marks) };
  }

  async #readSummary(id: string, stored: StoredAnalysis | undefined): Promise<Summary> {
    const validity = this.#validities.get(id);
    const bytes = await this.#captures.analyses.readStored(id, SUMMARY_FILE, stored);
    const summary = JSON.parse(new TextDecoder().decode(bytes)) as Summary;
    // An analysis that ended meanwhile has another one.
    if (this.#validities.get(id) === validity) this.#keepSummary(id, summary);
    return summary;
  }

  #keepSummary(id: string, summary: Summary): void {
    this.#summaries.set(id, summary);
    for (const oldest of this.#summaries.keys()) {
      if (this.#summaries.size <= SUMMARIES_KEPT) return;
      this.#summaries.delete(oldest);
    }
  }

  /**
   * The answer, or null when `signal` fired before it was there.
   * @throws ProblemError when the capture is unknown or not analyzed, or the question does not fit it
   */
  async ask(id: string, question: Question, signal: AbortSignal): Promise<SharedAnswer | null> {
    const asked = withEvidenceOf(question, (await this.#ready(id)).files);
    return this.#cache.ask(id, asked, signal, (left) => this.#work(id, asked, left));
  }

  async #work(id: string, question: Question, signal: AbortSignal): Promise<Answer | null> {
    let record = await this.#ready(id);
    const first = validityOf("first answers", originsOf(record));
    if (mayBeFirst(question)) {
      const kept = await this.#first.answer(id, question);
      // A thread is never opened on tables that an analysis replaced meanwhile.
      record = await this.#ready(id);
      if (validityOf("first answers", originsOf(record)) !== first) throw captureChanged();
      if (kept !== null) {
        this.#openSoon(id);
        return kept;
      }
    }
    const validity = this.#validities.get(id);
    const { files } = this.#captures;
    const ask = (inRanges: FetchedBlobs["inRanges"]): Promise<Answer | null> => {
      // If the analysis was replaced while its files were fetched, the old one is not opened.
      if (this.#validities.get(id) !== validity) throw captureChanged();
      return this.#askThread(record, question, signal, farFilesOf(record, inRanges));
    };
    // Files are read again only where the question is about their events or facts.
    const read = readsEventFiles(question)
      ? wantedFiles(eventFilesOf(record))
      : wantedFiles(readsEvidence(question) ? evidenceIn(record.files) : []);
    return files.withFiles(id, storedFiles(record), ask, read);
  }

  async #askThread(
    record: ReadyRecord,
    question: Question,
    signal: AbortSignal,
    far: FarFiles,
  ): Promise<Answer | null> {
    const { id } = record;
    const validity = validityOf("first answers", originsOf(record));
    const thread = this.#threads.get(id) ?? this.#open(record);
    this.#threads.delete(id);
    this.#threads.set(id, thread);
    const asked = thread.ask(question, signal, far);
    this.#endOldest();
    try {
      const given = await asked;
      if (given !== null && mayBeFirst(question)) void this.#first.keep(id, question, given, validity);
      return given;
    } catch (error) {
      if (isDamage(error)) await this.#captures.analyses.heal(id, record.analysis.stored, error);
      throw error;
    } finally {
      this.#endOldest();
    }
  }

  /** A user who sees the overview asks further questions next. */
  #openSoon(id: string): void {
    if (this.#threads.has(id) || this.#opening.has(id)) return;
    this.#opening.add(id);
    this.#openNow(id)
      // The next question reports it.
      .catch((error: unknown) =>
        this.#log?.warn({ err: error }, "a capture that is asked next could not be opened"),
      )
      .finally(() => this.#opening.delete(id));
  }

  async #openNow(id: string): Promise<void> {
    const record = await this.#captures.records.stored(id);
    if (record === null || !isReady(record) || !isListed(record)) return;
    this.#see(record);
    const validity = this.#validities.get(id);
    await this.#captures.files.withFiles(id, storedFiles(record), async () => {
      const isOther = this.#validities.get(id) !== validity;
      if (isOther || this.#threads.has(id) || this.#isClosed) return;
      this.#threads.set(id, this.#open(record));
      this.#endOldest();
    });
  }

  /** Path of a stored table. @throws ProblemError as `ask` */
  async tablePath(id: string, name: string): Promise<string> {
    const { stored } = (await this.#ready(id)).analysis;
    const path = this.#captures.files.pathOf(id, name);
    const checksum = stored?.files[name];
    const damage =
      checksum === undefined
        ? null
        : await this.#captures.files.withFiles(id, { [name]: checksum }, () => damageOfFile(path, checksum));
    if (damage === null) return path;
    const error = tablesDamaged(name, damage);
    await this.#captures.analyses.heal(id, stored, error);
    throw error;
  }

  /** Ends every thread; for shutdown. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#threads.values()].map((thread) => thread.close()));
  }

  #open(record: ReadyRecord): ReturnType<OpenCapture> {
    const { id } = record;
    const { files } = this.#captures;
    const paths = Object.fromEntries(
      namedFiles(record)
        .filter(({ file }) => file.isMissing !== true)
        .map(({ file, openedBy }) => [openedBy, files.pathOf(id, file.id)]),
    );
    const folder = dirname(files.pathOf(id, SUMMARY_FILE));
    const onEnded = (): void => {
      if (this.#threads.get(id) === thread) this.#threads.delete(id);
    };
    const thread = this.#openCapture({ folder, stored: record.analysis.stored, paths }, onEnded, (damage) =>
      this.#healUnasked(record, damage),
    );
    return thread;
  }

  /**
   * Repairs a capture after damage that no question has met. A capture without its files keeps the answers that still
   * work.
   */
  #healUnasked(record: ReadyRecord, damage: ProblemError): void {
    if (lacksFiles(record)) return;
    this.#captures.analyses.heal(record.id, record.analysis.stored, damage).catch((error: unknown) => {
      // A question about the damaged part reports it.
      this.#log?.warn({ err: error }, "a damaged capture could not be analyzed again");
    });
  }

  /** Ends idle threads, the ones used longest ago first, until no more are open than may stay. */
  #endOldest(): void {
    const own = [...this.#threads].filter(([, { isShared = false }]) => !isShared);
    let open = own.length;
    for (const [id, thread] of own) {
      if (open <= KEPT_OPEN) break;
      if (thread.isBusy) continue;
      this.#end(id);
      open--;
    }
    // A small capture costs its thread little, but the list of them must not grow forever.
    for (const [id, { isShared = false, isBusy }] of this.#threads) {
      if (this.#threads.size <= MOST_OPEN) return;
      if (isShared && !isBusy) this.#end(id);
    }
  }

  /**
   * An analysis may have ended between reading the record and now: the open capture belongs to the record that is used.
   */
  #see(record: ReadyRecord): void {
    const validity = validityOf("answers", originsOf(record));
    const before = this.#validities.get(record.id);
    if (before !== undefined && before !== validity) this.#forget(record.id);
    this.#validities.delete(record.id);
    this.#validities.set(record.id, validity);
    for (const id of this.#validities.keys()) {
      if (this.#validities.size <= MOST_KNOWN) return;
      if (this.#threads.get(id)?.isBusy !== true) this.#forget(id);
    }
  }

  /** The record that another server stored can be the one in memory: a record can be read before its news arrive. */
  async #forgetIfOther(id: string): Promise<void> {
    if (this.#validities.has(id)) await this.#ready(id).catch(() => this.#forget(id));
  }

  #forget(id: string): void {
    this.#validities.delete(id);
    this.#cache.forget(id);
    this.#first.forget(id);
    this.#summaries.delete(id);
    this.#end(id);
  }

  #end(id: string): void {
    const thread = this.#threads.get(id);
    this.#threads.delete(id);
    void thread?.close();
  }

  /** The record of an analyzed capture. Answers to an earlier content are forgotten. @throws ProblemError as `ask` */
  async #ready(id: string): Promise<ReadyRecord> {
    const record = await this.#captures.analyses.record(id);
    const { state } = this.#captures.analyses.shown(record);
    if (state === "ready" && isReady(record)) {
      this.#see(record);
      return record;
    }
    throw problem(
      "wrong-state",
      `The capture has no analysis to ask: it is ${state}. Start the analysis first.`,
    );
  }
}

const eventFilesOf = ({ files }: CaptureRecord): CaptureFile[] =>
  files.filter(({ kind }) => kind !== "evidence");

/** Files as a thread opens them: those of events by the names that the model has, those of evidence by their ids. */
const namedFiles = (record: CaptureRecord): { readonly file: CaptureFile; readonly openedBy: string }[] => [
  ...withUniqueNames(eventFilesOf(record)).map(({ file, uniqueName }) => ({ file, openedBy: uniqueName })),
  ...evidenceIn(record.files).map((file) => ({ file, openedBy: file.id })),
];

/** Files that are not on this disk. */
const farFilesOf = (record: CaptureRecord, inRanges: FetchedBlobs["inRanges"]): FarFiles =>
  Object.fromEntries(
    namedFiles(record).flatMap(({ file, openedBy }) => {
      const far = inRanges[file.id];
      return far === undefined ? [] : [[openedBy, far]];
    }),
  );

/** Marks in time of the capture; marks before its first event belong to the part that was not kept. */
function marksIn(
  { originTicks }: Pick<Summary, "originTicks">,
  marks: readonly RecordedMark[],
): Summary["marks"] {
  return marks
    .map(({ ticks, label, byRule }) => ({
      at: Number(BigInt(ticks) - BigInt(originTicks)) / TICKS_PER_US,
      label,
      byRule,
    }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at);
}
