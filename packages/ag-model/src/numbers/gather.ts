/**
 * Columns in another order of their rows. Each type of column has a function of its own: one for all would be several
 * times slower.
 */

/** The values of these rows, in their order. */
export function gatherFloat64(column: Float64Array, rows: Uint32Array): Float64Array {
  const gathered = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) gathered[i] = column[rows[i]];
  return gathered;
}

/**
 * The values of these rows. Consecutive rows are not copied: the result is read-only.
 * @param rows ascending, none twice
 */
export function viewOrGather(column: Float64Array, rows: Uint32Array): Float64Array {
  const [first, last] = [rows[0], rows[rows.length - 1]];
  return last - first === rows.length - 1 ? column.subarray(first, last + 1) : gatherFloat64(column, rows);
}

/** The values of these rows, in their order. */
export function gatherUint32(column: Uint32Array, rows: Uint32Array): Uint32Array {
  const gathered = new Uint32Array(rows.length);
  for (let i = 0; i < rows.length; i++) gathered[i] = column[rows[i]];
  return gathered;
}

/** The values of these rows, in their order. */
export function gatherUint16(column: Uint16Array, rows: Uint32Array): Uint16Array {
  const gathered = new Uint16Array(rows.length);
  for (let i = 0; i < rows.length; i++) gathered[i] = column[rows[i]];
  return gathered;
}

/** The values of these rows, in their order. */
export function gatherUint8(column: Uint8Array, rows: Uint32Array): Uint8Array {
  const gathered = new Uint8Array(rows.length);
  for (let i = 0; i < rows.length; i++) gathered[i] = column[rows[i]];
  return gathered;
}

/** The values of these rows, in their order. */
export function gatherInt32(column: Int32Array, rows: Uint32Array): Int32Array {
  const gathered = new Int32Array(rows.length);
  for (let i = 0; i < rows.length; i++) gathered[i] = column[rows[i]];
  return gathered;
}

/** The values of these rows, in their order. */
export function gatherInt16(column: Int16Array, rows: Uint32Array): Int16Array {
  const gathered = new Int16Array(rows.length);
  for (let i = 0; i < rows.length; i++) gathered[i] = column[rows[i]];
  return gathered;
}

/** The values of these rows, in their order. */
export function gatherBigUint64(column: BigUint64Array, rows: Uint32Array): BigUint64Array {
  // Two halves of 32 bits, because each bigint is an object.
  const halves = new Uint32Array(column.buffer, column.byteOffset, 2 * column.length);
  const gathered = new Uint32Array(2 * rows.length);
  for (let i = 0; i < rows.length; i++) {
    gathered[2 * i] = halves[2 * rows[i]];
    gathered[2 * i + 1] = halves[2 * rows[i] + 1];
  }
  return new BigUint64Array(gathered.buffer);
}
