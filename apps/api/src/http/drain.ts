/** The end of the service for its clients: requests under way are answered, new ones are refused. */
import type { RequestHandler, Response } from "express";
import { pause, type Clock } from "../kernel/clock.ts";
import { problem } from "@aglens/engine/problems";

const RETRY_SECONDS = 5;

export class Drain {
  readonly #clock: Clock;
  readonly #open = new Set<Response>();
  #isEnding = false;
  #isRefusing = false;
  #onQuiet: () => void = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Runs before all handlers that may refuse a request. */
  readonly watch: RequestHandler = (_request, response, next) => {
    if (this.#isRefusing) {
      response.set({ "retry-after": String(RETRY_SECONDS), connection: "close" });
      throw problem("ending", "AG Lens is being stopped. Try again when it runs again.");
    }
    this.#open.add(response);
    response.once("close", () => {
      this.#open.delete(response);
      this.#onQuiet();
    });
    next();
  };

  /**
   * Reports the end, but continues to answer: a proxy that checks meanwhile sends new requests to another server.
   * @param ms duration
   */
  async leave(ms: number): Promise<void> {
    this.#isEnding = true;
    await pause(this.#clock, ms);
  }

  /**
   * Refuses new requests from now on, and waits for the running answers. It does not wait for streams of events, which
   * have no end of their own.
   * @param mostMs resolves then at the latest
   */
  async end(mostMs: number): Promise<void> {
    this.#isEnding = true;
    this.#isRefusing = true;
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#clock.after(mostMs, resolve);
    this.#onQuiet = () => {
      if ([...this.#open].every(isStream)) resolve();
    };
    this.#onQuiet();
    await promise;
    cancel();
  }
}

/** Whether an answer is a stream of events. */
export function isStream(response: Response): boolean {
  return String(response.getHeader("content-type") ?? "").startsWith("text/event-stream");
}
