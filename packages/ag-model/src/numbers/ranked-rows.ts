import { placeRank } from "./selection.ts";

/**
 * The first `count` of `rows` in order of their value: rows of equal value in their order, rows without a value (NaN)
 * last. Only the requested rows are sorted; the others are only compared with the last of them.
 */
export function rankedRows(
  column: Float64Array,
  rows: Uint32Array,
  count: number,
  order: "ascending" | "descending",
): Uint32Array {
  const sign = order === "descending" ? -1 : 1;
  const values = new Float64Array(rows.length);
  let known = 0;
  for (const row of rows) if (!Number.isNaN(column[row])) values[known++] = sign * column[row];
  const wanted = Math.min(count, known);
  const ranked = sortedByValue(column, sign, upToRank(column, rows, sign, values.subarray(0, known), wanted));
  if (known >= count) return ranked;
  const without = rowsWithout(column, rows, count - known);
  const all = new Uint32Array(ranked.length + without.length);
  all.set(ranked);
  all.set(without, ranked.length);
  return all;
}

/** The `wanted` rows of the least values, in the order given. @param values of all rows that have one; is reordered */
function upToRank(
  column: Float64Array,
  rows: Uint32Array,
  sign: number,
  values: Float64Array,
  wanted: number,
): Uint32Array {
  const found = new Uint32Array(wanted);
  if (wanted === 0) return found;
  placeRank(values, wanted - 1);
  const last = values[wanted - 1];
  let below = 0;
  for (const value of values.subarray(0, wanted)) if (value < last) below++;
  let equal = wanted - below;
  let n = 0;
  for (const row of rows) {
    const value = sign * column[row];
    if (value < last || (value === last && equal-- > 0)) found[n++] = row;
    if (n === wanted) break;
  }
  return found;
}

/** Sorting is stable: rows of equal value stay in the order given. */
const sortedByValue = (column: Float64Array, sign: number, rows: Uint32Array): Uint32Array =>
  rows.sort((a, b) => sign * (column[a] - column[b]));

const rowsWithout = (column: Float64Array, rows: Uint32Array, count: number): Uint32Array =>
  rows.filter((row) => Number.isNaN(column[row])).subarray(0, count);
