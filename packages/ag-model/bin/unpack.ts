/** Zips of a command line -> the files in them, as the app takes them. */
import { createReadStream } from "node:fs";
import { mkdtemp, open, rm, type FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  EVENT_FILE_BOUNDS,
  expectZipEnd,
  isClutter,
  looksLikeZip,
  shownName,
  unzip,
  ZIP_END_BYTES,
  ZipError,
  type EntrySink,
} from "@aglens/zip";

/** A file of the command line, or of a zip in it. */
export interface UnpackedFile {
  /** Where its bytes are; - is standard input. */
  readonly path: string;
  /** What it is called: its path, in a zip the zip's path and its own. */
  readonly name: string;
  /** False for a file that was named itself. */
  readonly isOfZip: boolean;
}

/**
 * Unpacks the zips among the files into a folder of their own while `work` runs.
 * @param paths of each group of files that were given together
 * @throws ZipError for a zip that is damaged, or larger than any zip of event files
 */
export async function withUnpacked<Result>(
  paths: readonly (readonly string[])[],
  work: (files: readonly (readonly UnpackedFile[])[]) => Promise<Result>,
): Promise<Result> {
  const made: string[] = [];
  try {
    const files: UnpackedFile[][] = [];
    for (const group of paths) {
      const own: UnpackedFile[] = [];
      for (const path of group) {
        if (await isZip(path)) {
          const folder = await mkdtemp(join(tmpdir(), "aglens-zip-"));
          made.push(folder);
          own.push(...(await unpack(path, folder)));
        } else own.push({ path, name: path, isOfZip: false });
      }
      files.push(own);
    }
    return await work(files);
  } finally {
    for (const folder of made) await rm(folder, { recursive: true, force: true });
  }
}

const isZip = async (path: string): Promise<boolean> =>
  path !== "-" && looksLikeZip(await bytesAt(path, 0, 4));

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

/** Entries get numbers as names: what a zip calls them is never a path. */
async function unpack(zip: string, folder: string): Promise<UnpackedFile[]> {
  const files: UnpackedFile[] = [];
  const unfinished = new Set<FileHandle>();
  try {
    expectZipEnd(await bytesAt(zip, -ZIP_END_BYTES, ZIP_END_BYTES));
    await unzip(createReadStream(zip), EVENT_FILE_BOUNDS, async (entry) => {
      const shown = shownName(entry);
      if (entry.endsWith("/") || shown === null || isClutter(entry)) return null;
      const path = join(folder, String(files.length));
      const name = [zip, shown.path, shown.name].filter((part) => part !== "").join("/");
      files.push({ path, name, isOfZip: true });
      return sinkOf(await open(path, "wx"), unfinished);
    });
  } catch (error) {
    throw error instanceof ZipError ? new ZipError(error.code, `${zip}: ${error.message}`) : error;
  } finally {
    for (const file of unfinished) await file.close();
  }
  return files;
}

/** Writes an entry to its file, which is among those `unfinished` until the entry ends: of a zip that is refused none stays open. */
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
