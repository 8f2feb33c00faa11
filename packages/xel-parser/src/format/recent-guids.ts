const SLOTS = 256;
const WORDS = 4;

/**
 * Recently read GUIDs, each in the slot that its bytes select: a capture has few and repeats them in nearly every
 * event, so that the value of one can be found by comparing four words.
 */
export class RecentGuids<T> {
  readonly #words = new Int32Array(SLOTS * WORDS);
  readonly #values: (T | undefined)[] = Array.from({ length: SLOTS });

  /** Value for the GUID at a place; undefined when it is not among the last ones. */
  find(view: DataView, at: number): T | undefined {
    const first = view.getInt32(at, true);
    const last = view.getInt32(at + 12, true);
    const slot = slotOf(first, last);
    const words = this.#words;
    return words[slot * WORDS] === first &&
      words[slot * WORDS + 1] === view.getInt32(at + 4, true) &&
      words[slot * WORDS + 2] === view.getInt32(at + 8, true) &&
      words[slot * WORDS + 3] === last
      ? this.#values[slot]
      : undefined;
  }

  put(view: DataView, at: number, value: T): void {
    const slot = slotOf(view.getInt32(at, true), view.getInt32(at + 12, true));
    for (let word = 0; word < WORDS; word++) {
      this.#words[slot * WORDS + word] = view.getInt32(at + word * 4, true);
    }
    this.#values[slot] = value;
  }
}

function slotOf(first: number, last: number): number {
  return Math.imul(first ^ last, 0x9e3779b1) >>> 24;
}
