import {
  ACTIONS_FLAG,
  BUFFER_HEADER_BYTES,
  BufferType,
  EVENT_HEADER_BYTES,
  FORMAT_VERSION,
  VERSION_MASK,
} from "../constants.ts";
import { asDamage } from "../errors.ts";
import { isBufferHeader, readBufferHeader } from "./header.ts";
import { hasActions, skipActions } from "../events/event.ts";
import type { Schema } from "../metadata.ts";

/** Bytes after a position that a check of it may need: a header, the largest data offset and an event header. */
export const CANDIDATE_BYTES = 0xffff + EVENT_HEADER_BYTES;

// Where the version's byte, 10, is in a buffer header, and in an event's.
const VERSION_OFFSET = 12;
const EVENT_VERSION_OFFSET = 4;

/**
 * Position of the first valid buffer in the view that begins at or after `from` and before `before`, or -1. Valid: a
 * possible header, lengths that agree, and a first record that looks like one (docs/reference/xel-format.md 2.2, 3.1,
 * 4).
 */
export function findBuffer(view: DataView, from: number, before: number, schema: Schema): number {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  const expected = schema.version & 0xff;
  let version = bytes.indexOf(expected, from + VERSION_OFFSET);
  while (version !== -1 && version - VERSION_OFFSET < before) {
    const at = version - VERSION_OFFSET;
    if (isSoundBuffer(view, at, schema)) return at;
    version = bytes.indexOf(expected, version + 1);
  }
  return -1;
}

function isSoundBuffer(view: DataView, at: number, schema: Schema): boolean {
  if (at + BUFFER_HEADER_BYTES > view.byteLength || !isBufferHeader(view, at, schema.limits, schema.version))
    return false;
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
    (flags & VERSION_MASK) === (schema.version & VERSION_MASK) &&
    (flags & ~(VERSION_MASK | ACTIONS_FLAG)) === 0;
  return versionOnly && view.getUint32(at + 20, true) < limit && schema.events.has(view.getUint32(at, true));
}

/** Record at which reading can continue inside a buffer. Positions are bytes from the view's start. */
export interface ResumePoint {
  readonly at: number;
  /** Skipped events; undefined when their number is unknown. */
  readonly skipped: number | undefined;
}

/**
 * The next valid record after the damaged one at `position`, before `limit`: the end of the damaged one when its own
 * lengths lead to a record (or to the limit), otherwise the first place from which two records follow each other.
 */
export function findRecord(
  view: DataView,
  position: number,
  limit: number,
  schema: Schema,
): ResumePoint | undefined {
  const end = recordEnd(view, position, limit, schema);
  if (end !== -1 && isSequel(view, end, limit, schema)) return { at: end, skipped: 1 };
  const bytes = new Uint8Array(view.buffer, view.byteOffset, limit);
  const expected = schema.version & VERSION_MASK;
  let version = bytes.indexOf(expected, position + 1 + EVENT_VERSION_OFFSET);
  for (; version !== -1; version = bytes.indexOf(expected, version + 1)) {
    const at = version - EVENT_VERSION_OFFSET;
    if (!isRecord(view, at, limit, schema)) continue;
    const next = recordEnd(view, at, limit, schema);
    if (next !== -1 && isSequel(view, next, limit, schema)) return { at, skipped: undefined };
  }
  return undefined;
}

function isSequel(view: DataView, at: number, limit: number, schema: Schema): boolean {
  return at === limit || isRecord(view, at, limit, schema);
}

/** Whether the header of an event record may begin at a position. */
export function isRecord(view: DataView, at: number, limit: number, schema: Schema): boolean {
  return at + EVENT_HEADER_BYTES <= limit && isEventStart(view, at, limit - at, schema);
}

/** End of a record by its own lengths, or -1 when they exceed the buffer or its actions are unknown. */
function recordEnd(view: DataView, at: number, limit: number, schema: Schema): number {
  if (at + EVENT_HEADER_BYTES > limit) return -1;
  const flags = view.getUint32(at + 4, true);
  const payload = at + EVENT_HEADER_BYTES + view.getUint32(at + 20, true);
  if ((flags & VERSION_MASK) !== (schema.version & VERSION_MASK) || payload > limit) return -1;
  try {
    const end = hasActions(flags) ? skipActions(view, payload, schema) : payload;
    return end <= limit ? end : -1;
  } catch (error) {
    asDamage(error, "bad-event");
    return -1;
  }
}

function isPackageStart(view: DataView, at: number, limit: number): boolean {
  const size = view.getUint32(at + 2, true);
  return view.getUint16(at, true) === FORMAT_VERSION && size > BUFFER_HEADER_BYTES && size <= limit;
}
