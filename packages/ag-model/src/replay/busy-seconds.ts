/** Share of each second in which a write or a message was under way. */
import { stepFor } from "../numbers/index.ts";

const SECOND_US = 1_000_000;
/**
 * A day of seconds. In a longer capture an entry covers several seconds, so that weeks fit into memory and into an
 * answer.
 */
const MOST_ENTRIES = 86_400;

/** How long an entry of `busySeconds` is, µs. @param duration length of the capture, µs */
export const busyEntryUs = (duration: number): number => stepFor(duration, SECOND_US, MOST_ENTRIES);

/**
 * Share of each second covered by the union of intervals, 0 to 1; a second at the edge counts as far as it is covered.
 * A capture longer than a day has the busiest second of each entry.
 * @param start µs, ascending
 * @param end µs
 * @param duration length of the capture, µs
 */
export function busySeconds(start: Float64Array, end: Float64Array, duration: number): Float64Array {
  const seconds = new BusySeconds(start[0], duration);
  let until = -Infinity;
  for (let i = 0; i < start.length; i++) {
    seconds.add(Math.max(start[i], until), end[i]);
    until = Math.max(until, end[i]);
  }
  return seconds.finish(until);
}

/** Adds intervals one after the other. */
class BusySeconds {
  readonly #from: number;
  readonly #seconds: number;
  readonly #perEntry: number;
  readonly #busiest: Float64Array;
  /** The current second, and its busy time so far, µs. */
  #second = -1;
  #busy = 0;

  /** @param from when the first interval begins, µs */
  constructor(from: number, duration: number) {
    this.#from = from;
    this.#seconds = Math.max(1, Math.ceil(duration / SECOND_US));
    this.#perEntry = busyEntryUs(duration) / SECOND_US;
    this.#busiest = new Float64Array(Math.ceil(this.#seconds / this.#perEntry));
  }

  /** @param from not before the end of the interval before */
  add(from: number, to: number): void {
    for (let at = Math.max(from, 0); at < to;) {
      const second = Math.floor(at / SECOND_US);
      if (second >= this.#seconds) return;
      this.#begin(second, Infinity);
      const next = Math.min(to, (second + 1) * SECOND_US);
      this.#busy += next - at;
      at = this.#addFull(second + 1, Math.floor(to / SECOND_US)) ?? next;
    }
  }

  /** @param until the end of the last interval, µs */
  finish(until: number): Float64Array {
    this.#begin(this.#seconds, until);
    return this.#busiest;
  }

  /** Adds the last second to its entry. @param until end of its intervals */
  #begin(second: number, until: number): void {
    if (second === this.#second) return;
    if (this.#second >= 0) {
      const from = Math.max(this.#second * SECOND_US, this.#from);
      const to = Math.min((this.#second + 1) * SECOND_US, until);
      if (to > from) this.#put(this.#second, Math.min(1, this.#busy / (to - from)));
    }
    this.#second = second;
    this.#busy = 0;
  }

  /**
   * Marks seconds that are busy all along, which may be years. @returns the instant after them, µs; null without such a
   * second
   */
  #addFull(first: number, end: number): number | null {
    const last = Math.min(end, this.#seconds);
    if (last <= first) return null;
    const firstEntry = Math.floor(first / this.#perEntry);
    this.#busiest.fill(1, firstEntry, Math.floor((last - 1) / this.#perEntry) + 1);
    return end * SECOND_US;
  }

  #put(second: number, share: number): void {
    const entry = Math.floor(second / this.#perEntry);
    this.#busiest[entry] = Math.max(this.#busiest[entry], share);
  }
}
