/** Ids of log blocks in ascending order. */
import { allRows, gatherUint32, sortRows } from "../../numbers/index.ts";
import type { AscendingIds } from "./block-finder.ts";

/** Number of VLFs, counted from the first one of a capture, whose ids one double represents exactly. */
const EXACT_VLFS = 2 ** 21;

/** Indexes of ids in ascending order; equal ones keep their order. */
export function ascendingOrder({ high, low }: AscendingIds): Uint32Array {
  const order = allRows(high.length);
  if (areAscending(high, low)) return order;
  const [least, most] = extremes(high);
  if (most - least >= EXACT_VLFS || !(extremes(low)[1] < 2 ** 32))
    return order.sort((a, b) => high[a] - high[b] || low[a] - low[b]);
  const keys = new Float64Array(high.length);
  for (let i = 0; i < keys.length; i++) keys[i] = (high[i] - least) * 2 ** 32 + low[i];
  return sortRows(order, keys);
}

/** Blocks of one server are nearly always in this order. */
function areAscending(high: Uint32Array, low: ArrayLike<number>): boolean {
  for (let i = 1; i < high.length; i++)
    if (high[i] < high[i - 1] || (high[i] === high[i - 1] && low[i] < low[i - 1])) return false;
  return true;
}

function extremes(values: ArrayLike<number>): [number, number] {
  let least = Infinity;
  let most = -Infinity;
  for (let i = 0; i < values.length; i++) {
    if (values[i] < least) least = values[i];
    if (values[i] > most) most = values[i];
  }
  return [least, most];
}

export interface UniqueIds {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
}

/** Each id once, ascending. */
export function uniqueIds(ids: UniqueIds): UniqueIds {
  const order = ascendingOrder(ids);
  const high = gatherUint32(ids.high, order);
  const low = gatherUint32(ids.low, order);
  let n = 0;
  for (let i = 0; i < high.length; i++) {
    if (n > 0 && high[i] === high[n - 1] && low[i] === low[n - 1]) continue;
    high[n] = high[i];
    low[n] = low[i];
    n++;
  }
  return { high: high.slice(0, n), low: low.slice(0, n) };
}

/** Each id of two ascending lists once, ascending. */
export function mergedIds(a: UniqueIds, b: UniqueIds): UniqueIds {
  const [inA, inB] = [a.high.length, b.high.length];
  const high = new Uint32Array(inA + inB);
  const low = new Uint32Array(inA + inB);
  let [i, j, n] = [0, 0, 0];
  while (i < inA || j < inB) {
    const order = i === inA ? 1 : j === inB ? -1 : a.high[i] - b.high[j] || a.low[i] - b.low[j];
    high[n] = order <= 0 ? a.high[i] : b.high[j];
    low[n] = order <= 0 ? a.low[i] : b.low[j];
    n++;
    if (order <= 0) i++;
    if (order >= 0) j++;
  }
  return { high: high.slice(0, n), low: low.slice(0, n) };
}

/** Ids of some rows, in their order. @param words of a column of ids, the low word of each first (`wordsOf`) */
export function idsOfRows(words: Uint32Array, rows: Uint32Array): { high: Uint32Array; low: Uint32Array } {
  const high = new Uint32Array(rows.length);
  const low = new Uint32Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    low[i] = words[2 * rows[i]];
    high[i] = words[2 * rows[i] + 1];
  }
  return { high, low };
}
