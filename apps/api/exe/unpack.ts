/** The program inside the single executable: a zip, which is unpacked once per version. */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { unzipSync } from "fflate";

/**
 * Unpacks the program unless a start before this one has.
 * @param folder of all versions
 * @param version names this one; another program has another name
 * @returns where it is
 */
export function unpackOnce(program: Uint8Array, folder: string, version: string): string {
  const place = join(folder, version);
  if (existsSync(place)) return place;
  // Beside its place first: what is in place is whole, also when two start at once or one is ended half way.
  const unfinished = `${place}.${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true });
  for (const [name, bytes] of Object.entries(unzipSync(program))) {
    const path = join(unfinished, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
  try {
    renameSync(unfinished, place);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(place)) throw error;
  }
  return place;
}
