/** Distance by which the caller's clock and the primary's may differ before the events are believed, µs. */
export const CLOCKS_AGREE_US = 3_000_000;

/** What time it is on the primary, by the caller's clock and by the newest event. */
export class RunNow {
  /** µs of the run; never falls. */
  now = 0;
  #ahead = Number.NaN;

  /**
   * @param byCaller the caller's clock, µs of the run
   * @param newest the newest event decoded, µs of the run
   * @param isFresh whether events came since the last time
   */
  update(byCaller: number, newest: number, isFresh: boolean): void {
    // The newest event came late by an unknown time, so the largest lead seen is nearest to the truth.
    if (isFresh && !(newest - byCaller <= this.#ahead)) this.#ahead = newest - byCaller;
    const agrees = this.#ahead > -CLOCKS_AGREE_US && this.#ahead <= 0;
    this.now = Math.max(this.now, newest, agrees ? byCaller : byCaller + this.#ahead);
  }
}
