/**
 * Memory: decision 130: 7.5 instead of 22 bytes per event. Without it the simple way is a column each for file, offset
 * and time.
 *
 * Positions of one server's events, for the index of raw events: packed part by part while events are prepared, so that
 * an event takes some seven bytes until the model places it (decision 130).
 */
import { ColumnPacker, PackedColumn, type PackedParts } from "../../numbers/index.ts";
import { EventEnds, type FiredPlaces } from "./event-ends.ts";

/** In the order of publish time, or nearly so where not each event is kept. */
export interface EventPlaces {
  readonly length: number;
  readonly parts: readonly PlacesPart[];
}

/** Events after each other; columns have a row for each. */
interface PlacesPart {
  /** Number of each event's own block; -1 for an event of a foreign database. */
  readonly block: PackedParts;
  /**
   * When each fired, µs of the server's counter; for an event without start_timestamp, when the one before it fired.
   */
  readonly fire: PackedParts;
  /** Index into the server's files. */
  readonly file: PackedParts;
  /** Byte offset of the event record in its file. */
  readonly offset: PackedParts;
  /** A bit for each event, the lowest of a byte first: 1 for a single event (`single-events.ts`). */
  readonly single: Uint8Array;
}

/** Events after each other, unpacked. */
export interface PlacedRun {
  readonly length: number;
  readonly block: Float64Array;
  readonly fire: Float64Array;
  readonly file: Float64Array;
  readonly offset: Float64Array;
  /** 1 for each single event. */
  readonly isSingle: Uint8Array;
  /** Number of the first single event among these. */
  readonly firstSingle: number;
}

/** A part has this many events or a few more: the memory for packing stays small, and so does the number of parts. */
const PART_EVENTS = 1 << 20;
/** Largest number of events per batch, which stay in the processor's cache. */
const STRETCH_EVENTS = 1 << 14;

/** Choice of the event places that are kept. */
export interface KeptPlaces {
  /**
   * True keeps each event with its offset, to list events (`ModelWants.eventIndex`); otherwise only the events that
   * `EventEnds` keeps, without offsets.
   */
  readonly ofEach?: boolean;
}

/** Packs the places of one server's events, which arrive in one or several parts. */
export class PlacesOfParts {
  readonly #ends: EventEnds | null;
  readonly #block = new ColumnPacker();
  readonly #fire = new ColumnPacker();
  readonly #file = new ColumnPacker();
  readonly #offset = new ColumnPacker();
  readonly #single = new Uint8Array((2 * PART_EVENTS) / 8);
  #lastFire = 0;
  readonly #parts: PlacesPart[] = [];
  #inPart = 0;
  #length = 0;

  constructor({ ofEach = true }: KeptPlaces = {}) {
    this.#ends = ofEach ? null : new EventEnds();
  }

  /**
   * Takes the next events, half of PART_EVENTS at most.
   * @param isSingle 1 for each single event
   */
  add(
    block: Int32Array,
    fire: Float64Array,
    { file, offset }: { readonly file: Uint16Array; readonly offset: Float64Array },
    isSingle: Uint8Array,
  ): void {
    const events = { block, fire, file, isSingle };
    if (this.#ends === null) this.#add(events, offset);
    else this.#addEnds(this.#ends.of(events));
  }

  #addEnds(events: FiredPlaces): void {
    this.#add(events, new Float64Array(events.block.length));
  }

  #add({ block, fire, file, isSingle }: FiredPlaces, offset: Float64Array): void {
    this.#block.add(block);
    this.#fire.add(this.#known(fire));
    this.#file.add(file);
    this.#offset.add(offset);
    for (let i = 0, bit = this.#inPart; i < isSingle.length; i++, bit++)
      this.#single[bit >> 3] |= isSingle[i] << (bit & 7);
    this.#inPart += block.length;
    this.#length += block.length;
    if (this.#inPart >= PART_EVENTS) this.#endPart();
  }

  /** NaN would prevent packing, and the single events show it anyway. */
  #known(fire: Float64Array): Float64Array {
    const known = new Float64Array(fire.length);
    let last = this.#lastFire;
    for (let i = 0; i < fire.length; i++) {
      if (!Number.isNaN(fire[i])) last = fire[i];
      known[i] = last;
    }
    this.#lastFire = last;
    return known;
  }

  #endPart(): void {
    this.#parts.push({
      block: this.#block.finish(),
      fire: this.#fire.finish(),
      file: this.#file.finish(),
      offset: this.#offset.finish(),
      single: this.#single.slice(0, Math.ceil(this.#inPart / 8)),
    });
    this.#single.fill(0);
    this.#inPart = 0;
  }

  finish(): EventPlaces {
    if (this.#ends !== null) this.#addEnds(this.#ends.finish());
    if (this.#inPart > 0) this.#endPart();
    return { length: this.#length, parts: this.#parts };
  }
}

/** Yields all events in batches; each batch overwrites the one before it. @param hasOffsets false skips the offsets */
export function* eventRunsOf({ parts }: EventPlaces, hasOffsets = true): Generator<PlacedRun> {
  const unpacked = UNPACKED.filter((name) => hasOffsets || name !== "offset");
  const room = { block: column(), fire: column(), file: column(), offset: column() };
  const flags = new Uint8Array(STRETCH_EVENTS);
  let firstSingle = 0;
  for (const part of parts) {
    const columns = {
      block: new PackedColumn(part.block),
      fire: new PackedColumn(part.fire),
      file: new PackedColumn(part.file),
      offset: new PackedColumn(part.offset),
    };
    for (let from = 0; from < columns.block.length; from += STRETCH_EVENTS) {
      const length = Math.min(STRETCH_EVENTS, columns.block.length - from);
      const range = {
        length,
        block: room.block.subarray(0, length),
        fire: room.fire.subarray(0, length),
        file: room.file.subarray(0, length),
        offset: room.offset.subarray(0, length),
        isSingle: flags.subarray(0, length),
        firstSingle,
      };
      for (const name of unpacked) columns[name].read(from, range[name]);
      firstSingle += readBits(part.single, from, range.isSingle);
      yield range;
    }
  }
}

const UNPACKED = ["block", "fire", "file", "offset"] as const;

const column = (): Float64Array => new Float64Array(STRETCH_EVENTS);

/** @returns how many of the bits are 1 */
function readBits(bits: Uint8Array, from: number, to: Uint8Array): number {
  let ones = 0;
  for (let i = 0, bit = from; i < to.length; i++, bit++) ones += to[i] = (bits[bit >> 3] >> (bit & 7)) & 1;
  return ones;
}
