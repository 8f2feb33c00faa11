/** How many of the last values count. */
const RECENT = 9;

/** Median of the last values put in: what is usual at this time, whatever a single one of them was. */
export class RecentMedian {
  readonly #ring = new Float64Array(RECENT);
  readonly #sorted = new Float64Array(RECENT);
  #count = 0;
  /** Some columns put a value in for each block and hardly ever ask, others ask for each block: sorted when asked, once. */
  #isSorted = true;

  put(value: number): void {
    this.#ring[this.#count % RECENT] = value;
    this.#count += 1;
    this.#isSorted = false;
  }

  /** @param otherwise what it is before the first value */
  medianOr(otherwise: number): number {
    const n = Math.min(this.#count, RECENT);
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
