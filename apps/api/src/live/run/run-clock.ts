/** Where instants of this machine's clock lie in a run's time: µs since its origin, on the primary's clock. */
import { filetimeOfUnixMs, filetimeText, unixMsOf } from "xel-parser/format";

export class RunClock {
  #originMs: number;
  #originTicks: bigint;
  /** How much the primary's clock is ahead of this machine's, ms. */
  #aheadMs = 0;

  constructor(begunMs: number) {
    this.#originMs = begunMs;
    this.#originTicks = filetimeOfUnixMs(begunMs);
  }

  /** UTC of time 0. */
  get origin(): string {
    return filetimeText(this.#originTicks);
  }

  /** Takes what the model found: its origin, and the primary's time at an instant of this machine. */
  adjust(originTicks: bigint, now: number, wallMs: number): void {
    if (originTicks === 0n || !Number.isFinite(now)) return;
    this.#originTicks = originTicks;
    this.#originMs = unixMsOf(originTicks);
    this.#aheadMs = this.#originMs + now / 1000 - wallMs;
  }

  /** µs since the origin. */
  at(wallMs: number): number {
    return (wallMs + this.#aheadMs - this.#originMs) * 1000;
  }

  /** ms since 1970 on this machine's clock. */
  wall(at: number): number {
    return at / 1000 + this.#originMs - this.#aheadMs;
  }
}
