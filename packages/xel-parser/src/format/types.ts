import { BaseType, GUID_BYTES, MAX_FILETIME, ObjectKind } from "./constants.ts";
import { indexOf, kindOf, type MapSchema, type Schema } from "./metadata.ts";
import {
  activityIdText,
  ansiText,
  bytesAt,
  callstackText,
  guidText,
  pointerText,
  unicodeText,
} from "./text.ts";
import { filetimeText } from "./time.ts";

/** Characters of -2147483648. */
const LONGEST_NUMBER = 11;

/**
 * A value of an event: 64-bit integers are bigint, other numbers number; binary data is bytes; maps are their text;
 * GUIDs, activity ids, pointers, call stacks and file times are text as in the JSON form.
 */
export type XelValue = number | bigint | string | boolean | Uint8Array;

/** SQL Server's name of a field's type, or `map`, whose value is its text (docs/reference/xel-format.md 5.1). */
export type TypeName = string;

/**
 * Whether a base type is in the payload as a descriptor of 8 bytes (docs/reference/xel-format.md 4.1, 5.1). A GUID is, unless the
 * file's metadata declares a size for it.
 */
export function isVariable(type: number, { guidsInPlace }: Pick<Schema, "guidsInPlace">): boolean {
  if (type === BaseType.guid) return !guidsInPlace;
  return isText(type) || type === BaseType.binary || type === BaseType.callstack;
}

const DESCRIPTOR_BYTES = 8;

/** Bytes of the fixed-size base types (docs/reference/xel-format.md 5.1); types that no event can have are missing. */
const FIXED_BYTES: Readonly<Record<number, number>> = {
  [BaseType.int8]: 1,
  [BaseType.int16]: 2,
  [BaseType.int32]: 4,
  [BaseType.int64]: 8,
  [BaseType.uint8]: 1,
  [BaseType.uint16]: 2,
  [BaseType.uint32]: 4,
  [BaseType.uint64]: 8,
  [BaseType.float32]: 4,
  [BaseType.float64]: 8,
  [BaseType.cpuCycle]: 8,
  [BaseType.filetime]: 8,
  [BaseType.guid]: GUID_BYTES,
  [BaseType.activityId]: 20,
  [BaseType.activityIdTransfer]: 20,
  [BaseType.boolean]: 1,
};

/** Inline bytes of a base type: a descriptor's for variable types, 0 for types that no event can have. */
export function inlineWidth(base: number, schema: Schema): number {
  if (isVariable(base, schema)) return DESCRIPTOR_BYTES;
  return base === BaseType.pointer ? schema.pointerSize : (FIXED_BYTES[base] ?? 0);
}

/** Whether the bytes of a base type are characters (docs/reference/xel-format.md 5.1). */
export function isText(type: number): boolean {
  return type === BaseType.ansiString || type === BaseType.unicodeString || type === BaseType.xml;
}

/** The base type a relative id names, or -1 when it is a map or no type of package0. */
export function baseTypeOf(rid: number): number {
  return kindOf(rid) === ObjectKind.type && (rid & 0x3ff) === 0 ? indexOf(rid) : -1;
}

/** The map a column's type names, or undefined when it is a type. */
export function mapOf(schema: Schema, rid: number): MapSchema | undefined {
  return kindOf(rid) === ObjectKind.map ? schema.maps.get(rid) : undefined;
}

/**
 * Name of a column's type in the file: `map NAME`, the base type's name, or its index where the file does not name it.
 */
export function typeNameOf(schema: Schema, rid: number): string {
  const map = mapOf(schema, rid);
  if (map !== undefined) return `map ${map.name}`;
  const base = baseTypeOf(rid);
  return schema.types.get(base)?.name ?? `type ${base}`;
}

/** Value of a fixed-size base type; undefined for types that no event can have (char, wchar, string pointers; 5). */
export function fixedValue(
  view: DataView,
  at: number,
  type: number,
  pointerSize: number,
): XelValue | undefined {
  switch (type) {
    case BaseType.int8:
    case BaseType.uint8:
      return view.getUint8(at);
    case BaseType.int16:
      return view.getInt16(at, true);
    case BaseType.uint16:
      return view.getUint16(at, true);
    case BaseType.int32:
      return view.getInt32(at, true);
    case BaseType.uint32:
      return view.getUint32(at, true);
    case BaseType.int64:
      return view.getBigInt64(at, true);
    case BaseType.uint64:
    case BaseType.cpuCycle:
      return view.getBigUint64(at, true);
    case BaseType.float32:
      return view.getFloat32(at, true);
    case BaseType.float64:
      return view.getFloat64(at, true);
    case BaseType.filetime:
      return filetimeValue(view.getBigInt64(at, true));
    case BaseType.pointer:
      return pointerText(view, at, pointerSize);
    case BaseType.guid:
      return guidText(view, at);
    case BaseType.activityId:
    case BaseType.activityIdTransfer:
      return activityIdText(view, at);
    case BaseType.boolean:
      return view.getUint8(at) !== 0;
    default:
      return undefined;
  }
}

/**
 * Value of a variable-length base type from its bytes; undefined for a GUID of no bytes, and the bytes themselves for a GUID
 * of another length than 16. Throws RangeError when they leave the view.
 */
export function variableValue(
  view: DataView,
  at: number,
  length: number,
  type: number,
): XelValue | undefined {
  if (at + length > view.byteLength) throw new RangeError("outside the buffer");
  switch (type) {
    case BaseType.guid:
      if (length === GUID_BYTES) return guidText(view, at);
      return length === 0 ? undefined : bytesAt(view, at, length).slice();
    case BaseType.ansiString:
      return ansiText(view, at, length);
    case BaseType.binary:
      return bytesAt(view, at, length).slice();
    case BaseType.callstack:
      return callstackText(view, at, length);
    default:
      return unicodeText(view, at, length);
  }
}

/** The int32 that a map's stored value means: 1 byte unsigned, 2 sign-extended, 8 cut to the low 4 (docs/reference/xel-format.md 5.2). */
export function mapCode(view: DataView, at: number, size: number): number {
  if (size === 1) return view.getUint8(at);
  if (size === 2) return view.getInt16(at, true);
  return view.getInt32(at, true);
}

/** Text of a map's code (docs/reference/xel-format.md 5.2). */
export function mapText(map: MapSchema, code: number): string {
  if (!map.bitmask) return map.texts.get(code) ?? String(code);
  const parts: string[] = [];
  for (let bit = 0; bit < 32; bit++) {
    const mask = (1 << bit) | 0;
    if ((code & mask) !== 0) parts.push(map.texts.get(mask) ?? String(code));
  }
  return parts.join(",");
}

/** At least as many UTF-16 units as the text of a bit mask's code has. */
export function mapTextUnits({ texts }: MapSchema, code: number): number {
  let units = 0;
  for (let bit = 0; bit < 32; bit++) {
    const mask = (1 << bit) | 0;
    if ((code & mask) !== 0) units += 1 + (texts.get(mask)?.length ?? LONGEST_NUMBER);
  }
  return units;
}

/** A FILETIME out of range has no calendar text and stays a number. */
function filetimeValue(filetime: bigint): string | bigint {
  return filetime >= 0n && filetime <= MAX_FILETIME ? filetimeText(filetime) : filetime;
}
