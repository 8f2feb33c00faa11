import { dirname } from "node:path";
import type { Logger } from "pino";
import type { Summary } from "@aglens/contract";
import { problem, ProblemError } from "@aglens/engine/problems";
import { damageOfFile } from "../store/checksum.ts";
import { AnswerCache, type SharedAnswer } from "./answer-cache.ts";
import { AnswerThread, captureChanged } from "./answer-thread.ts";
import type { HeldCapture } from "./answer-thread.ts";
import type { OpenedThread } from "./shared-answer-thread.ts";
import type { Captures } from "./captures.ts";
import type { RecordedMark } from "../store/catalogue.ts";
import { withUniqueNames } from "@aglens/engine/files";
import { SUMMARY_FILE } from "@aglens/engine/analysis";
import { FirstAnswers, mayBeFirst } from "./first-answers.ts";
import { tablesDigest } from "./prepared-file.ts";
import type { Answer, Question } from "@aglens/engine/answers";
import { tablesDamaged } from "./soundness.ts";

const TICKS_PER_US = 10;
/** Captures kept open; one of a million blocks takes a few hundred megabytes. */
const KEPT_OPEN = 3;

/** Small captures that share threads. */
const MOST_OPEN = 1_000;

/** A page draws its overview in about a second; on few cores whatever is read meanwhile would hold it up. */
const AFTER_PICTURE_MS = 1_500;

/** Summaries kept, of some ten kilobytes each. */
const SUMMARIES_KEPT = 100;

/** A call that will be made unless it is cancelled. */
interface LaterCall {
  readonly cancel: () => void;
}

/** Calls once the page that was answered has drawn its picture. */
export type CallLater = (call: () => void) => LaterCall;

const callAfterPicture: CallLater = (call) => {
  const timer = setTimeout(call, AFTER_PICTURE_MS).unref();
  return { cancel: () => clearTimeout(timer) };
};

/** Starts what answers about one capture. @param onEnded called once when it breaks or ends */
export type OpenCapture = (capture: HeldCapture, onEnded: () => void) => OpenedThread;

/**
 * Answers about analysed captures. Each open capture has a thread; the ones asked last stay open. One that is at work is
 * never ended for another: while more captures are asked at once, more are open.
 */
export class Answers {
  readonly #captures: Captures;
  readonly #openCapture: OpenCapture;
  readonly #cache = new AnswerCache();
  readonly #first: FirstAnswers;
  /** As stored; a screen opens with it. */
  readonly #summaries = new Map<string, Summary>();
  /** Captures that will be opened. */
  readonly #opening = new Map<string, LaterCall>();
  readonly #afterPicture: CallLater;
  /** In order of use, the last used last. */
  readonly #threads = new Map<string, ReturnType<OpenCapture>>();

