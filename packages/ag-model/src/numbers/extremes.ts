/** Least of the values from index `from` up to `end`; NaN is skipped, and NaN is the result without values. */
export function smallest(values: ArrayLike<number>, from = 0, end = values.length): number {
  let found = Number.NaN;
  const stop = Math.min(end, values.length);
  if (values instanceof Float64Array) return smallestIn(values, from, stop);
  for (let i = from; i < stop; i++) if (!(values[i] >= found) && !Number.isNaN(values[i])) found = values[i];
  return found;
}

/** Largest of the values from index `from` up to `end`; NaN is skipped, and NaN is the result without values. */
export function largest(values: ArrayLike<number>, from = 0, end = values.length): number {
  let found = Number.NaN;
  const stop = Math.min(end, values.length);
  if (values instanceof Float64Array) return largestIn(values, from, stop);
  for (let i = from; i < stop; i++) if (!(values[i] <= found) && !Number.isNaN(values[i])) found = values[i];
  return found;
}

/**
 * Columns have loops of their own: one that also handles lists takes ten times as long. Every comparison with NaN is
 * false.
 */
function smallestIn(column: Float64Array, from: number, stop: number): number {
  let found = Infinity;
  let isAny = false;
  for (let i = from; i < stop; i++) {
    if (column[i] < found) found = column[i];
    if (column[i] <= Infinity) isAny = true;
  }
  return isAny ? found : Number.NaN;
}

function largestIn(column: Float64Array, from: number, stop: number): number {
  let found = -Infinity;
  let isAny = false;
  for (let i = from; i < stop; i++) {
    if (column[i] > found) found = column[i];
    if (column[i] >= -Infinity) isAny = true;
  }
  return isAny ? found : Number.NaN;
}

/** Difference of each value to that of another column; NaN where one of the two is NaN. */
export function differences(values: Float64Array, others: Float64Array): Float64Array {
  const found = new Float64Array(values.length);
  for (let i = 0; i < found.length; i++) found[i] = values[i] - others[i];
  return found;
}

/**
 * Largest value up to each row; NaN is skipped, -Infinity before the first value. Ends of blocks do not ascend (a slow
 * block outlasts the next ones), but their running maximum does: a binary search in it finds the first row that can
 * still reach into a range.
 */
export function runningMaximum(values: Float64Array): Float64Array {
  let highest = Number.NEGATIVE_INFINITY;
  return values.map((value) => (highest = value > highest ? value : highest));
}
