/**
 * Blobs of a bucket of which some bytes are read: the most recently read pieces stay in memory, because their neighbors
 * are read next.
 */
import type { BlobInRanges } from "../blobs.ts";
import type { ByteRange } from "./bucket.ts";

/** A read of a page of events takes 1 MiB from where that begins: pieces of a quarter fetch little that was not asked for. */
const PIECE_BYTES = 256 * 1024;
/** 32 MiB. */
const MOST_PIECES = 128;

/** Fetches bytes of a blob; fewer where it is shorter. */
type FetchRange = (range: Required<ByteRange>) => Promise<Uint8Array>;

export class ReadPieces {
  /** By name and number of the piece, the last used last. */
  readonly #kept = new Map<string, Promise<Uint8Array>>();

  /** @param name in which no other blob's begins @param size of the blob, bytes */
  blob(name: string, size: number, fetch: FetchRange): BlobInRanges {
    return {
      size,
      read: async (offset, length) => {
        const end = Math.min(offset + length, size);
        if (end <= offset) return new Uint8Array();
        const first = Math.floor(offset / PIECE_BYTES);
        const count = Math.ceil(end / PIECE_BYTES) - first;
        const pieces = await Promise.all(this.#pieces(name, first, count, size, fetch));
        return between(pieces, offset - first * PIECE_BYTES, end - offset);
      },
    };
  }

  /** @param start of the names of deleted blobs */
  forget(start: string): void {
    for (const piece of this.#kept.keys()) if (piece.startsWith(start)) this.#kept.delete(piece);
  }

  /** Consecutive pieces. Missing ones are fetched, neighbors together. */
  #pieces(
    name: string,
    first: number,
    count: number,
    size: number,
    fetch: FetchRange,
  ): Promise<Uint8Array>[] {
    const nameOf = (index: number): string => `${name} ${first + index}`;
    const found = Array.from({ length: count }, (_, index) => this.#kept.get(nameOf(index)));
    for (let from = 0; from < count; from++) {
      if (found[from] !== undefined) continue;
      const behind = found.findIndex((piece, index) => index > from && piece !== undefined);
      const to = behind === -1 ? count : behind;
      const offset = (first + from) * PIECE_BYTES;
      const fetched = fetch({ offset, length: Math.min((first + to) * PIECE_BYTES, size) - offset });
      for (let index = from; index < to; index++) {
        const at = (index - from) * PIECE_BYTES;
        found[index] = fetched.then((bytes) => bytes.slice(at, at + PIECE_BYTES));
      }
    }
    return found.map((piece, index) => this.#keep(nameOf(index), piece!));
  }

  #keep(name: string, piece: Promise<Uint8Array>): Promise<Uint8Array> {
    this.#kept.delete(name);
    this.#kept.set(name, piece);
    piece.catch(() => {
      if (this.#kept.get(name) === piece) this.#kept.delete(name);
    });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST_PIECES) break;
      this.#kept.delete(oldest);
    }
    return piece;
  }
}

/** Bytes of consecutive pieces, in memory of their own. */
function between(pieces: readonly Uint8Array[], offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = -offset;
  for (const piece of pieces) {
    const from = Math.max(0, -at);
    const part = piece.subarray(from, Math.max(from, length - at));
    if (part.length > 0) bytes.set(part, at + from);
    at += piece.length;
  }
  return bytes.subarray(0, Math.max(0, Math.min(at, length)));
}
