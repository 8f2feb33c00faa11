/** How far UTC is ahead of a server's counter, in short stretches: enough to tell one from the other (docs/model.md 5.6). */
import { TICKS_PER_US } from "./time.ts";

/** What the events that fired in each SAMPLE_US of the counter show together; stretches come in no order. */
export interface UtcSample {
  /** When the first of them fired, µs of the counter. */
  readonly fire: Float64Array;
  /** How many fired. */
  readonly events: Float64Array;
  /** Mean of publish time minus counter, µs; publish times count from the server's first event. */
  readonly ahead: Float64Array;
}

/** UTC swings by 15.6 ms against the counter: four times that long, so that a mean is of whole swings. */
const SAMPLE_US = 62_500;

/** Takes the sample of one server's events, which come in one or several parts. */
export class UtcSampler {
  /** Place in the columns by number of stretch. */
  readonly #places = new Map<number, number>();
  readonly #fire: number[] = [];
  readonly #events: number[] = [];
  readonly #sum: number[] = [];
  #place = -1;
  #from = Number.NaN;

  /**
   * @param fire when each event fired, µs of the counter; NaN where that is not known
   * @param published publish time of each, ticks after the server's first event
   */
  add(fire: Float64Array, published: Float64Array): void {
    for (let i = 0; i < fire.length; i++) {
      const at = fire[i];
      if (!(at >= this.#from && at < this.#from + SAMPLE_US)) {
        if (Number.isNaN(at)) continue;
        this.#enter(Math.floor(at / SAMPLE_US));
      }
      const place = this.#place;
      if (at < this.#fire[place]) this.#fire[place] = at;
      this.#events[place]++;
      this.#sum[place] += published[i] / TICKS_PER_US - at;
    }
  }

  /** Events nearly always fire in the stretch of the one before. */
  #enter(stretch: number): void {
    this.#from = stretch * SAMPLE_US;
    const known = this.#places.get(stretch);
    this.#place = known ?? this.#fire.length;
    if (known !== undefined) return;
    this.#places.set(stretch, this.#place);
    this.#fire.push(Infinity);
    this.#events.push(0);
    this.#sum.push(0);
  }

  sample(): UtcSample {
    return {
      fire: Float64Array.from(this.#fire),
      events: Float64Array.from(this.#events),
      ahead: Float64Array.from(this.#sum, (sum, place) => sum / this.#events[place]),
    };
  }
}
