/** Number of slots whose keys are adjacent in memory; ids that follow each other share them. */
const NEIGHBOURS = 8;
const LEAST_SLOTS = 64;

/**
 * Row numbers by log_block_id, passed as its two words: no bigint is created per event, and no digit is lost as in one
 * double, which represents the ids of VLFs up to 2^21 only. Open addressing in typed arrays: a map of objects takes ten
 * times the time and memory with millions of blocks.
 */
export class BlockMap {
  /** High and low word of slot s at 2 s and 2 s + 1. */
  #words: Uint32Array;
  /** -1 in a free slot. */
  #values: Int32Array;
  #mask: number;
  #size = 0;

  /** @param expected number of ids for which no room has to be added */
  constructor(expected = 0) {
    let slots = LEAST_SLOTS;
    while (slots < 2 * expected) slots *= 2;
    this.#mask = slots - 1;
    this.#words = new Uint32Array(2 * slots);
    this.#values = new Int32Array(slots).fill(-1);
  }

  /** The value of an id; -1 when the id is absent. */
  get(high: number, low: number): number {
    return this.#values[this.#slotOf(high, low)];
  }

  /** @param value 0 or more */
  set(high: number, low: number, value: number): void {
    const slot = this.#slotOf(high, low);
    if (this.#values[slot] < 0) {
      this.#words[2 * slot] = high;
      this.#words[2 * slot + 1] = low;
      this.#size++;
    }
    this.#values[slot] = value;
    if (2 * this.#size > this.#mask) this.#widen(2 * this.#values.length);
  }

  /** The slot of an id, or the free slot for it. */
  #slotOf(high: number, low: number): number {
    const words = this.#words;
    const values = this.#values;
    const mask = this.#mask;
    let slot = firstSlot(high, low) & mask;
    while (values[slot] >= 0 && (words[2 * slot] !== high || words[2 * slot + 1] !== low))
      slot = (slot + 1) & mask;
    return slot;
  }

  /** Makes room for this many ids in total. */
  reserve(expected: number): void {
    let slots = this.#values.length;
    while (slots < 2 * expected) slots *= 2;
    if (slots > this.#values.length) this.#widen(slots);
  }

  #widen(slots: number): void {
    const words = this.#words;
    const values = this.#values;
    this.#mask = slots - 1;
    this.#words = new Uint32Array(2 * slots);
    this.#values = new Int32Array(slots).fill(-1);
    for (let old = 0; old < values.length; old++) {
      if (values[old] < 0) continue;
      const slot = this.#slotOf(words[2 * old], words[2 * old + 1]);
      this.#words[2 * slot] = words[2 * old];
      this.#words[2 * slot + 1] = words[2 * old + 1];
      this.#values[slot] = values[old];
    }
  }
}

/** Spreads groups of neighboring ids over all slots (the mixing steps are MurmurHash3's). */
function firstSlot(high: number, low: number): number {
  let hash = Math.imul(low >>> 3, 0xcc9e2d51) ^ Math.imul(high, 0x1b873593);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return Math.imul(hash ^ (hash >>> 16), NEIGHBOURS) + (low & (NEIGHBOURS - 1));
}
