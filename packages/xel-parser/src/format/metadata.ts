import { BaseType, FORMAT_VERSION, ObjectKind, PACKAGE_HEAD_BYTES } from "./constants.ts";
import { Cursor } from "./cursor.ts";
import { asDamage, Damage } from "./errors.ts";
import { DEFAULT_LIMITS, type ReadLimits } from "./limits.ts";
import type { PackageClock } from "./time.ts";

/** A column of an event: place of its inline part, and its type. */
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
  readonly package: string;
  readonly type: number;
}

export interface MapSchema {
  readonly name: string;
  /** Bytes of the value in an event: 1, 2, 4 or 8. */
  readonly size: number;
  readonly bitmask: boolean;
  /** Texts by code as int32. */
  readonly texts: ReadonlyMap<number, string>;
}

/** A base type as a file describes it. */
export interface TypeShape {
  readonly index: number;
  readonly name: string;
  /** Bytes; 0 for a value after a descriptor. */
  readonly size: number;
}

export interface PackageSchema extends PackageClock {
  readonly name: string;
}

/** A package record that could not be read to its end. Positions are bytes from the view's start. */
export interface PackageDamage {
  readonly from: number;
  /** Everything before this position was understood and counts. */
  readonly read: number;
  readonly to: number;
  readonly message: string;
}

const COLLECTIONS = 8;
const RECORD_ALIGNMENT = 16;
const BITMASK_CAPABILITY = 1;
const MAP_SIZES: ReadonlySet<number> = new Set([1, 2, 4, 8]);
const GUID_POINTER = (ObjectKind.type << 28) | (BaseType.guidPointer << 10);
const POINTER = (ObjectKind.type << 28) | (BaseType.pointer << 10);
const GUID = (ObjectKind.type << 28) | (BaseType.guid << 10);

/** Kind of the object a relative id names (docs/reference/xel-format.md 1). */
export function kindOf(rid: number): number {
  return rid >>> 28;
}

/** Index of the object in its package's collection (docs/reference/xel-format.md 1). */
export function indexOf(rid: number): number {
  return (rid >>> 10) & 0x3ffff;
}

/**
 * All objects in the metadata buffers read so far: packages, events, actions and maps by relative object id. A later
 * record adds objects or replaces them; a package's first clock stays (docs/reference/xel-format.md 3.4).
 */
export class Schema {
  readonly packages = new Map<number, PackageSchema>();
  readonly events = new Map<number, EventSchema>();
  readonly actions = new Map<number, ActionSchema>();
  readonly maps = new Map<number, MapSchema>();
  /** Base types by index, as the file names them and declares their size. */
  readonly types = new Map<number, TypeShape>();
  pointerSize = 8;
  /**
   * GUIDs are inside the fixed part of a payload instead of after a descriptor: only in files whose metadata declares a
   * size for them, which SQL Server's does not (docs/reference/xel-format.md 3.3).
   */
  guidsInPlace = false;
  /** Counts metadata buffers, so that plans from older metadata can be recognized. */
  generation = 0;

  /** Version of events: 10, or that of the buffer being read where other versions are tried by force. */
  version = FORMAT_VERSION as number;

  readonly limits: ReadLimits;
  /** Metadata of another version than 10 is read as if it had that version. */
  readonly force: boolean;

  constructor(limits: ReadLimits = DEFAULT_LIMITS, force = false) {
    this.limits = limits;
    this.force = force;
  }

  /** Discards all metadata: another file begins, with its own clocks and objects. */
  restart(): void {
    this.generation++;
    this.packages.clear();
    this.events.clear();
    this.actions.clear();
    this.maps.clear();
    this.types.clear();
    this.pointerSize = 8;
    this.guidsInPlace = false;
  }

  /**
   * Reads the package records of one metadata buffer (docs/reference/xel-format.md 3). Returns the damaged ones: the
   * part of a record before the damage counts, and the next record is read if its begin is known.
   */
  addBuffer(view: DataView, dataOffset: number, dataEnd: number): PackageDamage[] {
    this.generation++;
    const damages: PackageDamage[] = [];
    const end = Math.min(dataEnd, view.byteLength);
    let from = dataOffset;
    while (from < end) {
      const size = from + PACKAGE_HEAD_BYTES <= end ? view.getUint32(from + 2, true) : 0;
      const believed = size > PACKAGE_HEAD_BYTES && size <= end - from;
      const to = believed ? from + size : end;
      const cursor = new Cursor(new DataView(view.buffer, view.byteOffset, to), from);
      const message = this.#tryPackage(cursor);
      const next = believed ? to : nextRecord(view, from, cursor.position, end);
      const read = Math.min(cursor.position, next);
      if (message !== null) damages.push({ from, read, to: next, message });
      else if (!believed)
        damages.push({ from, read, to: next, message: "the length of a package record is wrong" });
      from = next;
    }
    return damages;
  }

