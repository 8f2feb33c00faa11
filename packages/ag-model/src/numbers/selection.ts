/** Over this many values, a sample first narrows the range of the rank. */
const SAMPLED = 600;

/**
 * Puts the value of a rank (0 for the smallest) at its index, smaller values before it and larger values after it. The
 * values must not contain NaN; those before index `from` must be in place already, those from index `end` on stay where
 * they are.
 *
 * Floyd and Rivest's selection: where there are many values, the rank is first found in a sample of them, which nearly
 * always returns two values close around it. Each value is then compared with them one and a half times on average,
 * where a selection that halves takes three.
 */
export function placeRank(values: Float64Array, rank: number, from = 0, end = values.length): void {
  let low = from;
  let high = end - 1;
  while (low < high) {
    if (high - low > SAMPLED) placeInSample(values, rank, low, high);
    const pivot = values[rank];
    let i = low;
    let j = high;
    while (i <= j) {
      while (values[i] < pivot) i++;
      while (values[j] > pivot) j--;
      if (i > j) break;
      const value = values[i];
      values[i++] = values[j];
      values[j--] = value;
    }
    if (rank <= j) high = j;
    else if (rank >= i) low = i;
    else return;
  }
}

/** This few values are sorted by insertion, which is faster than a selection. */
export const FEW_VALUES = 24;

/** Sorts the first `count` values. */
export function sortFirst(values: Float64Array, count: number): void {
  if (count > FEW_VALUES) {
    values.subarray(0, count).sort();
    return;
  }
  for (let i = 1; i < count; i++) {
    const value = values[i];
    let place = i;
    for (; place > 0 && values[place - 1] > value; place--) values[place] = values[place - 1];
    values[place] = value;
  }
}

/** The value of a rank (0 for the smallest) of values without NaN, which are reordered. */
export function valueAtRank(values: Float64Array, rank: number): number {
  placeRank(values, rank);
  return values[rank];
}

/**
 * Number of the largest values that add up to a sum; all where they do not. Reorders the values, which are neither NaN
 * nor negative.
 */
export function countOfLargest(values: Float64Array, sum: number): number {
  if (sum <= 0) return 0;
  // From the value before `low` on they add up to it; those from `high` on add up to `above`, which is less.
  let low = 0;
  let high = values.length;
  let above = 0;
  while (low < high) {
    const middle = (low + high) >>> 1;
    placeRank(values, middle, low, high);
    let upper = above;
    for (let i = middle; i < high; i++) upper += values[i];
    if (upper >= sum) low = middle + 1;
    else {
      above = upper;
      high = middle;
    }
  }
  return Math.min(values.length, values.length - low + 1);
}

/**
 * Places the rank among the values around it that a sample of its size would contain; constants by Floyd and Rivest.
 */
function placeInSample(values: Float64Array, rank: number, low: number, high: number): void {
  const n = high - low + 1;
  const below = rank - low + 1;
  const log = Math.log(n);
  const size = 0.5 * Math.exp((2 * log) / 3);
  const spread = 0.5 * Math.sqrt((log * size * (n - size)) / n) * (below < n / 2 ? -1 : 1);
  const first = Math.max(low, Math.floor(rank - (below * size) / n + spread));
  const last = Math.min(high, Math.floor(rank + ((n - below) * size) / n + spread));
  placeRank(values, rank, first, last + 1);
}
