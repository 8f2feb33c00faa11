/**
 * Puts the value of a rank (0 for the smallest) at its index, what is smaller before it and what is larger behind it
 * (Hoare's selection). The values must hold no NaN; those before index `from` must be in place already, those from index `end` on stay where they are.
 */
export function placeRank(values: Float64Array, rank: number, from = 0, end = values.length): void {
  let low = from;
  let high = end - 1;
  while (low < high) {
    const pivot = middleOfThree(values[low], values[(low + high) >> 1], values[high]);
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

const middleOfThree = (a: number, b: number, c: number): number =>
  Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