  /** Why the record could not be read, or null. */
  #tryPackage(cursor: Cursor): string | null {
    try {
      this.#addPackage(cursor);
      return null;
    } catch (error) {
      return asDamage(error, "bad-metadata").message;
    }
  }

  #addPackage(cursor: Cursor): void {
    cursor.skip(32);
    const start = cursor.i64();
    const frequency = cursor.u64();
    const header = this.#header(cursor);
    const packageId = header.rid & 0x3ff;
    cursor.skip(16 + 16 + 2);
    if (cursor.u32() !== COLLECTIONS)
      throw new Damage("bad-metadata", "a package record does not have 8 collections");
    cursor.skip(COLLECTIONS * 12);
    let owner = this.packages.get(packageId);
    if (owner === undefined) {
      if (this.packages.size >= this.limits.packages) throw tooMany("packages", this.limits.packages);
      owner = { name: header.name, start, frequency };
      this.packages.set(packageId, owner);
    }
    this.#addEvents(cursor, owner);
    this.#addActions(cursor, header.name);
    this.#addMaps(cursor);
    this.#addTypes(cursor);
  }

  #addEvents(cursor: Cursor, owner: PackageSchema): void {
    for (let left = cursor.u32(); left > 0; left--) {
      const { rid, name } = this.#header(cursor);
      this.#countObject();
      this.events.set(keyOf(ObjectKind.event, rid), {
        name,
        package: owner,
        ...eventBody(cursor, this.limits),
      });
    }
  }

  #addActions(cursor: Cursor, owner: string): void {
    for (let left = cursor.u32(); left > 0; left--) {
      const { rid, name } = this.#header(cursor);
      const type = cursor.u32();
      cursor.skip(8);
      this.#countObject();
      this.actions.set(keyOf(ObjectKind.action, rid), { name, package: owner, type });
    }
  }

  #addMaps(cursor: Cursor): void {
    for (let left = cursor.u32(); left > 0; left--) {
      const { rid, name, capabilities } = this.#header(cursor);
      const size = cursor.u8();
      const texts = new Map<number, string>();
      for (let entries = cursor.u16(); entries > 0; entries--) {
        const code = cursor.u32() | 0;
        texts.set(code, cursor.wideString(this.limits.nameUnits));
      }
      const bitmask = (capabilities & BITMASK_CAPABILITY) !== 0;
      this.#countObject();
      // Columns of other sizes are skipped, like those of a type that no event can have.
      if (MAP_SIZES.has(size)) this.maps.set(keyOf(ObjectKind.map, rid), { name, size, bitmask, texts });
    }
  }

  #addTypes(cursor: Cursor): void {
    for (let left = cursor.u32(); left > 0; left--) {
      const { rid, name } = this.#header(cursor);
      const size = cursor.u8();
      if (indexOf(rid) <= BaseType.xml) this.types.set(indexOf(rid), { index: indexOf(rid), name, size });
      if (rid === POINTER && size !== 8 && size !== 4) {
        throw new Damage("bad-metadata", `pointers of ${size} bytes cannot be read`);
      }
      if (rid === POINTER) this.pointerSize = size;
      if (rid === GUID) this.guidsInPlace = size !== 0;
    }
  }

  /** docs/reference/xel-format.md 3.2; `capabilities` are the specific ones. */
  #header(cursor: Cursor): { rid: number; name: string; capabilities: number } {
    cursor.skip(3);
    const capabilities = cursor.u8();
    const rid = cursor.u32();
    const name = cursor.wideString(this.limits.nameUnits);
    cursor.skipWideString(this.limits.nameUnits);
    return { rid, name, capabilities };
  }

  #countObject(): void {
    const known = this.events.size + this.actions.size + this.maps.size;
    if (known >= this.limits.objects) throw tooMany("objects", this.limits.objects);
  }
}

function tooMany(what: string, most: number): Damage {
  return new Damage("bad-metadata", `the metadata describes more than ${most} ${what}`);
}

/** Begin of the next package record when a record's own length is wrong: after the part that was read. */
function nextRecord(view: DataView, from: number, read: number, end: number): number {
  const next = from + Math.ceil((Math.min(read, end) - from) / RECORD_ALIGNMENT) * RECORD_ALIGNMENT;
  if (next <= from || next + PACKAGE_HEAD_BYTES > end) return end;
  const size = view.getUint32(next + 2, true);
  const isRecord = view.getUint16(next, true) === FORMAT_VERSION && size > PACKAGE_HEAD_BYTES;
  return isRecord && size <= end - next ? next : end;
}

function keyOf(kind: number, rid: number): number {
  return ((kind << 28) | (rid & 0x0fffffff)) >>> 0;
}

/** docs/reference/xel-format.md 3.3, EVENT. The event's UUID is its first static attribute. */
function eventBody(cursor: Cursor, limits: ReadLimits): { uuid: string; columns: ColumnSchema[] } {
  const statics = cursor.u16();
  const customizables = cursor.u16();
  const datas = cursor.u16();
  cursor.skip(2);
  if (datas > limits.columns) {
    throw new Damage("bad-metadata", `an event has ${datas} columns; ${limits.columns} are allowed`);
  }
  const most = limits.nameUnits;
  let uuid = "";
  for (let index = 0; index < statics; index++) {
    const value = staticAttribute(cursor, most);
    if (index === 0) uuid = value;
  }
  for (let index = 0; index < customizables; index++) {
    cursor.skip(4);
    cursor.skipWideString(most);
    cursor.skip(24);
    cursor.skipWideString(most);
  }
  const columns: ColumnSchema[] = [];
  for (let index = 0; index < datas; index++) columns.push(dataAttribute(cursor, most));
  return { uuid, columns };
}

function staticAttribute(cursor: Cursor, most: number): string {
  const type = cursor.u32();
  cursor.skipWideString(most);
  let guid = "";
  if (type === GUID_POINTER) guid = cursor.guid();
  else cursor.skip(8);
  cursor.skipWideString(most);
  return guid;
}

function dataAttribute(cursor: Cursor, most: number): ColumnSchema {
  const type = cursor.u32();
  const name = cursor.wideString(most);
  const offset = cursor.u16();
  cursor.skip(2);
  cursor.skipWideString(most);
  return { name, type, offset };
}