  constructor(
    captures: Captures,
    openCapture: OpenCapture = (capture, onEnded) => new AnswerThread(capture, onEnded),
    afterPicture: CallLater = callAfterPicture,
    log: Pick<Logger, "warn"> | null = null,
  ) {
    this.#captures = captures;
    this.#first = new FirstAnswers(captures, (id) => this.summary(id), log);
    this.#openCapture = openCapture;
    this.#afterPicture = afterPicture;
    captures.analyses.onAwaited((id) => this.#openSoon(id));
    captures.records.onOutdated((id) => {
      this.#cache.forget(id);
      this.#first.forget(id);
      this.#summaries.delete(id);
      this.#end(id);
    });
  }

  /** What the analysis wrote down, under the capture's present name. @throws ProblemError as `ask` */
  async summary(id: string): Promise<Summary> {
    this.#expectReady(id);
    const summary = this.#summaries.get(id) ?? (await this.#readSummary(id));
    const { name, marks = [] } = this.#captures.records.get(id);
    return { ...summary, captureId: id, name, marks: marksIn(summary, marks) };
  }

  async #readSummary(id: string): Promise<Summary> {
    const sumOf = (): string | undefined =>
      this.#captures.records.get(id).stored?.files[SUMMARY_FILE]?.sha256;
    const expected = sumOf();
    const content = await this.#captures.analyses.readStored(id, SUMMARY_FILE);
    const summary = JSON.parse(new TextDecoder().decode(content)) as Summary;
    // An analysis that ended meanwhile has another one.
    if (sumOf() === expected) this.#keepSummary(id, summary);
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
   * @throws ProblemError when the capture is unknown or not analysed, or the question does not fit it
   */
  async ask(id: string, question: Question, signal: AbortSignal): Promise<SharedAnswer | null> {
    this.#expectReady(id);
    return this.#cache.ask(id, question, signal, (left) => this.#work(id, question, left));
  }

  async #work(id: string, question: Question, signal: AbortSignal): Promise<Answer | null> {
    const tables = this.#tables(id);
    if (mayBeFirst(question)) {
      const kept = await this.#first.answer(id, question);
      // A thread is never opened on tables that an analysis replaced meanwhile.
      this.#expectReady(id);
      if (this.#tables(id) !== tables) throw captureChanged();
      if (kept !== null) {
        this.#openSoon(id);
        return kept;
      }
    }
    const thread = this.#threads.get(id) ?? this.#open(id);
    this.#threads.delete(id);
    this.#threads.set(id, thread);
    const { stored } = this.#captures.records.get(id);
    const asked = thread.ask(question, signal);
    this.#endOldest();
    try {
      const given = await asked;
      if (given !== null && mayBeFirst(question)) void this.#first.keep(id, question, given, tables);
      return given;
    } catch (error) {
      if (isDamage(error)) this.#captures.analyses.heal(id, stored, error);
      throw error;
    } finally {
      this.#endOldest();
    }
  }

  #tables(id: string): string | null {
    return tablesDigest(this.#captures.records.get(id).stored?.files ?? {});
  }

  /** Who sees the overview asks more next: the tables are read once its picture is drawn. */
  #openSoon(id: string): void {
    if (this.#threads.has(id) || this.#opening.has(id)) return;
    const call = this.#afterPicture(() => {
      this.#opening.delete(id);
      if (this.#threads.has(id) || this.#captures.records.stored(id)?.state !== "ready") return;
      this.#threads.set(id, this.#open(id));
      this.#endOldest();
    });
    this.#opening.set(id, call);
  }

  /** Where a stored table is. @throws ProblemError as `ask` */
  async tablePath(id: string, name: string): Promise<string> {
    this.#expectReady(id);
    const { stored } = this.#captures.records.get(id);
    const path = this.#captures.files.pathOf(id, name);
    const checksum = stored?.files[name];
    const damage = checksum === undefined ? null : await damageOfFile(path, checksum);
    if (damage === null) return path;
    const error = tablesDamaged(name, damage);
    this.#captures.analyses.heal(id, stored, error);
    throw error;
  }

  /** Ends every thread; for shutdown. */
  async close(): Promise<void> {
    for (const call of this.#opening.values()) call.cancel();
    this.#opening.clear();
    await Promise.all([...this.#threads.values()].map((thread) => thread.close()));
  }

  #open(id: string): ReturnType<OpenCapture> {
    const { files } = this.#captures;
    const named = withUniqueNames(this.#captures.get(id).files);
    const { stored } = this.#captures.records.get(id);
    const paths = Object.fromEntries(
      named
        .filter(({ file }) => file.isMissing !== true)
        .map(({ file, uniqueName }) => [uniqueName, files.pathOf(id, file.id)]),
    );
    const checksums = stored?.files ?? {};
    const folder = dirname(files.pathOf(id, SUMMARY_FILE));
    const thread = this.#openCapture({ folder, checksums, paths }, () => {
      if (this.#threads.get(id) === thread) this.#threads.delete(id);
    });
    return thread;
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
    // A small capture costs its thread little; the list of them is not to grow for ever.
    for (const [id, { isShared = false, isBusy }] of this.#threads) {
      if (this.#threads.size <= MOST_OPEN) return;
      if (isShared && !isBusy) this.#end(id);
    }
  }

  #end(id: string): void {
    const thread = this.#threads.get(id);
    this.#threads.delete(id);
    void thread?.close();
  }

  #expectReady(id: string): void {
    const { state } = this.#captures.get(id);
    if (state === "ready") return;
    throw problem(
      "wrong-state",
      `The capture has no analysis to ask: it is ${state}. Start the analysis first.`,
    );
  }
}

function isDamage(error: unknown): error is ProblemError {
  return error instanceof ProblemError && error.problem.code === "capture-damaged";
}

/** Marks in time of the capture; what was marked before its first event is of the part that was not kept. */
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
