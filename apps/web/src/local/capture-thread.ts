/** The page's side of a capture's thread: one question at a time, so that withdrawn questions are not sent. */
import { buffersOfEvents } from "@aglens/ag-model/replication";
import type { Problem, Progress } from "@aglens/contract";
import type { Answer, Question } from "@aglens/engine/answers";
import { problemDocument, ProblemError } from "@aglens/engine/problems";
import type { AnalyzedCapture, CaptureToSave, NamedBlob, OpenedFile } from "./capture-work.ts";
import type { KeptTables } from "./kept-store.ts";
import type { CaptureBeginning, FromCapture, ToCapture } from "./messages.ts";
import type { Thread } from "./thread.ts";

export type WorkThread = Thread<ToCapture, FromCapture>;

export interface AnalysisListener {
  readonly onProgress: (progress: Progress) => void;
  readonly onPreview: (preview: Uint8Array) => void;
  readonly onAnalyzed: (analysed: AnalyzedCapture) => void;
  /** A capture that was analyzed before can be asked. @param file null for a capture that was kept in this browser */
  readonly onOpened: (file: OpenedFile | null) => void;
  /** Tables of the capture that the browser can keep. */
  readonly onTables: (tables: KeptTables) => void;
  /** The thread has ended, before the capture was analyzed or later; it answers no more questions. */
  readonly onFailed: (problem: Problem) => void;
}

interface Asked {
  readonly number: number;
  readonly message: ToCapture;
  readonly resolve: (answer: Answer | Blob) => void;
  readonly reject: (reason: Error) => void;
}

export class CaptureThread {
  readonly #thread: WorkThread;
  readonly #listener: AnalysisListener;
  readonly #waiting: Asked[] = [];
  #asking: Asked | null = null;
  #questions = 0;
  #isReady = false;
  #ended: Problem | null = null;

  constructor(start: () => WorkThread, beginning: CaptureBeginning, listener: AnalysisListener) {
    this.#thread = start();
    this.#listener = listener;
    this.#thread.listen({
      onMessage: (message) => this.#hear(message),
      onBroken: (reason) =>
        this.#break(problemDocument("internal", `The capture's thread stopped: ${reason}.`)),
    });
    this.#thread.send(
      beginning,
      beginning.kind === "analyse" ? beginning.capture.files.flatMap(buffersOfEvents) : [],
    );
  }

  /** @throws ProblemError, or AbortError when the signal fires */
  ask(question: Question, signal: AbortSignal | null): Promise<Answer> {
    return this.#ask((number) => ({ kind: "ask", number, question }), signal) as Promise<Answer>;
  }

  /** The capture as an `.aglens` file. @throws ProblemError, or AbortError when the signal fires */
  save(what: CaptureToSave, signal: AbortSignal | null): Promise<Blob> {
    return this.#ask((number) => ({ kind: "save", number, what }), signal) as Promise<Blob>;
  }

  #ask(messageOf: (number: number) => ToCapture, signal: AbortSignal | null): Promise<Answer | Blob> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== null) return reject(new ProblemError(this.#ended));
      const number = this.#questions++;
      const asked = { number, message: messageOf(number), resolve, reject };
      signal?.addEventListener("abort", () => this.#forget(asked), { once: true });
      this.#waiting.push(asked);
      this.#next();
    });
  }

  /** Source files that raw events are read from, from now on. */
  giveSources(sources: readonly NamedBlob[]): void {
    this.#thread.send({ kind: "sources", sources });
  }

  /** Ends the thread; its open questions are refused. */
  end(): void {
    this.#endThread();
    this.#refuseAll(problemDocument("cancelled", "The capture was closed."));
  }

  #hear(message: FromCapture): void {
    switch (message.kind) {
      case "progress":
        return this.#listener.onProgress(message.progress);
      case "preview":
        return this.#listener.onPreview(message.preview);
      case "analysed":
        this.#isReady = true;
        this.#listener.onAnalyzed(message.analysed);
        return this.#next();
      case "opened":
        this.#isReady = true;
        this.#listener.onOpened(message.file);
        return this.#next();
      case "tables":
        return this.#listener.onTables(message.tables);
      case "answer":
        return this.#endQuestion(message.number)?.resolve(message.answer);
      case "saved":
        return this.#endQuestion(message.number)?.resolve(message.file);
      case "refused":
        if (message.number === null) return this.#break(message.problem);
        return this.#endQuestion(message.number)?.reject(new ProblemError(message.problem));
    }
  }

  /** @returns the question with that number, when it is the one that was sent; the next one is sent */
  #endQuestion(number: number): Asked | null {
    const asked = this.#asking;
    if (asked?.number !== number) return null;
    this.#asking = null;
    this.#next();
    return asked;
  }

  #next(): void {
    if (!this.#isReady || this.#asking !== null) return;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#asking = next;
    this.#thread.send(next.message);
  }

  #forget(asked: Asked): void {
    const place = this.#waiting.indexOf(asked);
    if (place !== -1) this.#waiting.splice(place, 1);
    // The thread still answers the question, and the answer is ignored.
    asked.reject(new DOMException("The question was withdrawn", "AbortError"));
  }

  #break(problem: Problem): void {
    this.#endThread();
    this.#refuseAll(problem);
    this.#listener.onFailed(problem);
  }

  /** Messages that the thread sent earlier are ignored. */
  #endThread(): void {
    this.#thread.listen(null);
    this.#thread.end();
  }

  #refuseAll(problem: Problem): void {
    this.#ended = problem;
    for (const { reject } of [...this.#waiting, ...(this.#asking === null ? [] : [this.#asking])])
      reject(new ProblemError(problem));
    this.#waiting.length = 0;
    this.#asking = null;
  }
}
