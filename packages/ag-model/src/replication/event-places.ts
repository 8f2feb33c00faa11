/** Where each event of one server lies, for the index of raw events. */
import type { EventColumns } from "../events/index.ts";
import { GrowingColumn } from "../numbers/index.ts";

/** In the order of publish time. */
export interface EventPlaces {
  /** Number of each event's own block; -1 for an event of a foreign database. */
  readonly blockOf: Int32Array;
  /** When each fired, µs of the server's counter; NaN where it has no start_timestamp. */
  readonly fire: Float64Array;
  /** Index into the server's files. */
  readonly file: Uint16Array;
  /** Byte offset of the event record in its file. */
  readonly offset: Float64Array;
  /** Row of each single event (`single-events.ts`). */
  readonly single: Uint32Array;
}

/** Gathers the places of one server's events, which come in one or several parts. */
export class PlacesOfParts {
  readonly #blockOf = new GrowingColumn(Int32Array);
  readonly #fire = new GrowingColumn(Float64Array);
  readonly #file = new GrowingColumn(Uint16Array);
  readonly #offset = new GrowingColumn(Float64Array);

  /** Takes the files and offsets of the next events. @returns where their blocks and instants have to be written */
  add({ length, file, offset }: EventColumns): Pick<EventPlaces, "blockOf" | "fire"> {
    const first = this.#blockOf.more(length);
    this.#fire.more(length);
    this.#file.add(file);
    this.#offset.add(offset);
    return {
      blockOf: this.#blockOf.room.subarray(first, first + length),
      fire: this.#fire.room.subarray(first, first + length),
    };
  }

  /** Makes room for so many in all. */
  reserve(length: number): void {
    for (const column of [this.#blockOf, this.#fire, this.#file, this.#offset]) column.reserve(length);
  }

  /** @param single row of each single event */
  finish(single: Uint32Array): EventPlaces {
    return {
      blockOf: this.#blockOf.values(),
      fire: this.#fire.values(),
      file: this.#file.values(),
      offset: this.#offset.values(),
      single,
    };
  }
}
