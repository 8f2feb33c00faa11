/** How far back the largest lateness is looked for, µs. */
const MEMORY_US = 60_000_000;

interface Sample {
  readonly noted: number;
  readonly lateUs: number;
  readonly disorderUs: number;
}

/** How late the events of one replica came in the last minute, and how far they overtook each other. */
export class Lateness {
  #samples: Sample[] = [];

  /**
   * Takes what came at once.
   * @param now µs of the run
   * @param lateUs age of its oldest event when it came
   * @param disorderUs how far that event lies before the newest one that had come earlier
   */
  note(now: number, lateUs: number, disorderUs: number): void {
    const kept = this.#samples.filter(({ noted }) => now - noted < MEMORY_US);
    this.#samples = [
      ...kept,
      { noted: now, lateUs: Math.max(0, lateUs), disorderUs: Math.max(0, disorderUs) },
    ];
  }

  /** The largest lateness of the last minute with events, µs; NaN before the first event. */
  get lateUs(): number {
    return this.#samples.reduce((most, { lateUs }) => (lateUs <= most ? most : lateUs), Number.NaN);
  }

  /** The farthest that an event lay before the newest one that had come earlier, in the same minute, µs. */
  get disorderUs(): number {
    return this.#samples.reduce((most, { disorderUs }) => Math.max(most, disorderUs), 0);
  }
}
