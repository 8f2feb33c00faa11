/** Bytes in the forms that tests need: in chunks, joined, as numbers. */

/** All bytes at once, as a source of chunks. */
export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** The bytes in chunks of a size. */
export async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The bytes as numbers. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Concatenates bytes. */
export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** The buffers of a valid file, which begin after its header of 512 bytes, and their offsets. */
export function buffersOf(file: Uint8Array): { offset: number; bytes: Uint8Array }[] {
  const view = viewOf(file);
  const buffers: { offset: number; bytes: Uint8Array }[] = [];
  for (let offset = 512; offset < file.length; offset += view.getUint32(offset + 16, true)) {
    buffers.push({ offset, bytes: file.subarray(offset, offset + view.getUint32(offset + 16, true)) });
  }
  return buffers;
}

/**
 * Position of a name in the metadata: UTF-16 that ends in a zero (docs/reference/xel-format.md 1); -1 where it does not
 * occur.
 */
export function placeOf(bytes: Uint8Array, name: string): number {
  const wanted = Array.from({ length: name.length + 1 }, (_, at) => name.charCodeAt(at) || 0);
  const view = viewOf(bytes);
  for (let from = 0; from + wanted.length * 2 <= bytes.length; from++) {
    if (wanted.every((unit, at) => view.getUint16(from + at * 2, true) === unit)) return from;
  }
  return -1;
}

/** Random whole numbers that are the same for the same seed. */
export interface Random {
  /** 0 to 2^32 - 1. */
  next(): number;
  /** 0 to `limit` - 1. */
  below(limit: number): number;
}

/** mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return { next, below: (limit) => next() % limit };
}
