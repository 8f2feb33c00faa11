/** How far a server's UTC is ahead of this machine's, from the polls. The lateness of events is measured separately. */

/** One answer of a server with its own time in it. */
export interface ServerTime {
  /** ms since 1970 of this machine's clock: the statement left, and its answer was here. */
  readonly askedMs: number;
  readonly answeredMs: number;
  /** The server's SYSUTCDATETIME between the two, ms since 1970. */
  readonly serverMs: number;
}

/** The truth is within `boundMs` of `aheadMs`. */
export interface ClockOffset {
  readonly aheadMs: number;
  readonly boundMs: number;
}

/** Older answers no longer count: clocks drift and are set. */
const KEPT_MS = 60_000;
/** SYSUTCDATETIME reads a clock that Windows may move on only this often, ms. */
const SERVER_TICK_MS = 16;

export class ServerClock {
  #answers: ServerTime[] = [];

  take(answer: ServerTime): void {
    this.#answers.push(answer);
    this.#forgetBefore(answer.answeredMs - KEPT_MS);
  }

  /** From the fastest answer of the last minute; null without an answer. */
  get offset(): ClockOffset | null {
    const [first, ...others] = this.#answers;
    if (first === undefined) return null;
    const best = others.reduce((a, b) => (tookMs(b) < tookMs(a) ? b : a), first);
    return {
      aheadMs: best.serverMs - (best.askedMs + best.answeredMs) / 2,
      boundMs: tookMs(best) / 2 + SERVER_TICK_MS,
    };
  }

  #forgetBefore(oldestMs: number): void {
    this.#answers = this.#answers.filter(({ answeredMs }) => answeredMs >= oldestMs);
  }
}

const tookMs = ({ askedMs, answeredMs }: ServerTime): number => answeredMs - askedMs;
