import { DEFAULT_LIMITS, type ReadLimits } from "../limits.ts";
import type { MapSchema } from "../metadata.ts";
import { RecentGuids } from "../recent-guids.ts";
import { mapText, mapTextUnits } from "../types.ts";

/** Index of a value in a dictionary column; 0 means that the event has no such value. */
export const ABSENT = 0;

// Indices are 16 bits wide.
const MOST_VALUES = 0xffff;

/** Entry that all values share for which there is no room. */
export const OTHERS = "(other values)";

const BYTES_PER_UNIT = 2;

/** The room that all dictionaries of a reading share; see `ReadLimits.dictionaryBytes`. */
export class TextRoom {
  readonly mapUnits: number;
  #left: number;

  constructor({ dictionaryBytes, mapUnits }: ReadLimits = DEFAULT_LIMITS) {
    this.#left = dictionaryBytes;
    this.mapUnits = mapUnits;
  }

  /** Reserves a number of bytes, if as many are left. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }
}

/** Further values of one hash are decoded each time, so that forged collisions do not make a search long. */
const MOST_OF_ONE_HASH = 8;

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
  /** Indices of the GUIDs met lately. */
  readonly guids = new RecentGuids<number>();
  readonly #room: TextRoom;
  /** Index of the entry for values without room; 0 while all had some. */
  #others = 0;

  constructor(room: TextRoom = new TextRoom()) {
    this.#room = room;
  }

  /** True when some values had no room. */
  get isFull(): boolean {
    return this.#others !== 0;
  }

  /** Index of these bytes, or -1 when they are new. `salt` separates encodings of the same bytes. */
  find(view: DataView, at: number, length: number, salt: number): number {
    const entries = this.#byHash.get(hashOf(view, at, length, salt));
    if (entries === undefined) return -1;
    for (const entry of entries) if (sameBytes(entry, view, at, length)) return entry.index;
    return -1;
  }

  /** Stores the text of bytes that `find` did not find, and returns its index. */
  add(view: DataView, at: number, length: number, salt: number, text: string): number {
    const index = this.ofText(text);
    const hash = hashOf(view, at, length, salt);
    const entries = this.#byHash.get(hash);
    if (entries !== undefined && entries.length >= MOST_OF_ONE_HASH) return index;
    if (entries === undefined && this.#byHash.size >= MOST_VALUES) return index;
    if (index === this.#others || !this.#room.take(length)) return index;
    const entry = { bytes: new Uint8Array(view.buffer, view.byteOffset + at, length).slice(), index };
    if (entries === undefined) this.#byHash.set(hash, [entry]);
    else entries.push(entry);
    return index;
  }

  /** Index of a text, which is added when it is new. */
  ofText(text: string): number {
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    if (this.texts.length >= MOST_VALUES || !this.#room.take(text.length * BYTES_PER_UNIT))
      return this.#other();
    const index = this.texts.push(text) - 1;
    this.#byText.set(text, index);
    return index;
  }

  /** Index of a map's code. The texts of a bit mask may be longer than their limit, which is checked before they are joined. */
  ofCode(map: MapSchema, code: number): number {
    if (map.bitmask && mapTextUnits(map, code) > this.#room.mapUnits) return this.#other();
    return this.ofText(mapText(map, code));
  }

  #other(): number {
    if (this.#others === 0) this.#others = this.texts.push(OTHERS) - 1;
    return this.#others;
  }
}

/** FNV-1a over the bytes, cut to 30 bits; the salt is included so that one text in two encodings has two keys. */
function hashOf(view: DataView, at: number, length: number, salt: number): number {
  let hash = 0x811c9dc5 ^ salt;
  for (let index = 0; index < length; index++) hash = Math.imul(hash ^ view.getUint8(at + index), 0x01000193);
  return hash & 0x3fffffff;
}

function sameBytes(entry: Entry, view: DataView, at: number, length: number): boolean {
  if (entry.bytes.length !== length) return false;
  for (let index = 0; index < length; index++)
    if (entry.bytes[index] !== view.getUint8(at + index)) return false;
  return true;
}
