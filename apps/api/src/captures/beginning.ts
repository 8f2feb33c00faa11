/** The beginning of a capture that is being analysed: what can be looked at before the whole is known. */
import type { Beginning, Summary } from "@aglens/contract";
import type { AnalysedBeginning } from "@aglens/engine/analysis";
import type { Answer, Question } from "@aglens/engine/answers";
import { ProblemError } from "@aglens/engine/problems";
import { scriptOf } from "../scripts.ts";
import { semaphore } from "../semaphore.ts";
import { Thread } from "../threads/thread.ts";
import type { AnalysisRequest } from "./analyse.ts";
import { captureChanged } from "./answer-thread.ts";
import type { AnswerReport } from "./answer-thread.ts";

/**
 * Bytes of a capture from which on a beginning is worth its work: of fewer the whole is there before somebody has looked at it. Of files that were
 * read on receipt four times as many.
 */
export const WORTH_A_BEGINNING_BYTES = 256 * 1024 * 1024;

/** Bytes of files of the first and of the last beginning: some 200 thousand and four million events. */
const LEAST_BYTES = 16 * 1024 * 1024;
const MOST_BYTES = 256 * 1024 * 1024;
/** Of all bytes: what a beginning costs is work that the whole waits for where no core is free. */
const MOST_SHARE = 1 / 8;

/** Of a thread that analyses beginnings (`beginning-worker.ts`). */
export interface BeginningMessages {
  readonly data: Pick<AnalysisRequest, "files" | "topologies"> & {
    /** Of the capture's time. */
    readonly leastShare: number;
    readonly mostShare: number;
    /** Set to 1 when what there is was opened. */
    readonly opened: Int32Array<SharedArrayBuffer>;
  };
  readonly toThread: "open" | Question;
  readonly fromThread: BeginningReport;
}

type BeginningReport =
  | { readonly kind: "grown"; readonly beginning: Beginning; readonly picture: Uint8Array }
  | { readonly kind: "opened"; readonly summary: AnalysedBeginning["summary"] }
  | AnswerReport;

/** How far a beginning has grown, and questions about it. */
export interface GrowingBeginning {
  /** What there is; null until the first log blocks are complete. */
  readonly grown: { readonly beginning: Beginning; readonly picture: Uint8Array } | null;
  /** Opens what there is, which grows no further then: answers are all about the same. To be called once there is something. */
  open(): Promise<Omit<Summary, "marks">>;
  /** An answer about what was opened. @throws ProblemError when the question does not fit it, or it has ended */
  ask(question: Question): Promise<Answer>;
  end(): Promise<void>;
}

/** How much of a capture's time its first and its last beginning have. @param bytes of all its files */
export const sharesOf = (bytes: number): Pick<BeginningMessages["data"], "leastShare" | "mostShare"> => ({
  leastShare: Math.min(LEAST_BYTES / bytes, MOST_SHARE),
  mostShare: Math.min(MOST_BYTES / bytes, MOST_SHARE),
});

/** A beginning in a thread of its own. */
export class BeginningThread implements GrowingBeginning {
  readonly #thread: Thread<BeginningMessages>;
  readonly #inTurn = semaphore(1);
  readonly #openedFlag = new Int32Array(new SharedArrayBuffer(4));
  #grown: GrowingBeginning["grown"] = null;
  #opened: Promise<AnalysedBeginning["summary"]> | null = null;
  /** What the thread was asked last. */
  #asked: PromiseWithResolvers<BeginningReport> | null = null;
  #hasEnded = false;

  /** @param onGrown called whenever there is more */
  constructor({ files, topologies }: Pick<AnalysisRequest, "files" | "topologies">, onGrown: () => void) {
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    this.#thread = new Thread(scriptOf("beginning-worker"), {
      files,
      topologies,
      ...sharesOf(bytes),
      opened: this.#openedFlag,
    });
    this.#thread.onMessage((report) => {
      if (report.kind !== "grown") return this.#asked?.resolve(report);
      this.#grown = report;
      onGrown();
    });
    // Broken or not: what there was cannot be asked any more.
    this.#thread.onEnd(() => {
      this.#hasEnded = true;
      this.#grown = null;
      this.#asked?.reject(captureChanged());
    });
  }

  get grown(): GrowingBeginning["grown"] {
    return this.#grown;
  }

  open(): Promise<AnalysedBeginning["summary"]> {
    this.#opened ??= this.#openNow();
    return this.#opened;
  }

  async #openNow(): Promise<AnalysedBeginning["summary"]> {
    Atomics.store(this.#openedFlag, 0, 1);
    const report = await this.#send("open");
    if (report.kind !== "opened") throw captureChanged();
    return report.summary;
  }

  async ask(question: Question): Promise<Answer> {
    await this.open();
    const report = await this.#send(question);
    if (report.kind === "answer") return report.answer;
    throw report.kind === "problem" ? new ProblemError(report.problem) : captureChanged();
  }

  end(): Promise<void> {
    return this.#thread.end();
  }

  /** One after the other: answers do not say what they answer. */
  #send(message: BeginningMessages["toThread"]): Promise<BeginningReport> {
    return this.#inTurn(() => {
      if (this.#hasEnded) throw captureChanged();
      this.#asked = Promise.withResolvers<BeginningReport>();
      this.#thread.send(message);
      return this.#asked.promise;
    });
  }
}
