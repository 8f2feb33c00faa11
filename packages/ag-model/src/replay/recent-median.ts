/** How many of the last values count unless another number is given. */
const RECENT = 9;

/** Median of the last values put in: what is usual at this time, whatever a single one of them was. */
export class RecentMedian {
  readonly #ring: Float64Array;
  readonly #sorted: Float64Array;
  #count = 0;
  /** Some columns put a value in for each block and hardly ever ask, others ask for each block: sorted when asked, once. */
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

  /** @param otherwise what it is before the first value */
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
