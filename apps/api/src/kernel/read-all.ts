import type { FileHandle } from "node:fs/promises";

/**
 * Fills a buffer from a place of a file, because one read of the system may return fewer bytes.
 * @returns number of bytes; fewer than the buffer has where the file ends before
 */
export async function readAll(handle: FileHandle, bytes: Uint8Array, at: number): Promise<number> {
  let done = 0;
  while (done < bytes.byteLength) {
    const { bytesRead } = await handle.read(bytes, done, bytes.byteLength - done, at + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return done;
}
