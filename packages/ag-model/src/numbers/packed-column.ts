/**
 * Memory: decision 131: 5 to 8 instead of 18 bytes per event. Without it the simple way is typed arrays.
 *
 * Columns of numbers whose neighbors are close to each other, in few bytes: 256 consecutive values are kept as their
 * differences from the least, in one, two or four bytes as these need, or unpacked where that would not be exact. Any
 * number is found without the others.
 */

import { GrowingColumn } from "./growing-column.ts";

/** Number of consecutive values that are packed together. */
export const CHUNK_VALUES = 256;
const CHUNK_BITS = 8;
const WITHIN = CHUNK_VALUES - 1;

/** Chunks begin at multiples of it, so that each is a typed array over the bytes. */
const ALIGNMENT = 8;

/** Bytes of an unpacked value. */
const WHOLE = 8;

/** Parts of a packed column; each but `length` and `bytes` by chunk. */
export interface PackedParts {
  readonly length: number;
  /** Least and greatest value; Infinity and -Infinity where all are NaN. */
  readonly base: Float64Array;
  readonly top: Float64Array;
  /** Bytes of each difference: 0 where all values are the same, 1, 2, 4; 8 for unpacked values. */
  readonly width: Uint8Array;
  /** Byte at which the chunk begins; one entry more, the end. */
  readonly start: Int32Array;
  /** Little endian. */
  readonly bytes: Uint8Array;
}

/** A packed column (`packColumn`), for reading. */
export class PackedColumn {
  readonly parts: PackedParts;
  readonly #bytes: Uint8Array;
  readonly #words: Uint16Array;
  readonly #doubleWords: Uint32Array;
  readonly #doubles: Float64Array;

  constructor(parts: PackedParts) {
    this.parts = parts;
    const { bytes } = parts;
    const { buffer, byteOffset, byteLength } = byteOffset8(bytes) ? bytes : bytes.slice();
    this.#bytes = new Uint8Array(buffer, byteOffset, byteLength);
    this.#words = new Uint16Array(buffer, byteOffset, byteLength / 2);
    this.#doubleWords = new Uint32Array(buffer, byteOffset, byteLength / 4);
    this.#doubles = new Float64Array(buffer, byteOffset, byteLength / 8);
  }

  get length(): number {
    return this.parts.length;
  }

  /** The value of a row from 0 to `length` - 1. */
  at(row: number): number {
    const { base, width, start } = this.parts;
    const chunk = row >>> CHUNK_BITS;
    const within = row & WITHIN;
    const from = start[chunk];
    switch (width[chunk]) {
      case 0:
        return base[chunk];
      case 1:
        return base[chunk] + this.#bytes[from + within];
      case 2:
        return base[chunk] + this.#words[from / 2 + within];
      case 4:
        return base[chunk] + this.#doubleWords[from / 4 + within];
      default:
        return this.#doubles[from / 8 + within];
    }
  }

  /** The values of the rows from `from` on, up to the length of `to`: several times as fast as one by one. */
  read(from: number, to: Float64Array): void {
    for (let row = from, end = from + to.length; row < end;) {
      const chunk = row >>> CHUNK_BITS;
      const stop = Math.min(end, (chunk + 1) * CHUNK_VALUES);
      this.#readChunk(chunk, row & WITHIN, to.subarray(row - from, stop - from));
      row = stop;
    }
  }

