/**
 * Moves a counter that restarts: a server counts from its boot, so after a reboot its events have small values again
 * (docs/contribute/model/clocks.md 5.8). They are moved by UTC to follow the earlier ones, so that one counter orders all
 * events of a server.
 */
import { TICKS_PER_US } from "../clocks/time.ts";

/** A counter that falls by less has stepped: the fit of the clocks finds that more precisely than UTC, µs. */
const LEAST_FALL_US = 60_000_000;
/** No server restarts faster, µs. */
const LEAST_SILENCE_US = 2_000_000;
/**
 * UTC against the counter is the least of this many events on either side: an event that is published late shows more.
 */
const NEIGHBORS = 16;

/** A server's counter was moved from an instant on. */
export interface CounterRestart {
  /** Between its last event before the restart and its first one after it, µs of the moved counter. */
  readonly at: number;
  /** Amount added to the counter in the file, µs. */
  readonly shift: number;
}

/** Amount added to a server's counter at an instant of the moved counter, µs; 0 before its first restart. */
export function shiftAt(restarts: readonly CounterRestart[], counter: number): number {
  return restarts.findLast(({ at }) => at <= counter)?.shift ?? 0;
}

/**
 * Finds restarts in the events of one server, which arrive in parts in the order of publish time, and moves all later
 * events.
 */
export class CounterRestarts {
  readonly found: CounterRestart[] = [];
  /** Largest counter so far, µs. */
  #most = -Infinity;
  /** UTC minus moved counter at the end of the parts so far, µs, and the publish time of their last event, ticks. */
  #ahead = Infinity;
  #published = Infinity;

  /**
   * Moves the next events.
   * @param start of each, µs of the counter @param fire when each fired, NaN where unknown; moved in place
   * @param published publish time of each, ticks from one instant on in all parts
   * @returns the starts, moved
   */
  moved(start: Float64Array, fire: Float64Array, published: Float64Array): Float64Array {
    let moved = shifted(start, fire, 0, this.found.at(-1)?.shift ?? 0);
    for (let row = this.#nextFall(fire, 0); row < fire.length; row = this.#nextFall(fire, row)) {
      const shift = this.#fallAt(fire, published, row);
      if (shift > 0) {
        moved = shifted(moved, fire, row, shift);
        this.found.push({
          at: fire[row] - LEAST_SILENCE_US / 2,
          shift: (this.found.at(-1)?.shift ?? 0) + shift,
        });
      } else row++;
    }
    this.#remember(fire, published);
    return moved;
  }

  /** The first event from a row on whose counter is far below an earlier one's; the number of events for none. */
  #nextFall(fire: Float64Array, from: number): number {
    let row = from;
    for (; row < fire.length && !(fire[row] < this.#most - LEAST_FALL_US); row++)
      if (fire[row] > this.#most) this.#most = fire[row];
    return row;
  }

  /**
   * Amount by which a restarted counter fell before an event: after a silence, and no later event has the earlier
   * counter. Else 0.
   */
  #fallAt(fire: Float64Array, published: Float64Array, row: number): number {
    const before = lastKnown(fire, row);
    const publishedBefore = before < 0 ? this.#published : published[before];
    if (!(published[row] - publishedBefore >= LEAST_SILENCE_US * TICKS_PER_US)) return 0;
    const ahead = before < 0 ? this.#ahead : leastAhead(fire, published, before - NEIGHBORS + 1, before + 1);
    const isForAll = leastAhead(fire, published, row, fire.length) - ahead > LEAST_FALL_US;
    return isForAll ? Math.round(leastAhead(fire, published, row, row + NEIGHBORS) - ahead) : 0;
  }

  #remember(fire: Float64Array, published: Float64Array): void {
    const last = lastKnown(fire, fire.length);
    if (last < 0) return;
    this.#published = published[last];
    this.#ahead = leastAhead(fire, published, last - NEIGHBORS + 1, last + 1);
  }
}

/** Moves events from a row on: `fire` in place. @returns the starts */
function shifted(start: Float64Array, fire: Float64Array, from: number, shift: number): Float64Array {
  if (shift === 0) return start;
  for (let row = from; row < fire.length; row++) fire[row] += shift;
  return start.map((at, row) => (row < from ? at : at + shift));
}

/** The last row before `end` with a known counter; -1 for none. */
function lastKnown(fire: Float64Array, end: number): number {
  let row = end - 1;
  while (row >= 0 && Number.isNaN(fire[row])) row--;
  return row;
}

/** Least lead of UTC over the counter in some rows, µs. */
function leastAhead(fire: Float64Array, published: Float64Array, from: number, end: number): number {
  let least = Infinity;
  for (let row = Math.max(from, 0); row < Math.min(end, fire.length); row++) {
    const ahead = published[row] / TICKS_PER_US - fire[row];
    if (ahead < least) least = ahead;
  }
  return least;
}
