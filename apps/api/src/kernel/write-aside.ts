/** Files that are complete or absent, also after a power cut. */
import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";

/** Puts content in the place of a file: written aside, flushed to disk, then renamed. One writer per path at a time. */
export async function writeAside(path: string, content: string | Uint8Array): Promise<void> {
  const aside = `${path}.new`;
  const handle = await open(aside, "w");
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(aside, path);
  await syncDirectory(dirname(path));
}

/** Flushes a folder after a rename into it: the rename itself must survive a power cut. */
export async function syncDirectory(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } catch {
    // Not every platform lets a directory be flushed (Windows does not); the rename is atomic there all the same.
  } finally {
    await handle.close();
  }
}
