/**
 * The range of log_block_ids of a database in a file: servers that share blocks were recorded at one time, even if
 * their UTC clocks differ.
 */

/** log_block_ids, first and last included. */
export interface BlockRange {
  readonly firstBlockId: bigint;
  readonly lastBlockId: bigint;
}

/** Fewer ids than this at either end do not count as an end: a damaged event may have any id. */
const STRAYS = 2;

/** Gathers the range of the given ids. */
export class BlockRangeOfEvents {
  readonly #least = new Extremes((high, low, otherHigh, otherLow) =>
    high === otherHigh ? low < otherLow : high < otherHigh,
  );
  readonly #greatest = new Extremes((high, low, otherHigh, otherLow) =>
    high === otherHigh ? low > otherLow : high > otherHigh,
  );

  /** @param low and `high`, the words of log_block_id */
  take(low: number, high: number): void {
    this.#least.take(low, high);
    this.#greatest.take(low, high);
  }

  /** Null for almost no blocks. */
  range(): BlockRange | null {
    const [firstBlockId, lastBlockId] = [this.#least.innermost(), this.#greatest.innermost()];
    return firstBlockId === null || lastBlockId === null || firstBlockId >= lastBlockId
      ? null
      : { firstBlockId, lastBlockId };
  }
}

type IsFurther = (high: number, low: number, otherHigh: number, otherLow: number) => boolean;

/** The ids that are furthest to one side, the furthest first. */
class Extremes {
  readonly #isFurther: IsFurther;
  readonly #high: number[] = [];
  readonly #low: number[] = [];

  constructor(isFurther: IsFurther) {
    this.#isFurther = isFurther;
  }

  take(low: number, high: number): void {
    let place = this.#high.length;
    while (place > 0 && this.#isFurther(high, low, this.#high[place - 1], this.#low[place - 1])) place--;
    if (place > STRAYS || (place > 0 && this.#high[place - 1] === high && this.#low[place - 1] === low))
      return;
    this.#high.splice(place, 0, high);
    this.#low.splice(place, 0, low);
    if (this.#high.length <= STRAYS + 1) return;
    this.#high.pop();
    this.#low.pop();
  }

  innermost(): bigint | null {
    return this.#high.length > STRAYS
      ? (BigInt(this.#high[STRAYS]) << 32n) | BigInt(this.#low[STRAYS])
      : null;
  }
}

/** The range that contains all of them; null for none. */
export function rangeOf(ranges: readonly (BlockRange | null | undefined)[]): BlockRange | null {
  const known = ranges.filter((range) => range !== null && range !== undefined);
  if (known.length === 0) return null;
  return {
    firstBlockId: known.map((range) => range.firstBlockId).reduce((a, b) => (a < b ? a : b)),
    lastBlockId: known.map((range) => range.lastBlockId).reduce((a, b) => (a > b ? a : b)),
  };
}

/** Log blocks of one database by its id. */
export interface BlocksOfDatabase {
  readonly id: string;
  readonly range?: BlockRange | null;
}

/** True where both have log blocks of some database in common. */
export const haveCommonBlocks = (a: readonly BlocksOfDatabase[], b: readonly BlocksOfDatabase[]): boolean =>
  a.some(({ id, range }) => {
    const other = rangeOf(b.filter((each) => each.id === id).map((each) => each.range));
    if (!range || other === null) return false;
    return range.firstBlockId < other.lastBlockId && other.firstBlockId < range.lastBlockId;
  });
