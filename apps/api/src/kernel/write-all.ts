import type { FileHandle } from "node:fs/promises";

/** Writes all bytes at a place of a file: one write of the system may take fewer. */
export async function writeAll(handle: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.byteLength;) {
    done += (await handle.write(bytes, done, bytes.byteLength - done, at + done)).bytesWritten;
  }
}
