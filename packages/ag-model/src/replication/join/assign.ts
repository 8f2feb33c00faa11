/**
 * The assignment problem: assigns a column of its own to each of `few` rows so that the sum of the costs is least. By
 * shortest augmenting paths (Jonker and Volgenant): row after row is placed, and each displaced row takes the next best
 * column.
 * @param few rows, not more than `many` columns
 * @param cost finite
 * @returns column of each row
 */
export function assign(few: number, many: number, cost: (row: number, column: number) => number): Int32Array {
  const rowPrice = new Float64Array(few + 1);
  const columnPrice = new Float64Array(many + 1);
  // Row of each column; columns and rows count from 1, and column 0 represents the row that is being placed.
  const rowOf = new Int32Array(many + 1);
  for (let row = 1; row <= few; row++) {
    rowOf[0] = row;
    const cameFrom = placeRow(rowOf, rowPrice, columnPrice, cost);
    for (let column = cameFrom.last; column !== 0;) {
      const before = cameFrom.columns[column];
      rowOf[column] = rowOf[before];
      column = before;
    }
  }
  const columnOf = new Int32Array(few);
  for (let column = 1; column <= many; column++)
    if (rowOf[column] > 0) columnOf[rowOf[column] - 1] = column - 1;
  return columnOf;
}

/** Finds the cheapest way from the row in column 0 to a free column; each column's predecessor on it, and the free one. */
function placeRow(
  rowOf: Int32Array,
  rowPrice: Float64Array,
  columnPrice: Float64Array,
  cost: (row: number, column: number) => number,
): { readonly columns: Int32Array; readonly last: number } {
  const many = rowOf.length - 1;
  const least = new Float64Array(many + 1).fill(Infinity);
  const columns = new Int32Array(many + 1);
  const isDone = new Uint8Array(many + 1);
  let here = 0;
  do {
    isDone[here] = 1;
    const row = rowOf[here];
    let step = Infinity;
    let next = 0;
    for (let column = 1; column <= many; column++) {
      if (isDone[column] === 1) continue;
      const extra = cost(row - 1, column - 1) - rowPrice[row] - columnPrice[column];
      if (extra < least[column]) {
        least[column] = extra;
        columns[column] = here;
      }
      if (least[column] < step) {
        step = least[column];
        next = column;
      }
    }
    for (let column = 0; column <= many; column++) {
      if (isDone[column] === 1) {
        rowPrice[rowOf[column]] += step;
        columnPrice[column] -= step;
      } else least[column] -= step;
    }
    here = next;
  } while (rowOf[here] !== 0);
  return { columns, last: here };
}
