import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Summary } from "@aglens/contract";
import { problem } from "../problems.ts";
import { AnswerThread } from "./answer-thread.ts";
import type { Captures } from "./captures.ts";
import { uniqueNames } from "./file-name.ts";
import { SUMMARY_FILE } from "./model-files.ts";
import type { Answer, Question } from "./questions.ts";

/** Captures kept open; one of a million blocks takes a few hundred megabytes. */
const KEPT_OPEN = 3;

/** Answers about analysed captures. Each open capture has a thread; the ones asked last stay open. */
export class Answers {
  readonly #captures: Captures;
  /** In order of use, the last used last. */
  readonly #threads = new Map<string, AnswerThread>();

  constructor(captures: Captures) {
    this.#captures = captures;
    captures.onForgotten((id) => this.#end(id));
  }

  /** What the analysis wrote down, under the capture's present name. @throws ProblemError as `ask` */
  async summary(id: string): Promise<Summary> {
    this.#expectReady(id);
    const summary = JSON.parse(await readFile(this.#captures.pathOf(id, SUMMARY_FILE), "utf8")) as Summary;
    return { ...summary, captureId: id, name: this.#captures.get(id).name };
  }

  /**
   * The answer, or null when `signal` fired before its turn came.
   * @throws ProblemError when the capture is unknown or not analysed, or the question does not fit it
   */
  ask(id: string, question: Question, signal: AbortSignal): Promise<Answer | null> {
    this.#expectReady(id);
    const thread = this.#threads.get(id) ?? this.#open(id);
    this.#threads.delete(id);
    this.#threads.set(id, thread);
    for (const oldest of this.#threads.keys()) {
      if (this.#threads.size <= KEPT_OPEN) break;
      this.#end(oldest);
    }
    return thread.ask(question, signal);
  }

  /** Where a stored table is. @throws ProblemError as `ask` */
  tablePath(id: string, name: string): string {
    this.#expectReady(id);
    return this.#captures.pathOf(id, name);
  }

  /** Ends every thread; for shutdown. */
  async close(): Promise<void> {
    await Promise.all([...this.#threads.values()].map((thread) => thread.close()));
  }

  #open(id: string): AnswerThread {
    const names = uniqueNames(this.#captures.get(id).files);
    const paths = Object.fromEntries(
      [...names].map(([name, fileId]) => [name, this.#captures.pathOf(id, fileId)]),
    );
    const thread = new AnswerThread(
      { folder: dirname(this.#captures.pathOf(id, SUMMARY_FILE)), paths },
      () => {
        if (this.#threads.get(id) === thread) this.#threads.delete(id);
      },
    );
    return thread;
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
