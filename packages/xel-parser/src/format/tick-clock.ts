import { MAX_FILETIME } from "./constants.ts";
import { filetimeOf, type PackageClock } from "./time.ts";

const WORD = 4294967296;
/** Ticks with a high word below this are exact as double: 2^53 / 2^32. */
const EXACT_HIGH = 0x200000;
const MAX_HIGH = Number(MAX_FILETIME >> 32n);
const EXACT_FREQUENCY = 10_000_000n;

/** A package's clock prepared for columns: FILETIMEs as two 32-bit words, without a bigint per event (docs/reference/xel-format.md 6). */
export class TickClock {
  readonly #clock: PackageClock;
  readonly #startLow: number;
  readonly #startHigh: number;
  /** True where ticks are 100 ns and are added unchanged. */
  readonly #exact: boolean;
  readonly #factor: number;
  readonly #scratch = new Uint32Array(2);

  constructor(clock: PackageClock) {
    this.#clock = clock;
    this.#startLow = Number(BigInt.asUintN(32, clock.start));
    this.#startHigh = Number(clock.start >> 32n);
    this.#exact = clock.frequency === 0n || clock.frequency === EXACT_FREQUENCY;
    this.#factor = this.#exact ? 1 : 1e7 / Number(clock.frequency);
  }

  /**
   * Writes the FILETIME of an event's ticks, passed as low (unsigned) and high (signed) word, to words 2 row and 2 row
   * + 1. The same arithmetic as `filetimeOf`, which throws Damage `bad-time` for a result out of range.
   */
  write(words: Uint32Array, row: number, ticksLow: number, ticksHigh: number): void {
    let low = ticksLow;
    let high = ticksHigh;
    if (!this.#exact) {
      const elapsed = Math.trunc((high * WORD + low) * this.#factor);
      high = Math.floor(elapsed / WORD);
      low = elapsed - high * WORD;
    } else if (high < -EXACT_HIGH || high >= EXACT_HIGH) {
      return this.#writeExactly(words, row, ticksLow, ticksHigh);
    }
    const sum = this.#startLow + low;
    const sumHigh = this.#startHigh + high + (sum >= WORD ? 1 : 0);
    if (sumHigh < 0 || sumHigh >= MAX_HIGH) return this.#writeExactly(words, row, ticksLow, ticksHigh);
    words[row * 2] = sum;
    words[row * 2 + 1] = sumHigh;
  }

  /** Throws Damage `bad-time` when ticks, passed as two words, are no FILETIME. */
  check(ticksLow: number, ticksHigh: number): void {
    this.write(this.#scratch, 0, ticksLow, ticksHigh);
  }

  #writeExactly(words: Uint32Array, row: number, ticksLow: number, ticksHigh: number): void {
    const ticks = (BigInt(ticksHigh) << 32n) | BigInt(ticksLow);
    const filetime = filetimeOf(this.#clock, ticks);
    words[row * 2] = Number(BigInt.asUintN(32, filetime));
    words[row * 2 + 1] = Number(filetime >> 32n);
  }
}
