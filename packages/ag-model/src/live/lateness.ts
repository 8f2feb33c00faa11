/** How far back the largest lateness is looked for, µs. */
const MEMORY_US = 60_000_000;
/** Rows that came together and were handed over further apart than this waited for each other, µs: a picture comes once a second. */
const APART_US = 2_000_000;

/** Ages of events that arrived together from a replica; all in µs. */
export interface Arrival {
  /** Age of its oldest event. */
  readonly oldestUs: number;
  /** From its oldest event to the oldest one of its last row; 0 for one row. */
  readonly spanUs: number;
  /** How far its oldest event lies before the newest one that had come earlier. */
  readonly disorderUs: number;
}

interface Sample extends Arrival {
  readonly noted: number;
}

/**
 * How late the events of one replica came in the last minute, and how far they overtook each other. Rows that were handed over at
 * different times and came together waited for each other, in the output buffer of the server or on the network: their age is no
 * lateness of the replica.
 */
export class Lateness {
  #samples: Sample[] = [];

  /** Takes what came at once. @param now µs of the run */
  note(now: number, { oldestUs, spanUs, disorderUs }: Arrival): void {
    const kept = this.#samples.filter(({ noted }) => now - noted < MEMORY_US);
    const sample = {
      noted: now,
      oldestUs: Math.max(0, oldestUs),
      spanUs,
      disorderUs: Math.max(0, disorderUs),
    };
    this.#samples = [...kept, sample];
  }

  /** The largest age at which an event came, whatever held it back, µs; NaN before the first event. */
  get oldestUs(): number {
    return largest(this.#samples);
  }

  /** The largest age of an event that arrived without waiting for another row, µs; NaN without such an event. */
  get lateUs(): number {
    return largest(this.#samples.filter(({ spanUs }) => spanUs < APART_US));
  }

  /** The largest age of rows that waited for each other, µs; NaN where none did. */
  get waitedUs(): number {
    return largest(this.#samples.filter(({ spanUs }) => spanUs >= APART_US));
  }

  /** The farthest that an event lay before the newest one that had come earlier, in the same minute, µs. */
  get disorderUs(): number {
    return this.#samples.reduce((most, { disorderUs }) => Math.max(most, disorderUs), 0);
  }
}

const largest = (samples: readonly Sample[]): number =>
  samples.reduce((most, { oldestUs }) => (oldestUs <= most ? most : oldestUs), Number.NaN);
