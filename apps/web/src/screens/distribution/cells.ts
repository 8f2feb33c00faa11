/** Figures of one column of a picture of cells: counts[column * rows + row], rows from the shortest duration up. */

/** All values of a column. */
export function columnTotal(counts: readonly number[], column: number, rows: number): number {
  let n = 0;
  for (let row = 0; row < rows; row++) n += counts[column * rows + row]!;
  return n;
}

/** The middle of the row that contains a column's median, in rows from the bottom; null for an empty column. */
export function medianRow(counts: readonly number[], column: number, rows: number): number | null {
  const n = columnTotal(counts, column, rows);
  if (n === 0) return null;
  let passed = 0;
  for (let row = 0; row < rows; row++) {
    passed += counts[column * rows + row]!;
    if (2 * passed >= n) return row + 0.5;
  }
  return null;
}

/** Place of a duration on a picture of logarithmic rows, from the bottom; bins of one width. */
export function rowAt(edges: readonly number[], us: number): number {
  const [low, high] = [edges[0]!, edges.at(-1)!];
  return (Math.log(us / low) / Math.log(high / low)) * (edges.length - 1);
}
