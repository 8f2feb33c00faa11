/** The bytes of one stored file. */
import { closeSync, createReadStream, openSync, readSync } from "node:fs";
import type { ByteSource } from "xel-parser/format";

const CHUNK_BYTES = 1024 * 1024;

/** A file in chunks of a sensible size; opened when the first is asked for, so that who never asks leaves nothing open. */
export async function* chunksOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { highWaterMark: CHUNK_BYTES });
}

/**
 * A file's bytes in order, read by the thread that asks for them: only for one that has nothing else to do meanwhile. Nothing
 * is copied on the way, and no new memory is needed.
 * @param onBytes called with what was read
 */
export function sourceOf(path: string, onBytes?: (bytes: Uint8Array) => void): ByteSource {
  const file = openSync(path, "r");
  return {
    read(into) {
      const bytes = readSync(file, into);
      onBytes?.(into.subarray(0, bytes));
      return bytes;
    },
    close: () => closeSync(file),
  };
}
