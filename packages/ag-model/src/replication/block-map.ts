/**
 * Values by log_block_id, given as its two words: no bigint is made per event, and no digit is lost as in one double, which
 * holds the ids of VLFs up to 2^21 only.
 */
export class BlockMap<Value> {
  readonly #byHigh = new Map<number, Map<number, Value>>();

  get(high: number, low: number): Value | undefined {
    return this.#byHigh.get(high)?.get(low);
  }

  /** All values with their ids' words. */
  *entries(): Generator<[high: number, low: number, value: Value]> {
    for (const [high, byLow] of this.#byHigh) for (const [low, value] of byLow) yield [high, low, value];
  }

  set(high: number, low: number, value: Value): void {
    const byLow = this.#byHigh.get(high);
    if (byLow) byLow.set(low, value);
    else this.#byHigh.set(high, new Map([[low, value]]));
  }
}
