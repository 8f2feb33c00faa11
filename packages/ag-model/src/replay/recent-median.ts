/** Default number of last values that count. */
const RECENT = 9;

/** Median of the last values: the usual value at this time, independent of single outliers. */
export class RecentMedian {
  readonly #ring: Float64Array;
  readonly #sorted: Float64Array;
  #count = 0;
  /**
   * Some columns add a value for each block and rarely read the median, others read it for each block: the values are
   * sorted once, on the first read.
   */
  #isSorted = true;

  /** @param recent how many of the last values count */
  constructor(recent = RECENT) {
    this.#ring = new Float64Array(recent);
    this.#sorted = new Float64Array(recent);
  }

  put(value: number): void {
    this.#ring[this.#count % this.#ring.length] = value;
    this.#count += 1;
    this.#isSorted = false;
  }

  /** @param otherwise result before the first value */
  medianOr(otherwise: number): number {
    const n = Math.min(this.#count, this.#ring.length);
    if (n === 0) return otherwise;
    if (!this.#isSorted) this.#sort(n);
    return this.#sorted[n >> 1];
  }

  #sort(n: number): void {
    const sorted = this.#sorted;
    for (let i = 0; i < n; i++) {
      const value = this.#ring[i];
      let place = i;
      for (; place > 0 && sorted[place - 1] > value; place--) sorted[place] = sorted[place - 1];
      sorted[place] = value;
    }
    this.#isSorted = true;
  }
}
