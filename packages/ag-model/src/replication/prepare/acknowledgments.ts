/**
 * Which acknowledgment covers a block. Acknowledgments carry the END of the hardened range and are cumulative: a
 * block's acknowledgment is the one that names its end, else the first whose largest id so far reaches the block's end
 * (docs/contribute/model/joins.md 3.3).
 */
import { IdFinder, type AscendingIds } from "./block-finder.ts";

const NONE = -1;

/** Acknowledgment events of one server by the block row they cover. */
export interface AckColumns {
  /** Per block row the event that covers it, -1 for none. */
  readonly event: Int32Array;
  /** 1 when the event names just this block's end. */
  readonly exact: Uint8Array;
}

/**
 * Acknowledgments of one kind, of one replica and database. Among those that name one end, and among those that reach
 * an end, the earliest counts: only that one is kept, per place in the list of ends, so that events are neither sorted
 * nor listed.
 */
export class EarliestAcks {
  readonly #ends: AscendingIds;
  readonly #finder: IdFinder;
  readonly #first: number;
  readonly #end: number;
  readonly #start: Float64Array;
  /** Earliest event that names just the end at each place. */
  readonly #own: Int32Array;
  /** Earliest event whose id is at or after the end at each place, and before the next. */
  readonly #reaching: Int32Array;

  /**
   * @param ends of blocks, ascending from index `first` up to `end`
   * @param start instant of each event, µs; an unknown instant sorts after all others
   */
  constructor(ends: AscendingIds, first: number, end: number, start: Float64Array) {
    this.#ends = ends;
    this.#finder = new IdFinder(ends, first, end);
    this.#first = first;
    this.#end = end;
    this.#start = start;
    this.#own = new Int32Array(end - first).fill(NONE);
    this.#reaching = new Int32Array(end - first).fill(NONE);
  }

  /** Whether a block ends at an id. */
  has(high: number, low: number): boolean {
    return this.#finder.indexOf(high, low) >= 0;
  }

  /** Adds an event with its id. */
  add(event: number, high: number, low: number): void {
    const first = this.#first;
    let place = this.#finder.firstAtOrAfter(high, low);
    while (place < this.#end && this.#isAt(place, high, low)) {
      this.#own[place - first] = earlierEvent(this.#start, this.#own[place - first], event);
      place++;
    }
    if (place === first) return;
    const reached = place - 1 - first;
    this.#reaching[reached] = earlierEvent(this.#start, this.#reaching[reached], event);
  }

  /**
   * Assigns to each candidate the event that covers it.
   * @param rows of the blocks, in the order of their ids
   * @param placeOf place in the list of each row's end
   * @param candidate 1 for a row that may have one
   */
  cover(rows: Uint32Array, placeOf: Uint32Array, candidate: Uint8Array, to: AckColumns): void {
    const reaching = this.#reaching;
    for (let k = reaching.length - 2; k >= 0; k--)
      reaching[k] = earlierEvent(this.#start, reaching[k], reaching[k + 1]);
    let furthest = -1;
    for (let k = 0; k < rows.length; k++) {
      const row = rows[k];
      if (candidate[row] !== 1) continue;
      const place = placeOf[row] - this.#first;
      // A damaged size may make a block end after the next one's end, which is then covered no sooner.
      if (place > furthest) furthest = place;
      const own = this.#own[place];
      to.event[row] = own >= 0 ? own : reaching[furthest];
      if (own >= 0) to.exact[row] = 1;
    }
  }

  #isAt(place: number, high: number, low: number): boolean {
    return this.#ends.high[place] === high && this.#ends.low[place] === low;
  }
}

/**
 * The event that began first; between equal instants the one that was published first. An event without a known instant
 * sorts after all others; -1 means no event.
 */
export function earlierEvent(start: Float64Array, a: number, b: number): number {
  if (a < 0 || b < 0) return a < 0 ? b : a;
  const ofA = start[a];
  const ofB = start[b];
  if (ofA < ofB) return a;
  if (ofB < ofA) return b;
  // Equal instants, or an unknown one.
  const isKnownA = ofA === ofA;
  if (isKnownA !== (ofB === ofB)) return isKnownA ? a : b;
  return a < b ? a : b;
}
