/** Median of the last values put in: what is usual at this time, whatever a single one of them was. */
export class RecentMedian {
  readonly #ring = new Float64Array(9);
  readonly #sorted = new Float64Array(9);
  #count = 0;

  put(value: number): void {
    this.#ring[this.#count % this.#ring.length] = value;
    this.#count += 1;
  }

  /** @param otherwise what it is before the first value */
  medianOr(otherwise: number): number {
    const n = Math.min(this.#count, this.#ring.length);
    if (n === 0) return otherwise;
    const sorted = this.#sorted.subarray(0, n);
    sorted.set(this.#ring.subarray(0, n));
    sorted.sort();
    return sorted[n >> 1];
  }
}
