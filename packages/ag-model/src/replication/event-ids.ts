/** The log_block_ids of one server's events as numbers from 0, so that no question needs a search or a map per event. */
import { gatherUint32 } from "../numbers/index.ts";
import { ascendingOrder, type UniqueIds } from "./ascending-ids.ts";
import { BlockMap } from "./block-map.ts";

/** Each log_block_id that a server's events name, once and ascending. 0 is the id of events without one. */
export interface NumberedIds extends UniqueIds {
  /** Number of each event's id, in the order in which they come first. */
  readonly numberOf: Uint32Array;
  /** By number: the place of the id in the ascending list. */
  readonly place: Uint32Array;
}

/** Ids of which the numbers are at hand without a search; events of one block come near each other. */
const RECENT = 1_024;

/** Low and high word of each id at 2 i and 2 i + 1; a view. */
export const wordsOf = ({ buffer, byteOffset, length }: BigUint64Array): Uint32Array =>
  new Uint32Array(buffer, byteOffset, 2 * length);

/** Numbers the ids of a server's events. */
export function numberIds(blockId: BigUint64Array): NumberedIds {
  const words = wordsOf(blockId);
  const { numberOf, firstEvents } = numberedByArrival(words);
  const high = new Uint32Array(firstEvents.length);
  const low = new Uint32Array(firstEvents.length);
  for (let n = 0; n < firstEvents.length; n++) {
    low[n] = words[2 * firstEvents[n]];
    high[n] = words[2 * firstEvents[n] + 1];
  }
  const order = ascendingOrder({ high, low });
  const place = new Uint32Array(order.length);
  for (let k = 0; k < order.length; k++) place[order[k]] = k;
  return { high: gatherUint32(high, order), low: gatherUint32(low, order), numberOf, place };
}

/** Numbers in the order in which the ids come first, and the event that each came first with. */
function numberedByArrival(words: Uint32Array): { numberOf: Uint32Array; firstEvents: number[] } {
  const numberOf = new Uint32Array(words.length / 2);
  const firstEvents: number[] = [];
  const all = new BlockMap();
  const recentHigh = new Uint32Array(RECENT);
  const recentLow = new Uint32Array(RECENT);
  const recentNumber = new Int32Array(RECENT).fill(-1);
  for (let i = 0; i < numberOf.length; i++) {
    const low = words[2 * i];
    const high = words[2 * i + 1];
    const slot = (low ^ (low >>> 12) ^ (high << 7)) & (RECENT - 1);
    if (recentLow[slot] === low && recentHigh[slot] === high && recentNumber[slot] >= 0) {
      numberOf[i] = recentNumber[slot];
      continue;
    }
    let number = all.get(high, low);
    if (number < 0) {
      number = firstEvents.push(i) - 1;
      all.set(high, low, number);
    }
    numberOf[i] = number;
    recentHigh[slot] = high;
    recentLow[slot] = low;
    recentNumber[slot] = number;
  }
  return { numberOf, firstEvents };
}
