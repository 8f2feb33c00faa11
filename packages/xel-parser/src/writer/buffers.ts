/** File header and buffers (docs/reference/xel-format.md 2). */
import { FORMAT_VERSION } from "./base-types.ts";
import { Output } from "./output.ts";

const HEADER_BYTES = 512;
const ALIGNMENT = 512;
const MAGIC = 0xefab375a;
const BUFFER_HEADER_BYTES = 32;
/** Where a buffer's data begins. */
export const DATA_OFFSET = 76;
export const EVENT_BUFFER = 0;
export const METADATA_BUFFER = 1;

/** An empty buffer with room for a number of data bytes and a little more. */
export function openBuffer(bytes: number): Output {
  const out = new Output(bytes + 2 * ALIGNMENT);
  out.zeros(DATA_OFFSET);
  return out;
}

/** The 32 bytes before a buffer's data, and zeros up to it (docs/reference/xel-format.md 2.2). */
function putBufferHeader(
  out: Output,
  type: number,
  dataLength: number,
  padded: number,
  signature: Uint8Array,
): void {
  const { view } = out;
  out.bytes.fill(0, 0, DATA_OFFSET);
  view.setUint32(8, 0xffffffff, true);
  view.setUint16(12, FORMAT_VERSION, true);
  view.setUint16(14, type, true);
  view.setUint32(16, padded, true);
  view.setUint16(22, DATA_OFFSET, true);
  view.setUint32(24, dataLength, true);
  if (type === EVENT_BUFFER) out.bytes.set(signature, BUFFER_HEADER_BYTES);
}

/** Closes a buffer whose data is from DATA_OFFSET to `out.at`: header, filler, separate copy of the bytes. */
export function closeBuffer(out: Output, type: number, signature: Uint8Array): Uint8Array {
  const used = out.at;
  const padded = Math.ceil(used / ALIGNMENT) * ALIGNMENT;
  out.zeros(padded - used);
  putBufferHeader(out, type, used - DATA_OFFSET, padded, signature);
  out.at = DATA_OFFSET;
  return out.bytes.slice(0, padded);
}

export function fileHeader(guid: string): Uint8Array {
  const out = new Output(HEADER_BYTES);
  out.u32(MAGIC);
  out.u16(FORMAT_VERSION);
  out.u16(HEADER_BYTES);
  out.guid(guid);
  return out.bytes;
}
