/** Distance by which the caller's clock and the primary's may differ before the events are believed, µs. */
const CLOCKS_AGREE_US = 3_000_000;
/** The run's time is not set back by less than this, so that it is stable from measurement to measurement, µs. */
const TREMBLE_US = 250_000;

/** Present time on the primary, by the caller's clock, the distance measured between the two, and the newest event. */
export class RunNow {
  /** µs of the run; falls only when a measurement shows that it was ahead. */
  now = 0;
  /** The largest lead of an event over the caller's clock, µs; never positive where both clocks agree. */
  #lead = Number.NaN;

  /**
   * @param byCaller the caller's clock, µs of the run
   * @param newest the newest event decoded, µs of the run
   * @param isFresh whether events arrived since the last time
   * @param aheadUs how far the primary's clock is ahead of the caller's; NaN without a measurement
   */
  update(byCaller: number, newest: number, isFresh: boolean, aheadUs: number): void {
    // The newest event arrived late by an unknown time, so the largest lead seen is nearest to the truth.
    if (isFresh && !(newest - byCaller <= this.#lead)) this.#lead = newest - byCaller;
    const estimate = byCaller + (Number.isNaN(aheadUs) ? this.#estimatedAhead() : aheadUs);
    const isWrong = !Number.isNaN(aheadUs) && this.now - estimate > TREMBLE_US;
    this.now = Math.max(isWrong ? 0 : this.now, newest, estimate || 0);
  }

  /**
   * Without a measurement, lateness and distance of the clocks can't be distinguished: a small lead is lateness, a
   * large one is distance.
   */
  #estimatedAhead(): number {
    return this.#lead > -CLOCKS_AGREE_US && this.#lead <= 0 ? 0 : this.#lead;
  }
}
