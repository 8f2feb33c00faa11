import { BaseType, ObjectKind } from "./constants.ts";
import { Cursor } from "./cursor.ts";
import { Damage } from "./errors.ts";
import type { PackageClock } from "./time.ts";

/** A column of an event: where its inline part is and what it holds. */
export interface ColumnSchema {
  readonly name: string;
  /** Relative object id of a TYPE or a MAP. */
  readonly type: number;
  /** Bytes from the payload's start. */
  readonly offset: number;
}

export interface EventSchema {
  readonly name: string;
  readonly uuid: string;
  readonly package: PackageSchema;
  readonly columns: readonly ColumnSchema[];
}

export interface ActionSchema {
  readonly name: string;
  readonly type: number;
}

export interface MapSchema {
  /** Bytes of the value in an event: 1, 2, 4 or 8. */
  readonly size: number;
  readonly bitmask: boolean;
  /** Texts by code as int32. */
  readonly texts: ReadonlyMap<number, string>;
}

export interface PackageSchema extends PackageClock {
  readonly name: string;
}

const COLLECTIONS = 8;
const BITMASK_CAPABILITY = 1;
const GUID_POINTER = (ObjectKind.type << 28) | (BaseType.guidPointer << 10);
const POINTER = (ObjectKind.type << 28) | (BaseType.pointer << 10);

/** Kind of the object a relative id names (xel-format 1). */
export function kindOf(rid: number): number {
  return rid >>> 28;
}

/** Index of the object in its package's collection (xel-format 1). */
export function indexOf(rid: number): number {
  return (rid >>> 10) & 0x3ffff;
}

/**
 * Everything the metadata buffers read so far have told: packages, events, actions and maps by relative object id.
 * A later record adds objects or replaces them; a package's first clock stays (xel-format 3.4).
 */
export class Schema {
  readonly packages = new Map<number, PackageSchema>();
  readonly events = new Map<number, EventSchema>();
  readonly actions = new Map<number, ActionSchema>();
  readonly maps = new Map<number, MapSchema>();
  pointerSize = 8;
  /** Counts metadata buffers, so that what was compiled from older metadata can be told. */
  generation = 0;

  /**
   * Reads the package records of one metadata buffer (xel-format 3). Throws Damage or RangeError when a record is
   * damaged; the records before it stay.
   */
  addBuffer(view: DataView, dataOffset: number, dataEnd: number): void {
    this.generation++;
    let position = dataOffset;
    while (position < dataEnd) {
      const size = view.getUint32(position + 2, true);
      if (size === 0) throw new Damage("bad-metadata", "a package record has length 0");
      this.#addPackage(new Cursor(view, position));
      position += size;
    }
  }

  #addPackage(cursor: Cursor): void {
    cursor.skip(32);
    const start = cursor.i64();
    const frequency = cursor.u64();
    const header = objectHeader(cursor);
    const packageId = header.rid & 0x3ff;
    cursor.skip(16 + 16 + 2);
    if (cursor.u32() !== COLLECTIONS)
      throw new Damage("bad-metadata", "a package record does not have 8 collections");
    cursor.skip(COLLECTIONS * 12);
    let owner = this.packages.get(packageId);
    if (owner === undefined) {
      owner = { name: header.name, start, frequency };
      this.packages.set(packageId, owner);
    }
    this.#addEvents(cursor, owner);
    this.#addActions(cursor);
    this.#addMaps(cursor);
    this.#addTypes(cursor);
  }

  #addEvents(cursor: Cursor, owner: PackageSchema): void {
    for (let left = cursor.u32(); left > 0; left--) {
      const { rid, name } = objectHeader(cursor);
      this.events.set(keyOf(ObjectKind.event, rid), { name, package: owner, ...eventBody(cursor) });
    }
  }

  #addActions(cursor: Cursor): void {
    for (let left = cursor.u32(); left > 0; left--) {
      const { rid, name } = objectHeader(cursor);
      const type = cursor.u32();
      cursor.skip(8);
      this.actions.set(keyOf(ObjectKind.action, rid), { name, type });
    }
  }

  #addMaps(cursor: Cursor): void {
    for (let left = cursor.u32(); left > 0; left--) {
      const { rid, capabilities } = objectHeader(cursor);
      const size = cursor.u8();
      const texts = new Map<number, string>();
      for (let entries = cursor.u16(); entries > 0; entries--) {
        const code = cursor.u32() | 0;
        texts.set(code, cursor.wideString());
      }
      const bitmask = (capabilities & BITMASK_CAPABILITY) !== 0;
      this.maps.set(keyOf(ObjectKind.map, rid), { size, bitmask, texts });
    }
  }

  #addTypes(cursor: Cursor): void {
    for (let left = cursor.u32(); left > 0; left--) {
      const { rid } = objectHeader(cursor);
      const size = cursor.u8();
      if (rid === POINTER && size !== 8 && size !== 4) {
        throw new Damage("bad-metadata", `pointers of ${size} bytes cannot be read`);
      }
      if (rid === POINTER) this.pointerSize = size;
    }
  }
}

function keyOf(kind: number, rid: number): number {
  return ((kind << 28) | (rid & 0x0fffffff)) >>> 0;
}

/** xel-format 3.2; `capabilities` are the specific ones. */
function objectHeader(cursor: Cursor): { rid: number; name: string; capabilities: number } {
  cursor.skip(3);
  const capabilities = cursor.u8();
  const rid = cursor.u32();
  const name = cursor.wideString();
  cursor.wideString();
  return { rid, name, capabilities };
}

/** xel-format 3.3, EVENT. The event's UUID is its first static attribute. */
function eventBody(cursor: Cursor): { uuid: string; columns: ColumnSchema[] } {
  const statics = cursor.u16();
  const customizables = cursor.u16();
  const datas = cursor.u16();
  cursor.skip(2);
  let uuid = "";
  for (let index = 0; index < statics; index++) {
    const value = staticAttribute(cursor);
    if (index === 0) uuid = value;
  }
  for (let index = 0; index < customizables; index++) {
    cursor.skip(4);
    cursor.wideString();
    cursor.skip(24);
    cursor.wideString();
  }
  const columns: ColumnSchema[] = [];
  for (let index = 0; index < datas; index++) columns.push(dataAttribute(cursor));
  return { uuid, columns };
}

function staticAttribute(cursor: Cursor): string {
  const type = cursor.u32();
  cursor.wideString();
  let guid = "";
  if (type === GUID_POINTER) guid = cursor.guid();
  else cursor.skip(8);
  cursor.wideString();
  return guid;
}

function dataAttribute(cursor: Cursor): ColumnSchema {
  const type = cursor.u32();
  const name = cursor.wideString();
  const offset = cursor.u16();
  cursor.skip(2);
  cursor.wideString();
  return { name, type, offset };
}
