import { Dictionary } from "./dictionary.ts";
import type { ColumnType } from "./plan.ts";

/** Values of a column, by its type and by what its values need. */
export type ColumnData =
  | Float64Array
  | Int32Array
  | BigUint64Array
  | BigInt64Array
  | Uint8Array
  | Uint16Array
  | Uint32Array;

/** What a column of whole numbers holds in 32 bits where the event lacks the field; as doubles it holds NaN. */
export const ABSENT_INT = -2147483648;

const FIRST_ROWS = 256;
const MOST_ROWS = 32_768;
const NARROW_TEXTS = 256;
const WORD = 4294967296;

/** The request's types, and those of the columns every batch has. */
type Storage = ColumnType | "ticks" | "offset";

/**
 * One column while it is filled: a page that rows are written to, and the rows before it in as few bytes as their values
 * allow. Memory for rows doubles but is not touched before it is needed, so that the column takes what its rows take.
 */
export class PagedColumn {
  readonly name: string;
  readonly storage: Storage;
  readonly dictionary: Dictionary | undefined;
  /** The open page in the one form this column has; the others are empty. */
  f64 = new Float64Array(0);
  u8 = new Uint8Array(0);
  u16 = new Uint16Array(0);
  /** 64-bit values as low and high word, so that no bigint is made per value. */
  words = new Uint32Array(0);
  #kept: ColumnData;

  constructor(name: string, storage: Storage) {
    this.name = name;
    this.storage = storage;
    this.dictionary = storage === "guid" || storage === "text" ? new Dictionary() : undefined;
    this.#kept = emptyData(storage, 0);
  }

  /** Opens a page for `rows` rows, every value absent; the last page's memory serves again. */
  open(rows: number): void {
    switch (this.storage) {
      case "f64":
      case "int":
      case "offset":
        if (this.f64.length !== rows) this.f64 = new Float64Array(rows);
        this.f64.fill(Number.NaN);
        return;
      case "u64":
      case "ticks":
        if (this.words.length === rows * 2) this.words.fill(0);
        else this.words = new Uint32Array(rows * 2);
        return;
      case "u8":
        if (this.u8.length === rows) this.u8.fill(0);
        else this.u8 = new Uint8Array(rows);
        return;
      default:
        if (this.u16.length === rows) this.u16.fill(0);
        else this.u16 = new Uint16Array(rows);
    }
  }

  /** Puts the open page's first rows behind the `kept` ones put away before. */
  close(rows: number, kept: number): void {
    const page = this.#narrowed(rows);
    if (isWider(page, this.#kept)) this.#keepIn(dataLike(page, this.#kept.length), kept);
    if (kept + rows > this.#kept.length) {
      const capacity = Math.max(kept * 2, kept + rows);
      this.#keepIn(dataLike(this.#kept, capacity), kept);
    }
    copy(page, this.#kept, kept);
  }

  /** The rows put away; the column is empty afterwards. */
  take(rows: number): ColumnData {
    if (this.#kept.length !== rows) this.#keepIn(dataLike(this.#kept, rows), rows);
    const taken = this.#kept;
    this.#kept = emptyData(this.storage, 0);
    return taken;
  }

  #keepIn(larger: ColumnData, rows: number): void {
    copy(this.#kept.subarray(0, rows), larger, 0);
    release(this.#kept);
    this.#kept = larger;
  }

  #narrowed(rows: number): ColumnData {
    switch (this.storage) {
      case "f64":
        return this.f64.subarray(0, rows);
      case "int":
        return asInts(this.f64, rows);
      case "offset":
        return this.f64[rows - 1] < WORD
          ? new Uint32Array(this.f64.subarray(0, rows))
          : this.f64.subarray(0, rows);
      case "u64":
        return new BigUint64Array(this.words.buffer, 0, rows);
      case "ticks":
        return new BigInt64Array(this.words.buffer, 0, rows);
      case "u8":
        return this.u8.subarray(0, rows);
      default: {
        const page = this.u16.subarray(0, rows);
        return this.dictionary!.texts.length <= NARROW_TEXTS ? new Uint8Array(page) : page;
      }
    }
  }
}

/** Rows of a page, doubling so that a small file costs little and a large one few pages. */
export function nextPageRows(rows: number): number {
  return Math.min(Math.max(rows * 2, FIRST_ROWS), MOST_ROWS);
}

/** Memory for a column that has no wide value yet. */
function emptyData(storage: Storage, rows: number): ColumnData {
  switch (storage) {
    case "f64":
      return new Float64Array(rows);
    case "int":
      return new Int32Array(rows);
    case "offset":
      return new Uint32Array(rows);
    case "u64":
      return new BigUint64Array(rows);
    case "ticks":
      return new BigInt64Array(rows);
    default:
      return new Uint8Array(rows);
  }
}

function dataLike(data: ColumnData, rows: number): ColumnData {
  const Data = data.constructor as new (length: number) => ColumnData;
  return new Data(rows);
}

/** Whether a page has a value that needs more bytes than the rows before it. */
function isWider(page: ColumnData, kept: ColumnData): boolean {
  return page.BYTES_PER_ELEMENT > kept.BYTES_PER_ELEMENT;
}

/** The values in 32 bits if all of them fit, else as they are. */
function asInts(values: Float64Array, rows: number): Int32Array | Float64Array {
  const ints = new Int32Array(rows);
  for (let row = 0; row < rows; row++) {
    const value = values[row];
    const int = value | 0;
    if (int === value && int !== ABSENT_INT) ints[row] = int;
    else if (Number.isNaN(value)) ints[row] = ABSENT_INT;
    else return values.subarray(0, rows);
  }
  return ints;
}

function copy(page: ColumnData, to: ColumnData, at: number): void {
  if (page instanceof Int32Array && to instanceof Float64Array) {
    for (let row = 0; row < page.length; row++) {
      to[at + row] = page[row] === ABSENT_INT ? Number.NaN : page[row];
    }
  } else {
    // Both hold numbers, or both bigints, as they are of one column.
    (to as Uint8Array).set(page as Uint8Array, at);
  }
}

/** Gives memory back at once; where the engine cannot, its garbage collector does so later. */
function release(data: ColumnData): void {
  const buffer = data.buffer as ArrayBuffer & { transfer?: (length: number) => ArrayBuffer };
  buffer.transfer?.(0);
}
