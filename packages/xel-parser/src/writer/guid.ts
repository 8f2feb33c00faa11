import { XelWriteError } from "./error.ts";

const GUID_TEXT = /^([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})$/i;
/** A capture names few replicas and databases, many times. */
const knownGuids = new Map<string, Uint8Array>();
const KNOWN_GUIDS_LIMIT = 4096;

/** Windows order: the first three groups are little-endian. */
export function guidBytes(text: string): Uint8Array {
  const known = knownGuids.get(text);
  if (known) return known;
  const groups = GUID_TEXT.exec(text);
  if (!groups)
    throw new XelWriteError("badValue", `"${text}" is not a GUID; write it as 8-4-4-4-12 hex digits.`);
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, Number.parseInt(groups[1], 16), true);
  view.setUint16(4, Number.parseInt(groups[2], 16), true);
  view.setUint16(6, Number.parseInt(groups[3], 16), true);
  const rest = groups[4] + groups[5];
  for (let i = 0; i < 8; i++) bytes[8 + i] = Number.parseInt(rest.slice(2 * i, 2 * i + 2), 16);
  if (knownGuids.size < KNOWN_GUIDS_LIMIT) knownGuids.set(text, bytes);
  return bytes;
}

/** A stable id for an event type without one: 32-bit FNV-1a of the name, four times with another start. */
export function uuidFromName(name: string): string {
  let hex = "";
  for (let part = 0; part < 4; part++) {
    let hash = 0x811c9dc5 ^ part;
    for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
    hex += (hash >>> 0).toString(16).padStart(8, "0");
  }
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
