/** Memory: decision 130: single events take 26 instead of 62 bytes each. Without it the simple way is wide columns. */
import { GrowingColumn } from "./growing-column.ts";

/** Columns of two types: the first takes half as much memory and can't represent every value of the second. */
type Narrow = Float32Array | Uint16Array;
type WideOf<T extends Narrow> = T extends Float32Array ? Float64Array : Uint32Array;

/** A column that is narrow as long as it represents each of its values exactly, and wide from then on. */
export class NarrowColumn<T extends Narrow> {
  readonly #narrow: GrowingColumn<T>;
  readonly #makeWide: new (length: number) => WideOf<T>;
  #wide: GrowingColumn<WideOf<T>> | null = null;

  constructor(makeNarrow: new (length: number) => T, makeWide: new (length: number) => WideOf<T>) {
    this.#narrow = new GrowingColumn(makeNarrow);
    this.#makeWide = makeWide;
  }

  /** Puts the values after the others. */
  add(values: WideOf<T>): void {
    if (this.#wide !== null) return this.#wide.add(values);
    const first = this.#narrow.length;
    this.#narrow.add(values);
    if (isSame(this.#narrow.room, first, values)) return;
    this.#wide = new GrowingColumn(this.#makeWide);
    this.#wide.add(this.#narrow.values().subarray(0, first));
    this.#wide.add(values);
  }

  /** Makes room for this many values in total, where the number is known. */
  reserve(length: number): void {
    (this.#wide ?? this.#narrow).reserve(length);
  }

  values(): T | WideOf<T> {
    return (this.#wide ?? this.#narrow).values();
  }
}

function isSame(narrow: Narrow, first: number, values: Float64Array | Uint32Array): boolean {
  for (let i = 0; i < values.length; i++) {
    const held = narrow[first + i];
    if (held !== values[i] && !(Number.isNaN(held) && Number.isNaN(values[i]))) return false;
  }
  return true;
}
