/** Types of package0 and object ids (docs/reference/xel-format.md 1 and 5). */

export const FORMAT_VERSION = 10;

/**
 * Base types of package0 in the order of their index, with the size that their TYPE record declares; types of size 0
 * are after a descriptor (docs/reference/xel-format.md 5.1).
 */
export const BASE_TYPES = [
  ["null", 0],
  ["int8", 1],
  ["int16", 2],
  ["int32", 4],
  ["int64", 8],
  ["uint8", 1],
  ["uint16", 2],
  ["uint32", 4],
  ["uint64", 8],
  ["float32", 4],
  ["float64", 8],
  ["cpu_cycle", 8],
  ["filetime", 8],
  ["ptr", 8],
  ["ansi_string_ptr", 8],
  ["unicode_string_ptr", 8],
  ["guid_ptr", 8],
  ["char", 1],
  ["wchar", 2],
  ["ansi_string", 0],
  ["unicode_string", 0],
  ["guid", 0],
  ["binary_data", 0],
  ["callstack", 0],
  ["activity_id", 20],
  ["activity_id_xfer", 20],
  ["boolean", 1],
  ["xml", 0],
] as const;

export const Kind = { event: 0, action: 1, map: 3, type: 6, package: 8 } as const;

/** Object id: kind in bits 28-31, index in 10-27, package in 0-9 (docs/reference/xel-format.md 1). */
export function relativeId(kind: number, index: number, packageId: number): number {
  return ((kind << 28) | (index << 10) | packageId) >>> 0;
}

const GUID_BYTES = 16;

/** Size that the TYPE record of a base type declares. @param guidsInPlace as in `WriterSchema` */
export function declaredSize(index: number, guidsInPlace: boolean): number {
  const [name, size] = BASE_TYPES[index];
  return name === "guid" && guidsInPlace ? GUID_BYTES : size;
}

export const typeIndex = new Map<string, number>(BASE_TYPES.map(([name], index) => [name, index]));
export const typeId = (name: string): number => relativeId(Kind.type, typeIndex.get(name)!, 0);
