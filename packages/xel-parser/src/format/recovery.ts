import {
  ACTIONS_FLAG,
  BUFFER_HEADER_BYTES,
  BufferType,
  EVENT_HEADER_BYTES,
  FORMAT_VERSION,
  VERSION_MASK,
} from "./constants.ts";
import { isBufferHeader, readBufferHeader } from "./header.ts";
import type { Schema } from "./metadata.ts";

/** Bytes behind a position that judging it may need: a header, the largest data offset and an event header. */
export const CANDIDATE_BYTES = 0xffff + EVENT_HEADER_BYTES;

// Where the version's byte, 10, stands in a buffer header.
const VERSION_OFFSET = 12;

/**
 * Position of the first sound buffer in the view that begins at or after `from` and before `before`, or -1.
 * Sound: a header that can be true, lengths that agree, and a first record that looks like one (xel-format 2.2, 3.1, 4).
 */
export function findBuffer(view: DataView, from: number, before: number, schema: Schema): number {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  let version = bytes.indexOf(FORMAT_VERSION, from + VERSION_OFFSET);
  while (version !== -1 && version - VERSION_OFFSET < before) {
    const at = version - VERSION_OFFSET;
    if (isSoundBuffer(view, at, schema)) return at;
    version = bytes.indexOf(FORMAT_VERSION, version + 1);
  }
  return -1;
}

function isSoundBuffer(view: DataView, at: number, schema: Schema): boolean {
  if (at + BUFFER_HEADER_BYTES > view.byteLength || !isBufferHeader(view, at)) return false;
  const header = readBufferHeader(view, at);
  if (header.dataLength === 0 || header.dataOffset + header.dataLength > header.paddedLength) return false;
  const first = at + header.dataOffset;
  if (first + EVENT_HEADER_BYTES > view.byteLength) return false;
  return header.type === BufferType.event
    ? isEventStart(view, first, header.dataLength, schema)
    : isPackageStart(view, first, header.dataLength);
}

function isEventStart(view: DataView, at: number, limit: number, schema: Schema): boolean {
  const flags = view.getUint32(at + 4, true);
  const versionOnly =
    (flags & VERSION_MASK) === FORMAT_VERSION && (flags & ~(VERSION_MASK | ACTIONS_FLAG)) === 0;
  return versionOnly && view.getUint32(at + 20, true) < limit && schema.events.has(view.getUint32(at, true));
}

function isPackageStart(view: DataView, at: number, limit: number): boolean {
  const size = view.getUint32(at + 2, true);
  return view.getUint16(at, true) === FORMAT_VERSION && size > BUFFER_HEADER_BYTES && size <= limit;
}
