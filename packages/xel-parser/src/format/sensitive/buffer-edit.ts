import { BaseType } from "../constants.ts";
import { bytesAt } from "../text.ts";
import type { ValuePlan } from "../events/record-plan.ts";

/** Start of the text of a dropped value, where the value is long enough. */
export const DROPPED_TEXT = "(dropped)";

const MARK = new TextEncoder().encode(DROPPED_TEXT);
const BLANK = 0x20;
/** Value for bytes outside of events; neither a buffer nor a record can begin with it; zeros stay. */
const NOTHING = 0xff;

/** Overwrites bytes that are neither zero nor overwritten. @returns the number of overwritten bytes */
export function clearBytes(bytes: Uint8Array): number {
  let cleared = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === 0 || bytes[at] === NOTHING) continue;
    bytes[at] = NOTHING;
    cleared++;
  }
  return cleared;
}

/**
 * Changes to the bytes of a buffer, on a copy that is created with the first change. Positions are bytes from the
 * view's start.
 */
export class BufferEdit {
  readonly #old: Uint8Array;
  #copy: Uint8Array | undefined;
  #from = Infinity;
  #to = 0;
  /** Values that were overwritten. */
  values = 0;
  /** Bytes after values of actions that were overwritten. */
  bytes = 0;

  constructor(view: DataView) {
    this.#old = bytesAt(view, 0, view.byteLength);
  }

  /** Overwrites the bytes of a value: text by a mark and blanks, anything else by zeros. An empty value stays empty. */
  dropValue(at: number, length: number, { base }: ValuePlan, keeps?: (at: number) => boolean): void {
    if (at + length > this.#old.length) throw new RangeError("outside the buffer");
    const unitBytes = unitBytesOf(base);
    const marked = length / unitBytes < MARK.length ? 0 : MARK.length;
    const old = this.#old;
    const copy = this.#writable();
    let first = -1;
    let last = -1;
    for (let index = 0; index < length; index++) {
      const byte = droppedByte(unitBytes, marked, index);
      if (old[at + index] === byte || (keeps !== undefined && keeps(at + index))) continue;
      copy[at + index] = byte;
      if (first === -1) first = index;
      last = index;
    }
    if (last === -1) return;
    this.values++;
    this.#noteChange(at + first, at + last + 1);
  }

  /** Overwrites bytes that belong to no value. */
  clear(from: number, to: number): void {
    if (to <= from) return;
    if (to > this.#old.length) throw new RangeError("outside the buffer");
    const bytes = this.#old.slice(from, to);
    const cleared = clearBytes(bytes);
    if (cleared === 0) return;
    this.bytes += cleared;
    this.#writable().set(bytes, from);
    this.#noteChange(from, to);
  }

  /** The changed range; undefined when nothing changed. */
  get changed(): { readonly from: number; readonly bytes: Uint8Array } | undefined {
    if (this.#copy === undefined || this.#to === 0) return undefined;
    return { from: this.#from, bytes: this.#copy.subarray(this.#from, this.#to) };
  }

  /** Writes the bytes that differ from the buffer's own into other bytes of the changed range. */
  mergeInto(bytes: Uint8Array): void {
    const { changed } = this;
    if (changed === undefined) return;
    const old = this.#old.subarray(changed.from);
    changed.bytes.forEach((byte, index) => {
      if (byte !== old[index]) bytes[index] = byte;
    });
  }

  #writable(): Uint8Array {
    this.#copy ??= this.#old.slice();
    return this.#copy;
  }

  #noteChange(from: number, to: number): void {
    this.#from = Math.min(this.#from, from);
    this.#to = Math.max(this.#to, to);
  }
}

/** Bytes of a character of a type; 0 for a type that is no text. */
function unitBytesOf(base: number): 0 | 1 | 2 {
  if (base === BaseType.ansiString) return 1;
  return base === BaseType.unicodeString || base === BaseType.xml ? 2 : 0;
}

/** @param marked characters of the mark, 0 where it has no room */
function droppedByte(unitBytes: 0 | 1 | 2, marked: number, index: number): number {
  if (unitBytes === 0 || (unitBytes === 2 && index % 2 === 1)) return 0;
  const unit = index >> (unitBytes - 1);
  return unit < marked ? MARK[unit] : BLANK;
}
