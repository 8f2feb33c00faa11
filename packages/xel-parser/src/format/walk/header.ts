import { BUFFER_HEADER_BYTES, BufferType, FILE_MAGIC, FORMAT_VERSION } from "../constants.ts";
import { otherVersion, XelFormatError } from "../errors.ts";
import { DEFAULT_LIMITS, type ReadLimits } from "../limits.ts";

/** The fields of a buffer's header that reading needs (docs/reference/xel-format.md 2.2). Lengths in bytes. */
export interface BufferHeader {
  readonly type: number;
  readonly paddedLength: number;
  readonly dataOffset: number;
  readonly dataLength: number;
}

/**
 * Checks the file header and returns where the first buffer starts (docs/reference/xel-format.md 2.1).
 * Throws XelFormatError `empty-file`, `not-xel` or, unless it is to be tried by force, `unsupported-version`.
 */
export function firstBufferOffset(bytes: Uint8Array, force = false): number {
  if (bytes.length === 0)
    throw new XelFormatError("empty-file", 0, "The file is empty: it contains no Extended Events data.");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 8 || view.getUint32(0, true) !== FILE_MAGIC) {
    throw new XelFormatError(
      "not-xel",
      0,
      "This is not an Extended Events file: it does not begin with the bytes 5A 37 AB EF. Choose a .xel file from an event_file target.",
    );
  }
  const version = view.getUint16(4, true);
  if (version !== FORMAT_VERSION && !force) {
    throw new XelFormatError("unsupported-version", 4, `${otherVersion("The file", version)}.`);
  }
  return view.getUint16(6, true);
}

/** Whether bytes begin like a .xel file; the following bytes decide whether it is one. */
export function looksLikeXel(bytes: Uint8Array): boolean {
  if (bytes.length < 4) return false;
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true) === FILE_MAGIC;
}

/** Reads a buffer header at a position of the view, valid or not; 32 bytes must be there. */
export function readBufferHeader(view: DataView, at: number): BufferHeader {
  return {
    type: view.getUint16(at + 14, true),
    paddedLength: view.getUint32(at + 16, true),
    dataOffset: view.getUint16(at + 22, true),
    dataLength: view.getUint32(at + 24, true),
  };
}

/**
 * Whether a header may begin a buffer: its version, its type (events or metadata), and possible and allowed lengths.
 */
export function isBufferHeader(
  view: DataView,
  at: number,
  limits: ReadLimits = DEFAULT_LIMITS,
  expected = FORMAT_VERSION,
): boolean {
  const version = view.getUint16(at + 12, true);
  if (version !== FORMAT_VERSION && version !== expected) return false;
  const header = readBufferHeader(view, at);
  return (
    (header.type === BufferType.event || header.type === BufferType.metadata) &&
    header.dataOffset >= BUFFER_HEADER_BYTES &&
    header.paddedLength >= header.dataOffset &&
    header.paddedLength <= limits.bufferBytes
  );
}

/**
 * The version of a buffer that differs from ours only in its number; undefined where none begins. Such a header also
 * needs lengths that agree, because its version is no proof of a header.
 */
export function foreignVersion(view: DataView, at: number, limits: ReadLimits): number | undefined {
  const version = view.getUint16(at + 12, true);
  if (version === 0 || version === FORMAT_VERSION || !isBufferHeader(view, at, limits, version))
    return undefined;
  const { dataOffset, dataLength, paddedLength } = readBufferHeader(view, at);
  return dataLength > 0 && dataOffset + dataLength <= paddedLength ? version : undefined;
}

/** Whether a buffer that is to be read begins here: one of version 10, or with `force` of any. */
export function canBeBuffer(view: DataView, at: number, limits: ReadLimits, force: boolean): boolean {
  return isBufferHeader(view, at, limits) || (force && foreignVersion(view, at, limits) !== undefined);
}

/** Whether the 20 bytes of XE_LogBufferHeader are zero: the normal end of the data (docs/reference/xel-format.md 2.2). */
export function isEndMark(view: DataView, at: number): boolean {
  for (let offset = 12; offset < BUFFER_HEADER_BYTES; offset += 4) {
    if (view.getUint32(at + offset, true) !== 0) return false;
  }
  return true;
}

/**
 * The version in a file header, which marks a file that was glued to another; undefined where no file header begins.
 */
export function fileVersion(view: DataView, at: number): number | undefined {
  return view.getUint32(at, true) === FILE_MAGIC ? view.getUint16(at + 4, true) : undefined;
}
