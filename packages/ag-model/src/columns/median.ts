/**
 * Median of the values that are not NaN, as percentile 50 by linear interpolation; NaN for none. Finds it by selection,
 * because a bin of a long capture holds many blocks and only two of them matter.
 */
export function median(values: Float64Array): number {
  const known = values.filter((v) => !Number.isNaN(v));
  if (known.length === 0) return Number.NaN;
  const below = (known.length - 1) >> 1;
  select(known, below);
  if (known.length % 2 === 1) return known[below];
  let above = Number.POSITIVE_INFINITY;
  for (let i = below + 1; i < known.length; i++) if (known[i] < above) above = known[i];
  return (known[below] + above) / 2;
}

/** Moves the k-th smallest value to index k, smaller ones before it and larger ones behind it (Hoare's selection). */
function select(values: Float64Array, k: number): void {
  let left = 0;
  let right = values.length - 1;
  while (left < right) {
    const pivot = values[(left + right) >>> 1];
    let i = left;
    let j = right;
    while (i <= j) {
      while (values[i] < pivot) i++;
      while (values[j] > pivot) j--;
      if (i <= j) {
        [values[i], values[j]] = [values[j], values[i]];
        i++;
        j--;
      }
    }
    if (k <= j) right = j;
    else if (k >= i) left = i;
    else return;
  }
}
