/**
 * First index from 0 to `length` at which `isReached` is true, by binary search; `length` when it is false everywhere.
 * @param isReached false up to some index and true from there on
 */
export function firstIndexWhere(length: number, isReached: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isReached(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** First index of an ascending column whose value is at or after `value`; its length when all values are before it. */
export function firstAtOrAfter<Value extends number | bigint>(
  ascending: ArrayLike<Value>,
  value: Value,
): number {
  return firstIndexWhere(ascending.length, (index) => !(ascending[index] < value));
}
