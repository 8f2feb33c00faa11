/**
 * Keeps a live event stream as a file: the header row is the file's first bytes, and each other row is a buffer in the
 * form of a file (docs/reference/xel-format.md 7).
 */
import { BUFFER_HEADER_BYTES, BufferType, FILE_MAGIC, FORMAT_VERSION } from "./constants.ts";
import { isEndMark, readBufferHeader } from "./walk/header.ts";
import type { StreamRow } from "./push.ts";

/** Role of a row in a file: its beginning, one of its buffers, or none because readers would stop there. */
export type RowInFile = "header" | "metadata" | "buffer" | "none";

const HEADER_ROW = 2;
const HEADER_BYTES = 512;

/** Role of a row in a file that is made of the stream. A row that does not decode is kept: readers skip it. */
export function rowInFile({ type, data }: StreamRow): RowInFile {
  if (type === HEADER_ROW) return "header";
  if (data.byteLength < BUFFER_HEADER_BYTES) return "none";
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (isEndMark(view, 0)) return "none";
  return readBufferHeader(view, 0).type === BufferType.metadata ? "metadata" : "buffer";
}

/** A file header for a stream without one: the fields that readers need (docs/reference/xel-format.md 2.1). */
export function plainFileHeader(): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, FILE_MAGIC, true);
  view.setUint16(4, FORMAT_VERSION, true);
  view.setUint16(6, HEADER_BYTES, true);
  return bytes;
}
