/** The values that events share: a capture of millions of events has some fifty combinations of them. */
import { gatherEvents, joinColumns, type EventColumns } from "./columns.ts";
import { FEW_EVENTS } from "./possible-ids.ts";

/** Counts of events end here (`IdsOfParts.add`). */
const ENOUGH = FEW_EVENTS + 1;
/** Number of values that define a shape. */
const PARTS = 4;
const LEAST_SLOTS = 1_024;

/**
 * Numbers the shapes of one replica's events, which arrive in one or several parts: events of one shape have the same
 * kind, mode, database, database_id, group and replicas. A value that depends on these alone is computed once per
 * shape, and looked up by event.
 */
export class ShapeNumbers {
  readonly #known = new KnownShapes();
  readonly #examples: EventColumns[] = [];
  #count = 0;
  /** Events of each shape, up to `ENOUGH`. */
  #events = new Uint8Array(LEAST_SLOTS);

  /**
   * Shape of each event of the next part, numbered in the order of their first event: one pass over the columns of a
   * shape.
   * @param columns with the same `texts` as the parts before
   * @param shapeOf is filled
   */
  of(columns: EventColumns, shapeOf: Uint32Array = new Uint32Array(columns.length)): Uint32Array {
    const { kind, mode, database, databaseId, self, partner, group, length } = columns;
    const first: number[] = [];
    const events = this.#eventsFor(length);
    for (let i = 0; i < length; i++) {
      const shape = this.#known.numberOf(
        kind[i] | (mode[i] << 8) | (database[i] << 16),
        databaseId[i],
        self[i] | (partner[i] << 16),
        group[i],
      );
      if (shape === this.#count) {
        this.#count++;
        first.push(i);
      }
      if (events[shape] < ENOUGH) events[shape]++;
      shapeOf[i] = shape;
    }
    if (first.length > 0) this.#examples.push(gatherEvents(columns, Uint32Array.from(first)));
    return shapeOf;
  }

  /** Number of events of each shape so far, up to one more than `FEW_EVENTS`. */
  get events(): Uint8Array {
    return this.#events.subarray(0, this.#count);
  }

  /** The same with room for the shapes of more events. */
  #eventsFor(length: number): Uint8Array {
    const room = this.#count + length;
    if (this.#events.length < room) {
      const grown = new Uint8Array(Math.max(room, 2 * this.#events.length));
      grown.set(this.#events);
      this.#events = grown;
    }
    return this.#events;
  }

  /** The first event of each shape so far. */
  examples(): EventColumns {
    if (this.#examples.length !== 1) this.#examples.splice(0, Infinity, joinColumns(this.#examples));
    return this.#examples[0];
  }
}

/** Numbers combinations of four integers in the order of their first look-up; open addressing. */
class KnownShapes {
  /** The integers of slot s from 4 s on. */
  #parts = new Int32Array(PARTS * LEAST_SLOTS);
  /** -1 in a free slot. */
  #numbers = new Int32Array(LEAST_SLOTS).fill(-1);
  #size = 0;

  numberOf(a: number, b: number, c: number, d: number): number {
    const slot = this.#slotOf(a, b, c, d);
    const number = this.#numbers[slot];
    return number >= 0 ? number : this.#add(slot, a, b, c, d);
  }

  /** The slot of a combination, or the free slot for it. */
  #slotOf(a: number, b: number, c: number, d: number): number {
    const parts = this.#parts;
    const numbers = this.#numbers;
    const mask = numbers.length - 1;
    // The highest bits of the product depend on all bits of the combination; the slot number uses as many as needed.
    let slot = Math.imul(a ^ (b << 3) ^ Math.imul(c, 5) ^ (d << 7), 0x9e3779b1) >>> Math.clz32(mask);
    for (; ; slot++) {
      slot &= mask;
      const place = PARTS * slot;
      const isOwn =
        parts[place] === a && parts[place + 1] === b && parts[place + 2] === c && parts[place + 3] === d;
      if (isOwn || numbers[slot] < 0) return slot;
    }
  }

  #add(slot: number, a: number, b: number, c: number, d: number): number {
    const number = this.#size++;
    this.#parts.set([a, b, c, d], PARTS * slot);
    this.#numbers[slot] = number;
    if (2 * this.#size > this.#numbers.length) this.#grow();
    return number;
  }

  #grow(): void {
    const [parts, numbers] = [this.#parts, this.#numbers];
    this.#parts = new Int32Array(2 * parts.length);
    this.#numbers = new Int32Array(2 * numbers.length).fill(-1);
    for (const [old, number] of numbers.entries()) {
      if (number < 0) continue;
      const [a, b, c, d] = parts.subarray(PARTS * old, PARTS * old + PARTS);
      const slot = this.#slotOf(a, b, c, d);
      this.#parts.set([a, b, c, d], PARTS * slot);
      this.#numbers[slot] = number;
    }
  }
}
