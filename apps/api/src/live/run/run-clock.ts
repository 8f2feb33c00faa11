/** Converts times of this machine's clock to the run's time: µs since its origin, on the primary's clock. */
import { filetimeOfUnixMs, filetimeText, unixMsOf } from "xel-parser/format";

const TICKS_PER_US = 10;

/** A time of this machine's clock, ms, whose place in the run's time is fixed when it is first requested. */
export class Moment {
  readonly wallMs: number;
  #at = Number.NaN;

  /** @param at µs of the run, where that is known instead */
  constructor(wallMs: number, at: number = Number.NaN) {
    this.wallMs = wallMs;
    this.#at = at;
  }

  /** µs of the run: always the same once the run's time is known, regardless of later measurements of the clocks. */
  in(clock: RunClock): number {
    if (Number.isNaN(this.#at) && clock.isAdjusted) this.#at = clock.at(this.wallMs);
    return Number.isNaN(this.#at) ? clock.at(this.wallMs) : this.#at;
  }
}

export class RunClock {
  /** Whether the model has found the run's time. */
  isAdjusted = false;
  #originMs: number;
  #originTicks: bigint;
  /** Difference of the primary's clock to this machine's, ms; positive when it is ahead. */
  #aheadMs = 0;

  constructor(begunMs: number) {
    this.#originMs = begunMs;
    this.#originTicks = filetimeOfUnixMs(begunMs);
  }

  /** UTC of time 0. */
  get origin(): string {
    return filetimeText(this.#originTicks);
  }

  /** Uses results of the model: its origin, and the primary's time at a time of this machine. */
  adjust(originTicks: bigint, now: number, wallMs: number): void {
    if (originTicks === 0n || !Number.isFinite(now)) return;
    this.isAdjusted = true;
    this.#originTicks = originTicks;
    this.#originMs = unixMsOf(originTicks);
    this.#aheadMs = this.#originMs + now / 1000 - wallMs;
  }

  /** UTC on the primary's clock at a time of the run (µs), FILETIME ticks. */
  ticksAt(us: number): bigint {
    return this.#originTicks + BigInt(Math.round(us * TICKS_PER_US));
  }

  /** µs since the origin. */
  at(wallMs: number): number {
    return (wallMs + this.#aheadMs - this.#originMs) * 1000;
  }
}
