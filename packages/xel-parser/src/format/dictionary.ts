/** Index of a value in a dictionary column; 0 stands for "the event has no such value". */
export const ABSENT = 0;

// Indices are 16 bits wide.
const MOST_VALUES = 0xffff;

/** What becomes of values beyond 65,535 different ones: they share one entry. */
const OTHERS = "(other values)";

interface Entry {
  readonly bytes: Uint8Array;
  readonly index: number;
}

/** The distinct texts of a column. Looks bytes up by content, so a text is decoded once and not once per event. */
export class Dictionary {
  /** Texts by index; entry 0 is the absent one and empty. */
  readonly texts: string[] = [""];
  readonly #byText = new Map<string, number>();
  readonly #byHash = new Map<number, Entry[]>();

  /** Index of the text that `decode` makes of these bytes. `salt` tells apart encodings of the same bytes. */
  ofBytes(view: DataView, at: number, length: number, salt: number, decode: () => string): number {
    const hash = hashOf(view, at, length, salt);
    const entries = this.#byHash.get(hash);
    if (entries !== undefined) {
      for (const entry of entries) if (sameBytes(entry, view, at, length)) return entry.index;
    }
    const index = this.ofText(decode());
    const bytes = new Uint8Array(view.buffer, view.byteOffset + at, length).slice();
    if (entries !== undefined) entries.push({ bytes, index });
    else if (this.#byHash.size < MOST_VALUES) this.#byHash.set(hash, [{ bytes, index }]);
    return index;
  }

  /** Index of a text, which is added when it is new. */
  ofText(text: string): number {
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    if (this.texts.length === MOST_VALUES) this.texts.push(OTHERS);
    if (this.texts.length > MOST_VALUES) return MOST_VALUES;
    const index = this.texts.push(text) - 1;
    this.#byText.set(text, index);
    return index;
  }
}

/** FNV-1a over the bytes; the salt takes part so that one text in two encodings is two keys. */
function hashOf(view: DataView, at: number, length: number, salt: number): number {
  let hash = 0x811c9dc5 ^ salt;
  for (let index = 0; index < length; index++) hash = Math.imul(hash ^ view.getUint8(at + index), 0x01000193);
  return hash;
}

function sameBytes(entry: Entry, view: DataView, at: number, length: number): boolean {
  if (entry.bytes.length !== length) return false;
  for (let index = 0; index < length; index++)
    if (entry.bytes[index] !== view.getUint8(at + index)) return false;
  return true;
}
