/** The upper half of a double's bits, which orders values to its precision. */

/** Bits that ascend, taken as unsigned, with the values: those of positive doubles do by themselves, those of negative ones descend. */
export const ascendingHigh = (high: number): number => high ^ ((high >> 31) | 0x80000000);

/** The upper half of each value at the odd places, the lower one at the even (little endian). */
export const halvesOf = (values: Float64Array): Int32Array =>
  new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
