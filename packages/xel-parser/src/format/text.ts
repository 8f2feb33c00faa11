const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

// Byte order marks belong to the value, so they stay.
const utf16 = new TextDecoder("utf-16le", { ignoreBOM: true });

/** Bytes of a view as lower-case hex digits. */
export function hexText(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += HEX[byte];
  return text;
}

/** 16 bytes in Windows order (first three groups little-endian) as a lower-case GUID (docs/reference/xel-format.md 1). */
export function guidText(view: DataView, at: number): string {
  const first = view.getUint32(at, true).toString(16).padStart(8, "0");
  const second = view
    .getUint16(at + 4, true)
    .toString(16)
    .padStart(4, "0");
  const third = view
    .getUint16(at + 6, true)
    .toString(16)
    .padStart(4, "0");
  const rest = hexText(bytesAt(view, at + 8, 8));
  return `${first}-${second}-${third}-${rest.slice(0, 4)}-${rest.slice(4)}`;
}

/**
 * GUID and sequence of an activity id, `guid:sequence` (docs/reference/xel-format.md 4.2); callers may pass a known
 * GUID.
 */
export function activityIdText(view: DataView, at: number, guid = guidText(view, at)): string {
  return `${guid}:${view.getUint32(at + 16, true)}`;
}

/** `0x` and upper-case digits: 16 of them, or 8 when the capture's pointers have 4 bytes (docs/reference/xel-format.md 5.1). */
export function pointerText(view: DataView, at: number, pointerSize: number): string {
  if (pointerSize === 4) return `0x${view.getUint32(at, true).toString(16).toUpperCase().padStart(8, "0")}`;
  return `0x${view.getBigUint64(at, true).toString(16).toUpperCase().padStart(16, "0")}`;
}

/** One pointer per 8 bytes, each ended by CR LF; a rest below 8 bytes is dropped (docs/reference/xel-format.md 5.1). */
export function callstackText(view: DataView, at: number, length: number): string {
  let text = "";
  for (let frame = 0; frame + 8 <= length; frame += 8) text += `${pointerText(view, at + frame, 8)}\r\n`;
  return text;
}

/** ASCII; each byte of 0x80 and above becomes `?` (docs/reference/xel-format.md 5.1). */
export function ansiText(view: DataView, at: number, length: number): string {
  let text = "";
  for (const byte of bytesAt(view, at, length)) text += byte < 0x80 ? String.fromCharCode(byte) : "?";
  return text;
}

/** UTF-16LE; a lone surrogate or an odd last byte becomes U+FFFD (docs/reference/xel-format.md 5.1). */
export function unicodeText(view: DataView, at: number, length: number): string {
  return utf16.decode(bytesAt(view, at, length));
}

/** The bytes themselves, not copied. Throws RangeError when they are not all in the view. */
export function bytesAt(view: DataView, at: number, length: number): Uint8Array {
  if (at + length > view.byteLength) throw new RangeError("outside the buffer");
  return new Uint8Array(view.buffer as ArrayBuffer, view.byteOffset + at, length);
}
