/** From and to, µs. */
export type Range = readonly [number, number];

/** Whether two ranges are one but for what an address rounds. */
export const sameRange = (a: Range | null, b: Range | null): boolean =>
  a !== null && b !== null && Math.abs(a[0] - b[0]) < 1 && Math.abs(a[1] - b[1]) < 1;
