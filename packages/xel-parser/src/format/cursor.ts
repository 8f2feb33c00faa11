import { Damage } from "./errors.ts";
import { guidText } from "./text.ts";

// Bytes of a string that are decoded at once, so that it is not a chain of single characters in memory.
const TEXT_STEP = 1024;

/** Sequential little-endian reader over a DataView. Reading past the end throws RangeError. */
export class Cursor {
  readonly view: DataView;
  position: number;

  constructor(view: DataView, position: number) {
    this.view = view;
    this.position = position;
  }

  u8(): number {
    return this.view.getUint8(this.#advance(1));
  }

  u16(): number {
    return this.view.getUint16(this.#advance(2), true);
  }

  u32(): number {
    return this.view.getUint32(this.#advance(4), true);
  }

  i64(): bigint {
    return this.view.getBigInt64(this.#advance(8), true);
  }

  u64(): bigint {
    return this.view.getBigUint64(this.#advance(8), true);
  }

  guid(): string {
    return guidText(this.view, this.#advance(16));
  }

  skip(bytes: number): void {
    this.#advance(bytes);
  }

  /** A UTF-16LE string ended by a zero unit (docs/reference/xel-format.md 1). Throws Damage when it has more than `most` units. */
  wideString(most: number): string {
    const start = this.position;
    this.skipWideString(most);
    const units = (this.position - start) / 2 - 1;
    let text = "";
    for (let at = start; at < start + units * 2; at += TEXT_STEP) {
      const count = Math.min(TEXT_STEP, start + units * 2 - at) / 2;
      const codes = Array.from({ length: count }, (_, index) => this.view.getUint16(at + index * 2, true));
      text += String.fromCharCode(...codes);
    }
    return text;
  }

  /** Skips a string without decoding it. */
  skipWideString(most: number): void {
    const last = this.position + most * 2;
    while (this.u16() !== 0) {
      if (this.position > last) throw new Damage("bad-metadata", `a name is longer than ${most} characters`);
    }
  }

  #advance(bytes: number): number {
    const at = this.position;
    this.position += bytes;
    return at;
  }
}
