/** The log_block_ids of one server's events as numbers from 0, so that no question needs a search or a map per event. */
import { gatherUint32, GrowingColumn } from "../../numbers/index.ts";
import { ascendingOrder, type UniqueIds } from "./ascending-ids.ts";
import { BlockMap } from "./block-map.ts";

/** Each log_block_id that a server's events name, once and ascending. 0 is the id of events without one. */
export interface NumberedIds extends UniqueIds {
  /** By number: the place of the id in the ascending list. */
  readonly place: Uint32Array;
}

/** Number of ids whose numbers are found without a search; events of one block are near each other. */
const RECENT = 1_024;

/** Low and high word of each 64-bit value at 2 i and 2 i + 1; a view. */
export const wordsOf = ({ buffer, byteOffset, length }: BigUint64Array | BigInt64Array): Uint32Array =>
  new Uint32Array(buffer, byteOffset, 2 * length);

/** Numbers the ids of one server's events, which arrive in one or several parts, in the order of their first event. */
export class IdNumbers {
  readonly #all = new BlockMap();
  readonly #recentHigh = new Uint32Array(RECENT);
  readonly #recentLow = new Uint32Array(RECENT);
  readonly #recentNumber = new Int32Array(RECENT).fill(-1);
  readonly #high = new GrowingColumn(Uint32Array);
  readonly #low = new GrowingColumn(Uint32Array);

  /** How many ids there are so far. */
  get length(): number {
    return this.#high.length;
  }

  /**
   * Number of the id of each event of the next part.
   * @param words of its log_block_ids (`wordsOf`)
   * @param numberOf is filled
   */
  of(words: Uint32Array, numberOf: Uint32Array = new Uint32Array(words.length / 2)): Uint32Array {
    const recentHigh = this.#recentHigh;
    const recentLow = this.#recentLow;
    const recentNumber = this.#recentNumber;
    for (let i = 0; i < numberOf.length; i++) {
      const low = words[2 * i];
      const high = words[2 * i + 1];
      const slot = (low ^ (low >>> 12) ^ (high << 7)) & (RECENT - 1);
      if (recentLow[slot] === low && recentHigh[slot] === high && recentNumber[slot] >= 0) {
        numberOf[i] = recentNumber[slot];
        continue;
      }
      const number = this.#numberOf(high, low);
      numberOf[i] = number;
      recentHigh[slot] = high;
      recentLow[slot] = low;
      recentNumber[slot] = number;
    }
    return numberOf;
  }

  #numberOf(high: number, low: number): number {
    const known = this.#all.get(high, low);
    if (known >= 0) return known;
    const number = this.#high.more(1);
    this.#low.more(1);
    this.#high.room[number] = high;
    this.#low.room[number] = low;
    this.#all.set(high, low, number);
    return number;
  }

  /** Makes room for this many ids in total. */
  reserve(length: number): void {
    this.#all.reserve(length);
    this.#high.reserve(length);
    this.#low.reserve(length);
  }

  /** The ids so far in ascending order. */
  ascending(): NumberedIds {
    const ids = { high: this.#high.values(), low: this.#low.values() };
    const order = ascendingOrder(ids);
    const place = new Uint32Array(order.length);
    for (let k = 0; k < order.length; k++) place[order[k]] = k;
    return { high: gatherUint32(ids.high, order), low: gatherUint32(ids.low, order), place };
  }
}
