/** Answers about what is complete of captures whose analysis runs. */
import type { Summary } from "@aglens/contract";
import type { Question } from "@aglens/engine/answers";
import { AnswerCache, type SharedAnswer } from "./answer-cache.ts";
import type { Captures } from "./captures.ts";
import type { GrowingBeginning } from "./beginning.ts";

/** Bytes of answers kept: a beginning is looked at by few, and not for long. */
const MOST_BYTES = 16 << 20;

/** As `Answers`, of beginnings. */
export class BeginningAnswers {
  readonly #captures: Captures;
  readonly #cache = new AnswerCache(MOST_BYTES);
  /** What was answered about their captures is of these; one that has ended is not kept by it. */
  readonly #asked = new WeakSet<GrowingBeginning>();

  constructor(captures: Captures) {
    this.#captures = captures;
  }

  /** Opens a beginning, which grows no further. @throws ProblemError as `ask` */
  async summary(id: string): Promise<Summary> {
    const beginning = await this.#captures.analyses.beginning(id);
    const [{ name }, summary] = await Promise.all([this.#captures.records.get(id), beginning.open()]);
    return { ...summary, captureId: id, name, marks: [] };
  }

  /**
   * The answer, or null when `signal` fired before it was there.
   * @throws ProblemError when nothing is complete yet or the analysis has ended, or the question does not fit
   */
  async ask(id: string, question: Question, signal: AbortSignal): Promise<SharedAnswer | null> {
    const beginning = await this.#captures.analyses.beginning(id);
    if (!this.#asked.has(beginning)) this.#cache.forget(id);
    this.#asked.add(beginning);
    return this.#cache.ask(id, question, signal, () => beginning.ask(question));
  }
}
