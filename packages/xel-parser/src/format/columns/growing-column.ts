import { Dictionary, type TextRoom } from "./dictionary.ts";
import type { ColumnType } from "./plan.ts";

/** Values of a column, by its type and by the width that its values need. */
export type ColumnData =
  | Float64Array
  | Int32Array
  | BigUint64Array
  | BigInt64Array
  | Uint8Array
  | Uint16Array
  | Uint32Array;

/** Value of a 32-bit column of whole numbers where the event lacks the field; a column of doubles has NaN. */
export const ABSENT_INT = -2147483648;

/** Entries of a dictionary whose indices fit in 8 bits. */
const NARROW_TEXTS = 256;
/** A result with more unused room than this share of its rows frees it. */
const MOST_SLACK = 8;

/** Content of a column: requested values, or values that every event has. */
type Storage = ColumnType | "ticks" | "offset";
/** Current form of a column: 64-bit values as low and high word, so that no bigint is created per value. */
type Form = "f64" | "i32" | "u32" | "u16" | "u8" | "words";

/**
 * One column while it is filled: memory for more rows than there are, in the narrowest form that its values so far
 * allow. Memory beyond the rows is never touched, so that unused room costs addresses and nothing else.
 */
export class GrowingColumn {
  readonly name: string;
  readonly storage: Storage;
  readonly dictionary: Dictionary | undefined;
  /** Text that the dictionary keeps of a value of an action. */
  readonly textOf: (value: string) => string;
  form: Form;
  /** The values in the one form the column has; the others are empty. */
  f64 = new Float64Array(0);
  i32 = new Int32Array(0);
  u32 = new Uint32Array(0);
  u16 = new Uint16Array(0);
  u8 = new Uint8Array(0);
  /** The memory had values before, which absent ones have to overwrite. */
  #isUsed = false;

  constructor(name: string, storage: Storage, room?: TextRoom, textOf = (value: string) => value) {
    this.name = name;
    this.storage = storage;
    this.textOf = textOf;
    this.dictionary = storage === "guid" || storage === "text" ? new Dictionary(room) : undefined;
    this.form = this.#narrowest();
  }

  /** Makes room for `capacity` rows, and keeps the first `rows`. */
  grow(capacity: number, rows: number): void {
    switch (this.form) {
      case "f64":
        this.f64 = grown(this.f64, new Float64Array(capacity), rows);
        return;
      case "i32":
        this.i32 = grown(this.i32, new Int32Array(capacity), rows);
        return;
      case "u32":
        this.u32 = grown(this.u32, new Uint32Array(capacity), rows);
        return;
      case "words":
        this.u32 = grown(this.u32, new Uint32Array(capacity * 2), rows * 2);
        return;
      case "u16":
        this.u16 = grown(this.u16, new Uint16Array(capacity), rows);
        return;
      default:
        this.u8 = grown(this.u8, new Uint8Array(capacity), rows);
    }
  }

  /** Makes the rows from `from` to before `to` absent, unless fresh memory already means absent. */
  clear(from: number, to: number): void {
    if (this.form === "f64") this.f64.fill(Number.NaN, from, to);
    else if (this.form === "i32") this.i32.fill(ABSENT_INT, from, to);
    else if (this.#isUsed) this.#clearUsed(from, to);
  }

  #clearUsed(from: number, to: number): void {
    if (this.form === "words") this.u32.fill(0, 2 * from, 2 * to);
    else if (this.form === "u16") this.u16.fill(0, from, to);
    else if (this.form === "u8") this.u8.fill(0, from, to);
  }

  /** Switches to the wider form of the column's type, because a value does not fit the narrow one. */
  widen(rows: number): void {
    if (this.form === "i32") {
      const wide = new Float64Array(this.i32.length);
      for (let row = 0; row < rows; row++) {
        wide[row] = this.i32[row] === ABSENT_INT ? Number.NaN : this.i32[row];
      }
      this.f64 = wide;
      this.i32 = grown(this.i32, new Int32Array(0), 0);
      this.form = "f64";
    } else if (this.form === "u32") {
      this.f64 = new Float64Array(this.u32.length);
      this.f64.set(this.u32.subarray(0, rows));
      this.u32 = grown(this.u32, new Uint32Array(0), 0);
      this.form = "f64";
    } else if (this.form === "u8" && this.dictionary !== undefined) {
      this.u16 = new Uint16Array(this.u8.length);
      this.u16.set(this.u8.subarray(0, rows));
      this.u8 = grown(this.u8, new Uint8Array(0), 0);
      this.form = "u16";
    }
  }

  /** The first rows, which the next ones overwrite; the column starts again and keeps its memory and its form. */
  lend(rows: number): ColumnData {
    this.#isUsed = true;
    return this.#valuesOf(rows, firstOf);
  }

  /** The first rows; the column starts again without room. */
  take(rows: number): ColumnData {
    const taken = this.#valuesOf(rows, cut);
    this.f64 = new Float64Array(0);
    this.i32 = new Int32Array(0);
    this.u32 = new Uint32Array(0);
    this.u16 = new Uint16Array(0);
    this.u8 = new Uint8Array(0);
    this.form = this.#narrowest();
    this.#isUsed = false;
    return taken;
  }

  /** @param first how the first values of the column's memory are had */
  #valuesOf(rows: number, first: <T extends Memory>(from: T, values: number) => T): ColumnData {
    switch (this.form) {
      case "f64":
        return first(this.f64, rows);
      case "i32":
        return first(this.i32, rows);
      case "u32":
        return first(this.u32, rows);
      case "u16":
        return first(this.u16, rows);
      case "words": {
        const words = first(this.u32, rows * 2);
        return this.storage === "ticks"
          ? new BigInt64Array(words.buffer, 0, rows)
          : new BigUint64Array(words.buffer, 0, rows);
      }
      default:
        return first(this.u8, rows);
    }
  }

  #narrowest(): Form {
    switch (this.storage) {
      case "f64":
        return "f64";
      case "int":
        return "i32";
      case "offset":
        return "u32";
      case "u64":
      case "ticks":
        return "words";
      case "u8":
        return "u8";
      default:
        return this.dictionary!.texts.length <= NARROW_TEXTS ? "u8" : "u16";
    }
  }
}

type Memory = Float64Array | Int32Array | Uint32Array | Uint16Array | Uint8Array;

/** The larger memory with the first values of the smaller one, whose bytes are freed. */
function grown<T extends Memory>(from: T, to: T, values: number): T {
  to.set(from.subarray(0, values));
  release(from);
  return to;
}

const firstOf = <T extends Memory>(from: T, values: number): T => from.subarray(0, values) as T;

/** The first values, without a copy unless that would keep much more memory than they need. */
function cut<T extends Memory>(from: T, values: number): T {
  if ((from.length - values) * MOST_SLACK <= values) return firstOf(from, values);
  const to = from.slice(0, values) as T;
  release(from);
  return to;
}

/** Frees memory at once; where the engine cannot, its garbage collector does so later. */
function release(memory: Memory): void {
  const buffer = memory.buffer as ArrayBuffer & { transfer?: (length: number) => ArrayBuffer };
  buffer.transfer?.(0);
}
