/** A thread that is started before there is work for it. */
import type { Thread, ThreadMessages } from "./thread.ts";

/** A thread nobody has taken by then ends: what it loaded takes some 20 MB. */
const KEPT_MS = 5 * 60_000;

/** At most one thread waits; it keeps no process from ending. */
export class SpareThread<Messages extends ThreadMessages> {
  readonly #start: () => Thread<Messages>;
  #spare: { readonly thread: Thread<Messages>; readonly timer: NodeJS.Timeout } | null = null;

  /** @param start starts a thread that waits for its work as a message */
  constructor(start: () => Thread<Messages>) {
    this.#start = start;
  }

  /** Work is likely to come. */
  expect(): void {
    if (this.#spare !== null) return void this.#spare.timer.refresh();
    const thread = this.#start();
    thread.keepsProcess(false);
    const timer = setTimeout(() => void this.#takeSpare()?.end(), KEPT_MS).unref();
    this.#spare = { thread, timer };
    thread.onEnd(() => {
      if (this.#spare?.thread === thread) this.#takeSpare();
    });
  }

  /** A thread for work that is there. */
  take(): Thread<Messages> {
    return this.#takeSpare() ?? this.#start();
  }

  #takeSpare(): Thread<Messages> | null {
    if (this.#spare === null) return null;
    const { thread, timer } = this.#spare;
    clearTimeout(timer);
    this.#spare = null;
    thread.keepsProcess(true);
    return thread;
  }
}