  #readChunk(chunk: number, within: number, to: Float64Array): void {
    const { base, width, start } = this.parts;
    const first = start[chunk];
    switch (width[chunk]) {
      case 0:
        to.fill(base[chunk]);
        return;
      case 1:
        return addBytes(base[chunk], this.#bytes, first + within, to);
      case 2:
        return addWords(base[chunk], this.#words, first / 2 + within, to);
      case 4:
        return addDoubleWords(base[chunk], this.#doubleWords, first / 4 + within, to);
      default: {
        const from = first / 8 + within;
        to.set(this.#doubles.subarray(from, from + to.length));
      }
    }
  }

  /** The rows with a value, ascending: chunks that can't contain it are skipped. */
  rowsOf(value: number): number[] {
    const { base, top } = this.parts;
    const rows: number[] = [];
    for (let chunk = 0; chunk < base.length; chunk++) {
      if (value < base[chunk] || value > top[chunk]) continue;
      const end = Math.min(this.length, (chunk + 1) * CHUNK_VALUES);
      for (let row = chunk * CHUNK_VALUES; row < end; row++) if (this.at(row) === value) rows.push(row);
    }
    return rows;
  }
}

const byteOffset8 = ({ byteOffset }: Uint8Array): boolean => byteOffset % ALIGNMENT === 0;

/** Packs a column whose values arrive in order, some at a time; it needs little more memory than its result. */
export class ColumnPacker {
  readonly #room = new Float64Array(CHUNK_VALUES);
  /** Values in `#room`. */
  #waiting = 0;
  #length = 0;
  readonly #base = new GrowingColumn(Float64Array);
  readonly #top = new GrowingColumn(Float64Array);
  readonly #width = new GrowingColumn(Uint8Array);
  readonly #start = new GrowingColumn(Int32Array);
  readonly #bytes = new GrowingColumn(Uint8Array);
  #views = viewsOf(this.#bytes.room);
  readonly #isForeseen: boolean;

  /**
   * @param foreseen approximate number of values, and of bytes each: columns get their room at once and are not copied
   */
  constructor(foreseen?: { readonly values: number; readonly bytesEach: number }) {
    this.#isForeseen = foreseen !== undefined;
    if (foreseen === undefined) return;
    const chunks = Math.ceil(foreseen.values / CHUNK_VALUES);
    for (const column of [this.#base, this.#top, this.#width, this.#start]) column.reserve(chunks + 1);
    this.#bytes.reserve((chunks + 1) * CHUNK_VALUES * foreseen.bytesEach);
  }

  /** Takes the values from `from` to before `end`. */
  add(values: Float64Array | Int32Array | Uint16Array, from = 0, end = values.length): void {
    for (let next = from; next < end;) {
      if (this.#waiting === 0 && values instanceof Float64Array && end - next >= CHUNK_VALUES) {
        this.#writeChunk(values, next, CHUNK_VALUES);
        next += CHUNK_VALUES;
        continue;
      }
      const more = Math.min(end - next, CHUNK_VALUES - this.#waiting);
      this.#room.set(values.subarray(next, next + more), this.#waiting);
      next += more;
      this.#waiting += more;
      if (this.#waiting === CHUNK_VALUES) this.#writeWaiting();
    }
  }

  #writeWaiting(): void {
    this.#writeChunk(this.#room, 0, this.#waiting);
    this.#waiting = 0;
  }

  #writeChunk(values: Float64Array, from: number, length: number): void {
    let base = Infinity;
    let top = -Infinity;
    for (let i = from; i < from + length; i++) {
      if (values[i] < base) base = values[i];
      if (values[i] > top) top = values[i];
    }
    const first = this.#bytes.length;
    const width = write({ values, from, length, base }, widthOf(top - base), this.#viewsWithRoom(), first);
    const bytes = width * length;
    const aligned = Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
    this.#bytes.more(aligned);
    this.#bytes.room.fill(0, first + bytes, first + aligned);
    const chunk = this.#base.more(1);
    this.#top.more(1);
    this.#width.more(1);
    this.#start.more(1);
    this.#base.room[chunk] = base;
    this.#top.room[chunk] = top;
    this.#width.room[chunk] = width;
    this.#start.room[chunk] = first;
    this.#length += length;
  }

  /** The bytes, with room after them for a chunk of any width. */
  #viewsWithRoom(): Views {
    const column = this.#bytes;
    const { length } = column.room;
    const least = column.length + CHUNK_VALUES * WHOLE;
    if (length < least) column.reserve(Math.max(least, length + ALIGNMENT * (length >> 4)));
    if (column.room !== this.#views.bytes) this.#views = viewsOf(column.room);
    return this.#views;
  }

  /** The column. Without reserved room it is in memory of its own, and the packer restarts empty. */
  finish(): PackedParts {
    if (this.#waiting > 0) this.#writeWaiting();
    this.#start.add(Int32Array.of(this.#bytes.length));
    const length = this.#length;
    this.#length = 0;
    const [base, top, width, start, bytes] = [this.#base, this.#top, this.#width, this.#start, this.#bytes];
    if (!this.#isForeseen)
      return {
        length,
        base: base.take(),
        top: top.take(),
        width: width.take(),
        start: start.take(),
        bytes: bytes.take(),
      };
    // Reserved room without values was never written: it uses addresses and no memory.
    return {
      length,
      base: base.values(),
      top: top.values(),
      width: width.values(),
      start: start.values(),
      bytes: bytes.values(),
    };
  }
}

/** Bytes as numbers of each width; their length is a multiple of the largest. */
interface Views {
  readonly bytes: Uint8Array;
  readonly words: Uint16Array;
  readonly doubleWords: Uint32Array;
  readonly doubles: Float64Array;
}

const viewsOf = (bytes: Uint8Array): Views => ({
  bytes,
  words: new Uint16Array(bytes.buffer),
  doubleWords: new Uint32Array(bytes.buffer),
  doubles: new Float64Array(bytes.buffer),
});

/**
 * Packs a column.
 * @param fill writes the values of the rows from `from` on, up to the length of its output
 */
export function packColumn(length: number, fill: (values: Float64Array, from: number) => void): PackedColumn {
  const packer = new ColumnPacker();
  const room = new Float64Array(CHUNK_VALUES);
  for (let from = 0; from < length; from += CHUNK_VALUES) {
    const values = room.subarray(0, Math.min(CHUNK_VALUES, length - from));
    fill(values, from);
    packer.add(values);
  }
  return new PackedColumn(packer.finish());
}

const widthOf = (span: number): number =>
  span === 0 ? 0 : span < 0x100 ? 1 : span < 0x10000 ? 2 : span < 0x1_0000_0000 ? 4 : WHOLE;

/** Values of a column that are written together. */
interface Chunk {
  readonly values: Float64Array;
  /** Place of the first of them. */
  readonly from: number;
  readonly length: number;
  /** The smallest of them. */
  readonly base: number;
}

/** Writes a chunk's values at a byte, as differences from `base` where these are exact. @returns bytes of each */
function write(
  chunk: Chunk,
  width: number,
  { bytes, words, doubleWords, doubles }: Views,
  at: number,
): number {
  const { values, from, length } = chunk;
  const isExact =
    width === 0
      ? areAll(chunk)
      : width === 1
        ? writeBytes(chunk, bytes, at)
        : width === 2
          ? writeWords(chunk, words, at / 2)
          : width === 4 && writeDoubleWords(chunk, doubleWords, at / 4);
  if (isExact) return width;
  for (let i = 0; i < length; i++) doubles[at / WHOLE + i] = values[from + i];
  return WHOLE;
}

// Each type of array has a function of its own: one for all would be several times slower. A value that is NaN or no
// whole number does not survive the conversion.

function areAll({ values, from, length, base }: Chunk): boolean {
  for (let i = from; i < from + length; i++) if (values[i] !== base) return false;
  return true;
}

function writeBytes({ values, from, length, base }: Chunk, to: Uint8Array, at: number): boolean {
  for (let i = 0; i < length; i++) {
    const value = values[from + i];
    to[at + i] = value - base;
    if (base + to[at + i] !== value) return false;
  }
  return true;
}

function writeWords({ values, from, length, base }: Chunk, to: Uint16Array, at: number): boolean {
  for (let i = 0; i < length; i++) {
    const value = values[from + i];
    to[at + i] = value - base;
    if (base + to[at + i] !== value) return false;
  }
  return true;
}

function writeDoubleWords({ values, from, length, base }: Chunk, to: Uint32Array, at: number): boolean {
  for (let i = 0; i < length; i++) {
    const value = values[from + i];
    to[at + i] = value - base;
    if (base + to[at + i] !== value) return false;
  }
  return true;
}

function addBytes(base: number, from: Uint8Array, at: number, to: Float64Array): void {
  for (let i = 0; i < to.length; i++) to[i] = base + from[at + i];
}

function addWords(base: number, from: Uint16Array, at: number, to: Float64Array): void {
  for (let i = 0; i < to.length; i++) to[i] = base + from[at + i];
}

function addDoubleWords(base: number, from: Uint32Array, at: number, to: Float64Array): void {
  for (let i = 0; i < to.length; i++) to[i] = base + from[at + i];
}

/** The chunks of several columns, one column after the other, to be kept together; `columnOfChunks` separates them. */
export function joinedChunks(columns: readonly PackedColumn[]): PackedParts {
  const parts = columns.map((column) => column.parts);
  const chunks = parts.reduce((sum, { width }) => sum + width.length, 0);
  const joined = {
    length: parts.reduce((sum, { length }) => sum + length, 0),
    base: new Float64Array(chunks),
    top: new Float64Array(chunks),
    width: new Uint8Array(chunks),
    start: new Int32Array(chunks + 1),
    bytes: new Uint8Array(parts.reduce((sum, { bytes }) => sum + bytes.length, 0)),
  };
  let chunk = 0;
  for (const { base, top, width, start, bytes } of parts) {
    joined.base.set(base, chunk);
    joined.top.set(top, chunk);
    joined.width.set(width, chunk);
    const first = joined.start[chunk];
    joined.bytes.set(bytes, first);
    joined.start.set(
      start.map((byte) => first + byte),
      chunk,
    );
    chunk += width.length;
  }
  return joined;
}

/** Chunks `from` to before `end` as a column. @param length values in them */
export function columnOfChunks(parts: PackedParts, from: number, end: number, length: number): PackedColumn {
  const first = parts.start[from];
  return new PackedColumn({
    length,
    base: parts.base.subarray(from, end),
    top: parts.top.subarray(from, end),
    width: parts.width.subarray(from, end),
    start: parts.start.subarray(from, end + 1).map((byte) => byte - first),
    bytes: parts.bytes.subarray(first, parts.start[end]),
  });
}
