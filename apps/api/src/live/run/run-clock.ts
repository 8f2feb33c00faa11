/** Where instants of this machine's clock lie in a run's time: µs since its origin, on the primary's clock. */
import { ticksToIso } from "@aglens/ag-model/replication";

const UNIX_EPOCH_TICKS = 116_444_736_000_000_000n;
const TICKS_PER_MS = 10_000n;

/** FILETIME ticks of an instant in ms since 1970. */
export function ticksOf(wallMs: number): bigint {
  return BigInt(Math.round(wallMs)) * TICKS_PER_MS + UNIX_EPOCH_TICKS;
}

export class RunClock {
  #originMs: number;
  #originTicks: bigint;
  /** How much the primary's clock is ahead of this machine's, ms. */
  #aheadMs = 0;

  constructor(begunMs: number) {
    this.#originMs = begunMs;
    this.#originTicks = ticksOf(begunMs);
  }

  /** UTC of time 0. */
  get origin(): string {
    return ticksToIso(this.#originTicks);
  }

  /** Takes what the model found: its origin, and the primary's time at an instant of this machine. */
  adjust(originTicks: bigint, now: number, wallMs: number): void {
    if (originTicks === 0n || !Number.isFinite(now)) return;
    this.#originTicks = originTicks;
    this.#originMs = Number(originTicks - UNIX_EPOCH_TICKS) / Number(TICKS_PER_MS);
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
