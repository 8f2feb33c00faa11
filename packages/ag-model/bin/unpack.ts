/** Extracts a zip of a command line, with the same rules as the app. */
import { createReadStream } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import {
  EVENT_FILE_BOUNDS,
  expectZipEnd,
  isClutter,
  shownName,
  unzip,
  ZIP_END_BYTES,
  type EntrySink,
} from "@aglens/zip";

/** A file of the command line, of a folder or of a zip. */
export interface NamedFile {
  /** Path of its bytes; - is standard input. */
  readonly path: string;
  /** Its path in messages; in a zip the zip's path and its own. */
  readonly name: string;
}

/** Bytes of a file from an offset on, counted from its end when negative. */
export async function bytesAt(path: string, offset: number, length: number): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const from = offset < 0 ? Math.max(0, size + offset) : offset;
    const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, from);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * Unpacks a zip into a folder. Entries get numbers as names: a name from a zip is never used as a path.
 * @throws ZipError for a zip that is damaged, or larger than any zip of event files
 */
export async function unpackZip(zip: NamedFile, folder: string): Promise<NamedFile[]> {
  const files: NamedFile[] = [];
  const unfinished = new Set<FileHandle>();
  try {
    expectZipEnd(await bytesAt(zip.path, -ZIP_END_BYTES, ZIP_END_BYTES));
    await unzip(createReadStream(zip.path), EVENT_FILE_BOUNDS, async (entry) => {
      const shown = shownName(entry);
      if (entry.endsWith("/") || shown === null || isClutter(entry)) return null;
      const path = join(folder, String(files.length));
      const name = [zip.name, shown.path, shown.name].filter((part) => part !== "").join("/");
      files.push({ path, name });
      return sinkOf(await open(path, "wx"), unfinished);
    });
  } finally {
    for (const file of unfinished) await file.close();
  }
  return files;
}

/**
 * Writes an entry to its file, which is in `unfinished` until the entry ends, so that a refused zip leaves no file
 * open.
 */
function sinkOf(file: FileHandle, unfinished: Set<FileHandle>): EntrySink {
  unfinished.add(file);
  return {
    write: (bytes) => file.writeFile(bytes),
    end: () => {
      unfinished.delete(file);
      return file.close();
    },
  };
}
