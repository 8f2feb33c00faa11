/**
 * Samples how far UTC is ahead of a server's counter, in short intervals: enough to derive one from the other
 * (docs/contribute/model/clocks.md 5.6).
 */
import { TICKS_PER_US } from "./time.ts";

/** Sums over the events that fired in each SAMPLE_US of the counter; the intervals are in no order. */
export interface UtcSample {
  /** When the first of them fired, µs of the counter. */
  readonly fire: Float64Array;
  /** How many fired. */
  readonly events: Float64Array;
  /** Mean of publish time minus counter, µs; publish times count from the server's first event. */
  readonly ahead: Float64Array;
}

/** UTC swings by 15.6 ms against the counter: an interval of four times that length contains only complete swings. */
const SAMPLE_US = 62_500;

/** Samples one server's events, which arrive in one or several parts. */
export class UtcSampler {
  /** Place in the columns by the interval's number. */
  readonly #places = new Map<number, number>();
  readonly #fire: number[] = [];
  readonly #events: number[] = [];
  readonly #sum: number[] = [];

  /**
   * @param fire when each event fired, µs of the counter; NaN where unknown
   * @param published publish time of each, ticks after the server's first event
   */
  add(fire: Float64Array, published: Float64Array): void {
    for (let i = 0; i < fire.length;) {
      if (Number.isNaN(fire[i])) i++;
      else i = this.#addStretch(fire, published, i);
    }
  }

  /**
   * Adds consecutive events of one interval; nearly all events are consecutive.
   * @returns the row of the first event after them
   */
  #addStretch(fire: Float64Array, published: Float64Array, start: number): number {
    const range = Math.floor(fire[start] / SAMPLE_US);
    const place = this.#placeOf(range);
    const from = range * SAMPLE_US;
    const to = from + SAMPLE_US;
    let earliest = this.#fire[place];
    let sum = this.#sum[place];
    let row = start;
    do {
      const at = fire[row];
      if (at < earliest) earliest = at;
      sum += published[row] / TICKS_PER_US - at;
      row++;
    } while (fire[row] >= from && fire[row] < to);
    this.#fire[place] = earliest;
    this.#sum[place] = sum;
    this.#events[place] += row - start;
    return row;
  }

  #placeOf(range: number): number {
    const known = this.#places.get(range);
    if (known !== undefined) return known;
    const place = this.#fire.length;
    this.#places.set(range, place);
    this.#fire.push(Infinity);
    this.#events.push(0);
    this.#sum.push(0);
    return place;
  }

  sample(): UtcSample {
    return {
      fire: Float64Array.from(this.#fire),
      events: Float64Array.from(this.#events),
      ahead: Float64Array.from(this.#sum, (sum, place) => sum / this.#events[place]),
    };
  }
}
