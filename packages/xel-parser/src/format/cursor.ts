import { guidText } from "./text.ts";

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

  /** A UTF-16LE string ended by a zero unit (xel-format 1). */
  wideString(): string {
    let text = "";
    for (let unit = this.u16(); unit !== 0; unit = this.u16()) text += String.fromCharCode(unit);
    return text;
  }

  #advance(bytes: number): number {
    const at = this.position;
    this.position += bytes;
    return at;
  }
}
