/** Steps from the place of the search before after which the rest is searched by halves. */
const NEAR = 16;

/** Ids in ascending order: high and low words by index. */
export interface AscendingIds {
  readonly high: Uint32Array;
  readonly low: Uint32Array | Float64Array;
}

/**
 * Finds ids in a part of an ascending list. Each search begins where the one before ended: events name blocks nearly in
 * their order, so that most are found within a few steps, in memory that was just read.
 */
export class IdFinder {
  readonly #high: AscendingIds["high"];
  readonly #low: AscendingIds["low"];
  readonly #first: number;
  readonly #end: number;
  #place: number;

  /** @param first and `end`: the range of indexes to search */
  constructor({ high, low }: AscendingIds, first = 0, end = high.length) {
    this.#high = high;
    this.#low = low;
    this.#first = first;
    this.#end = end;
    this.#place = first;
  }

  /** Index of an id, the first of equal ids; -1 when the id is absent. */
  indexOf(high: number, low: number): number {
    const at = this.firstAtOrAfter(high, low);
    return at < this.#end && this.#high[at] === high && this.#low[at] === low ? at : -1;
  }

  /** First index whose id is not below the given one; the end of the part when all ids are below it. */
  firstAtOrAfter(high: number, low: number): number {
    let at = this.#place;
    let left = NEAR;
    while (at < this.#end && this.#isBelow(at, high, low) && left > 0) {
      at++;
      left--;
    }
    while (at > this.#first && !this.#isBelow(at - 1, high, low) && left > 0) {
      at--;
      left--;
    }
    if (left === 0) at = this.#byHalves(high, low);
    this.#place = at;
    return at;
  }

  #byHalves(high: number, low: number): number {
    let from = this.#first;
    let to = this.#end;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.#isBelow(middle, high, low)) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  #isBelow(at: number, high: number, low: number): boolean {
    const own = this.#high[at];
    return own < high || (own === high && this.#low[at] < low);
  }
}
