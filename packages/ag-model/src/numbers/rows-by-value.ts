/**
 * Speed: decision 89: a quarter of the time of one sort by all bits. Without it the simple way is to sort pairs of
 * rows, 20 times as long.
 *
 * Rows in order of their value, for columns of millions: values are put into buckets by their highest bits, then each
 * bucket, small enough for the processor's cache, is sorted by the other bits. Sorting the complete column by its bits
 * takes four times as long, comparing pairs of rows twenty times.
 */

import { ascendingHigh, halvesOf } from "./value-bits.ts";

/** First bits of a value that decide its bucket: sign, exponent and eight of the mantissa. */
const BUCKET_BITS = 20;
/** Fewer values are one bucket: to process all possible buckets would take longer than sorting. */
const FEW_VALUES = 1 << 15;
/** Neighboring buckets are merged up to this many values. */
const BUCKET_VALUES = 8_192;
/** Bits that one pass over a bucket sorts by. */
const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;
const PASSES = 6;

/** Values with their rows. */
interface ValuedRows {
  readonly value: Float64Array;
  readonly row: Uint32Array;
}

/** Rows with a value (not NaN) in ascending order of it, rows of equal value ascending. */
export function rowsByValue(values: Float64Array): Uint32Array {
  const { rows, starts } = values.length <= FEW_VALUES ? inOneBucket(values) : inBuckets(values);
  let room = roomFor(0);
  for (let bucket = 0; bucket + 1 < starts.length; bucket++) {
    const size = starts[bucket + 1] - starts[bucket];
    if (room.row.length < size) room = roomFor(2 * size);
    sortByBits(part(rows, starts[bucket], starts[bucket + 1]), part(room, 0, size));
  }
  return rows.row;
}

const roomFor = (size: number): ValuedRows => ({ value: new Float64Array(size), row: new Uint32Array(size) });

const part = ({ value, row }: ValuedRows, from: number, end: number): ValuedRows => ({
  value: value.subarray(from, end),
  row: row.subarray(from, end),
});

interface Buckets {
  /** Bucket by bucket, ascending rows within each. */
  readonly rows: ValuedRows;
  /** First place of each bucket, and the end. */
  readonly starts: Uint32Array;
}

function inOneBucket(values: Float64Array): Buckets {
  const rows = roomFor(values.length);
  let known = 0;
  for (let row = 0; row < values.length; row++) {
    if (Number.isNaN(values[row])) continue;
    rows.value[known] = values[row] + 0;
    rows.row[known++] = row;
  }
  return { rows: part(rows, 0, known), starts: Uint32Array.of(0, known) };
}

function inBuckets(values: Float64Array): Buckets {
  const next = new Uint32Array(1 << BUCKET_BITS);
  // Only NaN differs from itself.
  for (let row = 0; row < values.length; row++)
    if (values[row] === values[row]) next[highBits(values[row])]++;
  const starts = [0];
  let known = 0;
  for (let bits = 0; bits < next.length; bits++) {
    const count = next[bits];
    if (known + count - starts[starts.length - 1] > BUCKET_VALUES) starts.push(known);
    next[bits] = known;
    known += count;
  }
  starts.push(known);
  const rows = roomFor(known);
  for (let row = 0; row < values.length; row++) {
    const value = values[row];
    if (value !== value) continue;
    const place = next[highBits(value)]++;
    rows.value[place] = value + 0;
    rows.row[place] = row;
  }
  return { rows, starts: Uint32Array.from(starts) };
}

const double = new Float64Array(1);
const words = halvesOf(double);

/** The first bits as a number that ascends with the value; -0 becomes 0, which it equals (little endian). */
function highBits(value: number): number {
  double[0] = value + 0;
  return ascendingHigh(words[1]) >>> (32 - BUCKET_BITS);
}

/** Digit `pass` of a value, the lowest first, from its two words. */
function digitOf(low: number, high: number, pass: number): number {
  const bit = pass * DIGIT_BITS;
  const above = ascendingHigh(high);
  if (bit >= 32) return (above >>> (bit - 32)) & (DIGITS - 1);
  const below = (low ^ (high >> 31)) >>> bit;
  return (bit + DIGIT_BITS > 32 ? below | (above << (32 - bit)) : below) & (DIGITS - 1);
}

/** Sorts rows by their value, in place; rows of equal value stay in their order. @param room of the same size */
function sortByBits(rows: ValuedRows, room: ValuedRows): void {
  let [from, to] = [rows, room];
  const counts = new Uint32Array(DIGITS);
  for (let pass = 0; pass < PASSES; pass++) {
    const bits = halvesOf(from.value);
    counts.fill(0);
    for (let i = 0; i < from.row.length; i++) counts[digitOf(bits[2 * i], bits[2 * i + 1], pass)]++;
    if (!makeStarts(counts, from.row.length)) continue;
    for (let i = 0; i < from.row.length; i++) {
      const place = counts[digitOf(bits[2 * i], bits[2 * i + 1], pass)]++;
      to.value[place] = from.value[i];
      to.row[place] = from.row[i];
    }
    [from, to] = [to, from];
  }
  if (from !== rows) rows.row.set(from.row);
}

/** Counts of digits become their first places. @returns false when all have the same digit */
function makeStarts(counts: Uint32Array, total: number): boolean {
  let start = 0;
  for (let digit = 0; digit < counts.length; digit++) {
    const count = counts[digit];
    if (count === total) return false;
    counts[digit] = start;
    start += count;
  }
  return true;
}
