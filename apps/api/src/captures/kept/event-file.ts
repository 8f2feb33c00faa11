/** The bytes of one stored file. */
import { createReadStream } from "node:fs";

const CHUNK_BYTES = 1024 * 1024;

/** A file in chunks of a sensible size; opened when the first is asked for, so that who never asks leaves nothing open. */
export async function* chunksOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { highWaterMark: CHUNK_BYTES });
}
