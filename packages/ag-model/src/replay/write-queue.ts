/** A log writer's queue, replayed forward. */
import type { WriterPolicy } from "./log-writer.ts";

/** A log writer that takes blocks in the order of the log: one write at a time, except for the policy "atOnce". */
export class WriteQueue {
  readonly #policy: WriterPolicy;
  readonly #turnaround: number;
  /** The write that runs or runs next, µs. */
  start = -Infinity;
  end = -Infinity;

  /** @param turnaround µs from the end of a write to the start of the next one */
  constructor(policy: WriterPolicy, turnaround: number) {
    this.#policy = policy;
    this.#turnaround = turnaround;
  }

  /**
   * Takes the next block; `start` and `end` are then those of its write.
   * @param ready when its write starts if the writer is idle, µs
   * @param duration of its write when it starts one, µs
   * @returns true when the block starts a write, false when it shares the one before it
   */
  take(ready: number, duration: number): boolean {
    if (this.#policy === "together" && ready <= this.start) return false;
    const free = this.#policy === "atOnce" ? -Infinity : this.end + this.#turnaround;
    this.start = Math.max(ready, free);
    this.end = this.start + Math.max(duration, 0);
    return true;
  }
}
