/** The program inside the single executable: a zip, which is unpacked once per version. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { unzipSync } from "fflate";

const DAY_MS = 86_400_000;

/** Programs that were not used for so long are deleted. */
const UNUSED_MS = 90 * DAY_MS;

/**
 * Unpacks the program unless a start before this one has.
 * @param program its zip, asked for only when it is unpacked
 * @param folder of all versions
 * @param version names this one; another program has another name
 * @returns where it is
 */
export function unpackOnce(program: () => Uint8Array, folder: string, version: string): string {
  const place = join(folder, version);
  if (!existsSync(place)) unpack(program(), place);
  markUsed(place);
  deleteUnused(folder, Date.now());
  return place;
}

/** Marks each day that a program is in use: a server runs for months, and starts its threads from these files. */
export function keepUsed(place: string): void {
  const mark = (): void => {
    try {
      markUsed(place);
    } catch {
      // The folder of the program was removed, so there is nothing to mark.
    }
  };
  setInterval(mark, DAY_MS).unref();
}

function markUsed(place: string): void {
  const now = new Date();
  utimesSync(place, now, now);
}

/** Deletes other versions, and leftovers of interrupted starts. */
function deleteUnused(folder: string, nowMs: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    try {
      if (nowMs - statSync(path).mtimeMs > UNUSED_MS) rmSync(path, { recursive: true, force: true });
    } catch {
      // Another start deletes it too, or a file of it is open: the next start tries again.
    }
  }
}

function unpack(program: Uint8Array, place: string): void {
  // Unpacks to a folder next to the final one first: the final folder is always complete, also when two starts unpack
  // at once or one is interrupted.
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
}
