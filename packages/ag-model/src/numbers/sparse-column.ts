/** Memory: decision 130: times of blocks take 4 bytes per event. Without it the simple way is typed arrays, 183 bytes per block and replica. */
import { ColumnPacker, PackedColumn, type PackedParts } from "./packed-column.ts";

/** A column in which many rows have no value: a bit for each row, and the values of those that have one, packed. */
export interface SparseParts {
  readonly length: number;
  /** The lowest bit of a byte is that of its first row. */
  readonly known: Uint8Array;
  readonly values: PackedParts;
}

const packer = new ColumnPacker();
const ROOM = 1_024;
const room = new Float64Array(ROOM);

/** Packs a column. @param absent value of a row without a value, such as NaN. @returns null where no row has a value */
export function packSparse(
  column: Float64Array | Int32Array | Uint16Array | Uint8Array,
  absent: number,
): SparseParts | null {
  const { length } = column;
  const known = new Uint8Array(Math.ceil(length / 8));
  const found = new Float64Array(ROOM);
  let any = false;
  for (let from = 0; from < length; from += ROOM) {
    const end = Math.min(from + ROOM, length);
    // One type of array for the loop below: a loop for all would be several times slower.
    room.set(column.subarray(from, end));
    const count = keepKnown({ values: room, first: from, length: end - from, absent }, known, found);
    packer.add(found, 0, count);
    any ||= count > 0;
  }
  const values = packer.finish();
  return any ? { length, known, values } : null;
}

interface Part {
  readonly values: Float64Array;
  /** Row of the first value. */
  readonly first: number;
  readonly length: number;
  readonly absent: number;
}

/** @returns how many values were kept */
function keepKnown({ values, first, length, absent }: Part, known: Uint8Array, to: Float64Array): number {
  let count = 0;
  for (let i = 0; i < length; i += 8) {
    const end = Math.min(i + 8, length);
    let bits = 0;
    for (let k = i; k < end; k++) {
      const value = values[k];
      if (value === absent || value !== value) continue;
      bits |= 1 << (k & 7);
      to[count++] = value;
    }
    known[(first + i) >> 3] = bits;
  }
  return count;
}

/** Writes the values of all rows. */
export function readSparse(column: SparseParts | null, absent: number, to: Float64Array): void {
  if (column === null) {
    to.fill(absent);
    return;
  }
  const { known } = column;
  const values = new PackedColumn(column.values);
  values.read(0, to.subarray(0, values.length));
  // From the last row on: a value moves after all that are still to be read.
  for (let row = to.length - 1, next = values.length - 1; row > next; row--) {
    if (((known[row >> 3] >> (row & 7)) & 1) === 1) to[row] = to[next--];
    else to[row] = absent;
  }
}
