/** Time in which the largest lateness is searched, µs. */
const MEMORY_US = 60_000_000;
/**
 * If rows arrive together and were dispatched further apart than this, they waited for each other, µs: a picture is
 * drawn once a second.
 */
const APART_US = 2_000_000;

/** Ages of events that arrived together from a replica; all in µs. */
export interface Arrival {
  /** Age of its oldest event. */
  readonly oldestUs: number;
  /** From its oldest event to the oldest one of its last row; 0 for one row. */
  readonly spanUs: number;
  /** Distance of its oldest event to the newest one that had arrived before, µs. */
  readonly disorderUs: number;
}

interface Sample extends Arrival {
  readonly noted: number;
}

/**
 * How late the events of one replica arrived in the last minute, and how far they overtook each other. Rows that were
 * dispatched at different times and arrived together waited for each other, in the output buffer of the server or on
 * the network: their age is no lateness of the replica.
 */
export class Lateness {
  #samples: Sample[] = [];

  /** Notes events that arrived together. @param now µs of the run */
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

  /** The largest age of an event at its arrival, whatever delayed it, µs; NaN before the first event. */
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

  /** The largest distance of an event to a newer one that had arrived before, in the same minute, µs. */
  get disorderUs(): number {
    return this.#samples.reduce((most, { disorderUs }) => Math.max(most, disorderUs), 0);
  }
}

const largest = (samples: readonly Sample[]): number =>
  samples.reduce((most, { oldestUs }) => (oldestUs <= most ? most : oldestUs), Number.NaN);
