/** First answers that analyses still work out when their captures can be opened already: who asks for them waits for these. */
import type { Logger } from "pino";
import type { AnalysisResult } from "@aglens/engine/analysis";
import { CancelledError } from "./job.ts";
import type { Job } from "./job.ts";

interface Coming {
  /** Never rejects. */
  readonly done: Promise<void>;
  readonly cancel: () => Promise<void>;
}

export class ComingAnswers {
  readonly #coming = new Map<string, Coming>();
  readonly #log: Pick<Logger, "warn">;

  /** @param log hears of answers that did not come: they are worked out when they are asked for */
  constructor(log: Pick<Logger, "warn">) {
    this.#log = log;
  }

  /** @param take keeps what has come */
  expect(id: string, job: Job<AnalysisResult>, take: (result: AnalysisResult) => Promise<void>): void {
    const done = job.done
      .then(async (result) => {
        if (this.#coming.get(id) === coming) await take(result);
      })
      .catch((error: unknown) => {
        if (!(error instanceof CancelledError))
          this.#log.warn({ err: error }, "the first answers of an analysis did not come");
      })
      .finally(() => {
        if (this.#coming.get(id) === coming) this.#coming.delete(id);
      });
    const coming: Coming = { done, cancel: () => job.cancel() };
    this.#coming.set(id, coming);
  }

  /** Resolves at once where none are to come. */
  async whenCome(id: string): Promise<void> {
    await this.#coming.get(id)?.done;
  }

  /** The capture has other results by now, or is gone. */
  drop(id: string): void {
    const coming = this.#coming.get(id);
    this.#coming.delete(id);
    void coming?.cancel();
  }

  /** Ends the work on all of them. */
  async close(): Promise<void> {
    const all = [...this.#coming.values()];
    this.#coming.clear();
    await Promise.all(all.map(async ({ done, cancel }) => cancel().then(() => done)));
  }
}
