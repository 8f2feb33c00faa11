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

/** How a column's open page is made, what a full page becomes, and the widest form its pages may have. */
type Storage = ColumnType | "ticks" | "offset";

/**
 * One column while it is filled: an open page that rows are written to, and the full pages before it in as few bytes
 * per row as their values allow. Pages keep memory near the result's size where a growing array would need thrice that.
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
  #full: ColumnData[] = [];

  constructor(name: string, storage: Storage) {
    this.name = name;
    this.storage = storage;
    this.dictionary = storage === "guid" || storage === "text" ? new Dictionary() : undefined;
  }

  /** Opens a page for `rows` rows, every value absent. */
  open(rows: number): void {
    switch (this.storage) {
      case "f64":
      case "int":
      case "offset":
        this.f64 = new Float64Array(rows).fill(Number.NaN);
        return;
      case "u64":
      case "ticks":
        this.words = new Uint32Array(rows * 2);
        return;
      case "u8":
        this.u8 = new Uint8Array(rows);
        return;
      default:
        this.u16 = new Uint16Array(rows);
    }
  }

  /** Puts the open page's first rows away. The page itself is not to be written again before `open`. */
  close(rows: number): void {
    this.#full.push(this.#narrowed(rows));
  }

  /** All rows put away, in the widest form any page needed; the pages are given up. */
  take(rows: number): ColumnData {
    const pages = this.#full;
    this.#full = [];
    if (pages.length === 1 && pages[0].buffer.byteLength === pages[0].byteLength) return pages[0];
    const joined = this.#empty(pages, rows);
    let at = 0;
    for (const page of pages) {
      copy(page, joined, at);
      at += page.length;
      release(page);
    }
    return joined;
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

  #empty(pages: readonly ColumnData[], rows: number): ColumnData {
    switch (this.storage) {
      case "f64":
        return new Float64Array(rows);
      case "int":
        return pages.some(isWide) ? new Float64Array(rows) : new Int32Array(rows);
      case "offset":
        return pages.some(isWide) ? new Float64Array(rows) : new Uint32Array(rows);
      case "u64":
        return new BigUint64Array(rows);
      case "ticks":
        return new BigInt64Array(rows);
      case "u8":
        return new Uint8Array(rows);
      default:
        return pages.some((page) => page instanceof Uint16Array)
          ? new Uint16Array(rows)
          : new Uint8Array(rows);
    }
  }
}

/** Rows of a page, doubling so that a small file costs little and a large one few pages. */
export function nextPageRows(rows: number): number {
  return Math.min(Math.max(rows * 2, FIRST_ROWS), MOST_ROWS);
}

function isWide(page: ColumnData): boolean {
  return page instanceof Float64Array;
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

/** Gives a page's memory back at once; where the engine cannot, its garbage collector does so later. */
function release(page: ColumnData): void {
  const buffer = page.buffer as ArrayBuffer & { transfer?: (length: number) => ArrayBuffer };
  buffer.transfer?.(0);
}
