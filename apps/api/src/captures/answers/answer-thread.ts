import type { Problem } from "@aglens/contract";
import { problem, ProblemError } from "@aglens/engine/problems";
import type { StoredAnalysis } from "../../store/capture-state.ts";
import { Thread } from "../../threads/thread.ts";
import type { Answer, Question } from "@aglens/engine/answers";
import { sendBytes, sizesOf } from "../kept/far-files.ts";
import type { BytesForThread, BytesWanted, FarFiles } from "../kept/far-files.ts";

/** Files that the thread reads: the folder of the analysis, and the source files by their names in the model. */
export interface HeldCapture {
  readonly folder: string;
  /** Undefined for an analysis of an earlier version, whose files have no checksums. */
  readonly stored: StoredAnalysis | undefined;
  readonly paths: Readonly<Record<string, string>>;
}

export type AnswerReport =
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "problem"; readonly problem: Problem }
  /** The question is to be asked again once the columns are prepared: it would take as long as preparing them. */
  | { readonly kind: "later" };

/** The preparation of the capture's columns continued: the questions that wait for it are to be asked again. */
interface AskAgain {
  readonly kind: "askAgain";
}

/** A file that the thread reads between questions differs from the stored one. */
interface FoundDamage {
  readonly kind: "damage";
  readonly problem: Problem;
}

/** A question with the bytes of its event files that are not on this disk, by name. */
export interface AskedQuestion {
  readonly kind: "ask";
  readonly question: Question;
  readonly farSizes: ReturnType<typeof sizesOf>;
}

/** Messages of a thread that answers about one capture (`answer-worker.ts`). */
export interface AnswerMessages {
  readonly data: HeldCapture;
  readonly toThread: AskedQuestion | BytesForThread;
  readonly fromThread: AnswerReport | AskAgain | FoundDamage | BytesWanted;
}

/** Why a question that waits for its answer is refused when its capture is closed. */
export const captureChanged = (): Error =>
  problem("wrong-state", "The capture changed while the question was answered. Ask again.");

interface Waiting {
  readonly question: Question;
  readonly signal: AbortSignal;
  readonly far: FarFiles;
  readonly settle: PromiseWithResolvers<Answer | null>;
}

/**
 * One analyzed capture in a thread of its own, so that a slow question delays neither HTTP nor other captures.
 * Questions are answered one after the other. While the capture's columns are prepared, questions that need them wait
 * and others are answered.
 */
export class AnswerThread {
  readonly #thread: Thread<AnswerMessages>;
  readonly #onEnded: () => void;
  readonly #beginWork: () => () => void;
  #endWork: () => void = () => {};
  readonly #waiting: Waiting[] = [];
  /** Questions that wait until the columns are prepared. */
  readonly #held: Waiting[] = [];
  #current: Waiting | null = null;
  #failure: Error | null = null;

  /**
   * @param onEnded called once when the thread breaks or ends; the next question needs a new one
   * @param beginWork called when it begins to answer; its result is called when it has answered
   * @param onDamage called when it finds a damaged file that no question asked for
   */
  constructor(
    capture: HeldCapture,
    onEnded: () => void,
    beginWork: () => () => void = () => () => {},
    onDamage: (damage: ProblemError) => void = () => {},
  ) {
    this.#onEnded = onEnded;
    this.#beginWork = beginWork;
    this.#thread = new Thread("answer", capture);
    this.#thread.onMessage((report) => {
      if (report.kind === "askAgain") this.#askHeld();
      else if (report.kind === "damage") onDamage(new ProblemError(report.problem));
      else if (report.kind === "bytesWanted") void sendBytes(this.#thread, this.#current?.far, report);
      else this.#done(report);
    });
    this.#thread.onEnd((error) => this.#fail(error ?? new Error("The thread that answers ended.")));
  }

  /** Whether a question is being answered or will be. */
  get isBusy(): boolean {
    return this.#current !== null || this.#held.length > 0;
  }

  /**
   * The answer; null when `signal` fired before the question's turn: the client has disconnected.
   * @param far event files that are not on this disk
   */
  ask(question: Question, signal: AbortSignal, far: FarFiles = {}): Promise<Answer | null> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    const settle = Promise.withResolvers<Answer | null>();
    this.#waiting.push({ question, signal, far, settle });
    this.#next();
    return settle.promise;
  }

  /** Ends the thread; questions that have no answer yet are refused. */
  async close(): Promise<void> {
    this.#fail(captureChanged());
    await this.#thread.end();
  }

  #fail(error: Error): void {
    if (this.#failure !== null) return;
    this.#failure = error;
    this.#onEnded();
    this.#endWork();
    this.#current?.settle.reject(error);
    for (const { settle } of [...this.#held.splice(0), ...this.#waiting.splice(0)]) settle.reject(error);
    this.#current = null;
  }

  #askHeld(): void {
    this.#waiting.unshift(...this.#held.splice(0));
    this.#next();
  }

  #next(): void {
    if (this.#current !== null) return;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      if (!next.signal.aborted) {
        this.#current = next;
        this.#endWork = this.#beginWork();
        this.#thread.send({ kind: "ask", question: next.question, farSizes: sizesOf(next.far) });
        return;
      }
      next.settle.resolve(null);
    }
  }

  #done(report: AnswerReport): void {
    const settle = this.#current?.settle;
    if (report.kind === "later" && this.#current !== null) this.#held.push(this.#current);
    this.#current = null;
    this.#endWork();
    if (report.kind === "answer") settle?.resolve(report.answer);
    if (report.kind === "problem") settle?.reject(new ProblemError(report.problem));
    this.#next();
  }
}
