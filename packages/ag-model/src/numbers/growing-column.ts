type Column =
  | Float64Array
  | Float32Array
  | BigInt64Array
  | BigUint64Array
  | Uint32Array
  | Int32Array
  | Uint16Array
  | Int16Array
  | Uint8Array;

/** A wider column with the values of the old one at its beginning. @param wider filled with its value for "no value" */
export function widened<T extends { set(values: T): void }>(old: T, wider: T): T {
  wider.set(old);
  return wider;
}

/** A column whose final length is unknown. */
export class GrowingColumn<T extends Column> {
  readonly #make: new (length: number) => T;
  #values: T;
  #length = 0;
  /**
   * Number of values that fit. Where columns of many types are in use, a column's own `length` is slow to read, value
   * by value.
   */
  #most = 0;

  /** @param make the column's type */
  constructor(make: new (length: number) => T) {
    this.#make = make;
    this.#values = new make(0);
  }

  get length(): number {
    return this.#length;
  }

  /** The column so far, with room after it. A reference to it does not show values after the next `more`. */
  get room(): T {
    return this.#values;
  }

  /** Makes the column longer. @returns the place of the first new value; its values are 0 until they are written to `room` */
  more(count: number): number {
    const first = this.#length;
    const length = first + count;
    if (length > this.#most) this.#widen(Math.max(length, this.#most + (this.#most >> 1)));
    this.#length = length;
    return first;
  }

  /** Puts the values after the others. @param values a column of the same type */
  add(values: ArrayLike<number> | ArrayLike<bigint>): void {
    const first = this.more(values.length);
    (this.#values as Float64Array).set(values as ArrayLike<number>, first);
  }

  /** Makes room for this many values in total, where the number is known. */
  reserve(length: number): void {
    if (length > this.#most) this.#widen(length);
  }

  #widen(length: number): void {
    const old = this.#values;
    this.#values = new this.#make(length);
    this.#most = length;
    (this.#values as Float64Array).set(old.subarray(0, this.#length) as Float64Array);
  }

  /** The column. */
  values(): T {
    return this.#values.subarray(0, this.#length) as T;
  }

  /**
   * The column in memory of its own, without room. The growing column restarts empty and keeps its room, which still
   * contains these values.
   */
  take(): T {
    const taken = this.#values.slice(0, this.#length) as T;
    this.#length = 0;
    return taken;
  }
}
