/** Files of the browser as the engine reads them. */
import type { SourceFile } from "@aglens/engine/answers";
import type { ReadableFile } from "@aglens/engine/files";
import type { ShownName } from "@aglens/zip";
import { bytesOf } from "./blob-bytes.ts";

/** The next piece is requested while this one is processed. */
const PIECE_BYTES = 4 * 1024 * 1024;

/** A file's bytes in order. @param onBytes called with each piece */
export async function* piecesOf(
  blob: Blob,
  onBytes: (bytes: Uint8Array) => void = () => {},
): AsyncGenerator<Uint8Array> {
  let next = pieceAt(blob, 0);
  for (let at = 0; at < blob.size; at += PIECE_BYTES) {
    // oxlint-disable-next-line no-await-in-loop -- in order, one ahead
    const piece = await next;
    next = pieceAt(blob, at + PIECE_BYTES);
    onBytes(piece);
    yield piece;
  }
  await next;
}

function pieceAt(blob: Blob, at: number): Promise<Uint8Array> {
  const piece = bytesOf(blob.slice(at, at + PIECE_BYTES));
  // The caller that awaits the piece gets the error; this handler only covers a piece that was read ahead and never
  // awaited.
  piece.catch(() => {});
  return piece;
}

/** A file to recognize. @param onBytes called with the bytes that are read of it in order */
export function readableBlob(
  blob: Blob,
  { name, path }: Pick<ShownName, "name" | "path">,
  onBytes?: (bytes: Uint8Array) => void,
): ReadableFile {
  return {
    name,
    path,
    size: blob.size,
    bytes: () => piecesOf(blob, onBytes),
    chunks: () => piecesOf(blob),
    head: (length) => bytesOf(blob.slice(0, length)),
    tail: (length) => bytesOf(blob.slice(-length)),
  };
}

/** A file whose events are read again. */
export function sourceBlob(blob: Blob): SourceFile {
  return {
    size: blob.size,
    read: (offset, length) => bytesOf(blob.slice(offset, offset + length)),
    close: () => Promise.resolve(),
  };
}

/** Joins the pieces to one blob. */
export async function blobOf(pieces: AsyncIterable<Uint8Array>): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  // Copied, because the producer may reuse the memory of its pieces.
  for await (const piece of pieces) parts.push(piece.slice());
  return new Blob(parts);
}
