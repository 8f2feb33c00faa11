/** Limits how often a client may try a secret within a period. */
import type { Clock } from "../kernel/clock.ts";

interface Count {
  tries: number;
  /** ms since 1970. */
  readonly ends: number;
}

/** Keys in memory at once; above this number the oldest are forgotten. */
const MOST_KEYS = 10_000;

export class Attempts {
  readonly #clock: Clock;
  readonly #most: number;
  readonly #windowMs: number;
  /** Oldest first. */
  readonly #counts = new Map<string, Count>();

  /** @param most wrong tries of one key within `windowMs` */
  constructor(clock: Clock, most: number, windowMs: number) {
    this.#clock = clock;
    this.#most = most;
    this.#windowMs = windowMs;
  }

  /** Tries that a key has left. */
  left(key: string): number {
    return Math.max(0, this.#most - (this.#present(key)?.tries ?? 0));
  }

  /** ms until a key may try again; 0 when it may now. */
  waitMs(key: string): number {
    const count = this.#present(key);
    return count === undefined || count.tries < this.#most ? 0 : count.ends - this.#clock.now();
  }

  /** Counts a wrong try. @returns tries left; null when none was left, and then nothing is counted */
  fail(key: string): number | null {
    if (this.left(key) === 0) return null;
    const count = this.#present(key) ?? { tries: 0, ends: this.#clock.now() + this.#windowMs };
    count.tries += 1;
    this.#counts.set(key, count);
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > MOST_KEYS && oldest !== undefined) this.#counts.delete(oldest);
    return this.left(key);
  }

  /** Removes a try from the count because the secret was right. */
  forgive(key: string): void {
    const count = this.#present(key);
    if (count !== undefined) count.tries -= 1;
  }

  #present(key: string): Count | undefined {
    const count = this.#counts.get(key);
    if (count === undefined || count.ends > this.#clock.now()) return count;
    this.#counts.delete(key);
    return undefined;
  }
}
