import { BaseType } from "../constants.ts";
import { ansiText, bytesAt, unicodeText } from "../text.ts";

const SLOTS = 256;
/** Bytes of a word: texts are compared, and slots chosen, by words. */
const WORD_BYTES = 4;
/** Longer values are rarely the same twice, and comparing them gains less. */
const MOST_BYTES = 1024;

/**
 * Recently read texts, each in the slot that its bytes select: names of logins, programs and computers are the same in
 * event after event, and comparing bytes takes a tenth of decoding them. Events that are kept share the texts as well.
 */
export class RecentTexts {
  readonly #texts: (string | undefined)[] = Array.from({ length: SLOTS });
  readonly #lengths = new Uint16Array(SLOTS);
  readonly #types = new Uint8Array(SLOTS);
  /** Bytes of the texts; created with the first text. */
  #bytes: DataView | undefined;

  /**
   * The text of bytes that are all in the view.
   * @param type `ansiString`, or another base type of text, which is UTF-16
   */
  textOf(view: DataView, at: number, length: number, type: number): string {
    if (length < WORD_BYTES || length > MOST_BYTES) return decoded(view, at, length, type);
    const slot = slotOf(view, at, length);
    const text = this.#texts[slot];
    if (text !== undefined && this.#isIn(slot, view, at, length, type)) return text;
    const made = decoded(view, at, length, type);
    this.#bytes ??= new DataView(new ArrayBuffer(SLOTS * MOST_BYTES));
    bytesAt(this.#bytes, slot * MOST_BYTES, length).set(bytesAt(view, at, length));
    this.#lengths[slot] = length;
    this.#types[slot] = type;
    this.#texts[slot] = made;
    return made;
  }

  #isIn(slot: number, view: DataView, at: number, length: number, type: number): boolean {
    if (this.#lengths[slot] !== length || this.#types[slot] !== type) return false;
    const bytes = this.#bytes!;
    const from = slot * MOST_BYTES;
    const last = length - WORD_BYTES;
    for (let index = 0; index < last; index += WORD_BYTES) {
      if (bytes.getInt32(from + index) !== view.getInt32(at + index)) return false;
    }
    return bytes.getInt32(from + last) === view.getInt32(at + last);
  }
}

function decoded(view: DataView, at: number, length: number, type: number): string {
  if (length === 0) return "";
  return type === BaseType.ansiString ? ansiText(view, at, length) : unicodeText(view, at, length);
}

/** By the words at the beginning, in the middle and at the end. */
function slotOf(view: DataView, at: number, length: number): number {
  const first = view.getInt32(at, true);
  const middle = view.getInt32(at + ((length - WORD_BYTES) >> 1), true);
  const last = view.getInt32(at + length - WORD_BYTES, true);
  const mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(middle, 0x85ebca6b) ^ Math.imul(last, 0xc2b2ae35);
  return Math.imul(mixed ^ length, 0x27d4eb2f) >>> 24;
}
