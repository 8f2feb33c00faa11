import { BaseType } from "../constants.ts";
import { bytesAt } from "../text.ts";
import type { ValuePlan } from "../events/record-plan.ts";

/** What the text of a dropped value begins with, where it has room for it. */
export const DROPPED_TEXT = "(dropped)";

const BLANK = 0x20;
/** Bytes that hold no event become this one, with which neither a buffer nor a record can begin; zeros stay. */
const NOTHING = 0xff;

/** Overwrites bytes that are neither zero nor overwritten. @returns how many */
export function clearBytes(bytes: Uint8Array): number {
  let cleared = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === 0 || bytes[at] === NOTHING) continue;
    bytes[at] = NOTHING;
    cleared++;
  }
  return cleared;
}

/** Changes to the bytes of a buffer, made on a copy that exists once there is one. Positions are bytes from the view's start. */
export class BufferEdit {
  readonly #view: DataView;
  #copy: Uint8Array | undefined;
  #from = Infinity;
  #to = 0;
  /** Values that were overwritten. */
  values = 0;
  /** Bytes between values that were overwritten. */
  bytes = 0;

  constructor(view: DataView) {
    this.#view = view;
  }

  /** Overwrites the bytes of a value: text by a mark and blanks, anything else by zeros. What is empty stays empty. */
  dropValue(at: number, length: number, { base }: ValuePlan, keeps?: (at: number) => boolean): void {
    const old = bytesAt(this.#view, at, length);
    let isChanged = false;
    for (let index = 0; index < length; index++) {
      const byte = droppedByte(base, index, length);
      if (old[index] === byte || keeps?.(at + index) === true) continue;
      this.#write(at + index, byte);
      isChanged = true;
    }
    if (isChanged) this.values++;
  }

  /** Overwrites bytes that belong to no value. */
  clear(from: number, to: number): void {
    if (to <= from) return;
    const bytes = bytesAt(this.#view, from, to - from).slice();
    const cleared = clearBytes(bytes);
    if (cleared === 0) return;
    this.bytes += cleared;
    for (let index = 0; index < bytes.length; index++) this.#write(from + index, bytes[index]);
  }

  /** The changed stretch; undefined when nothing changed. */
  get changed(): { readonly from: number; readonly bytes: Uint8Array } | undefined {
    if (this.#copy === undefined) return undefined;
    return { from: this.#from, bytes: this.#copy.subarray(this.#from, this.#to) };
  }

  /** Writes what differs from the buffer's own bytes into others of the changed stretch. */
  mergeInto(bytes: Uint8Array): void {
    const { changed } = this;
    if (changed === undefined) return;
    const old = bytesAt(this.#view, changed.from, changed.bytes.length);
    changed.bytes.forEach((byte, index) => {
      if (byte !== old[index]) bytes[index] = byte;
    });
  }

  #write(at: number, byte: number): void {
    this.#copy ??= bytesAt(this.#view, 0, this.#view.byteLength).slice();
    this.#copy[at] = byte;
    this.#from = Math.min(this.#from, at);
    this.#to = Math.max(this.#to, at + 1);
  }
}

function droppedByte(base: number, index: number, length: number): number {
  if (base === BaseType.ansiString) return textByte(index, length);
  if (base !== BaseType.unicodeString && base !== BaseType.xml) return 0;
  return index % 2 === 1 ? 0 : textByte(index >> 1, length >> 1);
}

function textByte(index: number, length: number): number {
  return length < DROPPED_TEXT.length ? BLANK : (DROPPED_TEXT.codePointAt(index) ?? BLANK);
}
