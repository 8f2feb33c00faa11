/** The files of a zip, each written to a file of its own. Runs in a thread: inflating takes seconds. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import {
  EVENT_FILE_BOUNDS,
  expectZipEnd,
  isClutter,
  readEntryChecksums,
  shownName,
  unzip,
  ZIP_END_BYTES,
  ZipError,
} from "@aglens/zip";
import type { EntrySink, ShownName } from "@aglens/zip";
import { problem } from "@aglens/engine/problems";
import { bytesAt } from "../kept/random-access.ts";

/** Folders and archivers' own entries are counted in addition to the files. */
const ENTRIES_PER_FILE = 4;
/** So many bytes are written between two reports. */
const REPORT_BYTES = 16 * 1024 * 1024;

export interface UnpackRequest {
  /** The zip. */
  readonly path: string;
  /** Name of the zip: its folder is used for entries without a folder. */
  readonly name: ShownName;
  /** Folder for the files, which is created. */
  readonly folder: string;
  readonly maxFiles: number;
  /** Bytes of all files together. */
  readonly maxBytes: number;
}

export interface UnpackedFile {
  readonly name: ShownName;
  readonly path: string;
  readonly size: number;
  /** SHA-256 of the bytes, hex. */
  readonly sha256: string;
}

/**
 * Unpacks a zip; each file is flushed to the disk. After an error the caller removes the folder.
 * @param onBytes called repeatedly while files are written; an error of it ends the unpacking
 * @throws ProblemError `too-big`, `bad-zip`, `too-many-files`
 */
export async function unpackZip(request: UnpackRequest, onBytes: () => void): Promise<UnpackedFile[]> {
  const { path, name, folder, maxFiles, maxBytes } = request;
  const files: UnpackedFile[] = [];
  const unfinished = new Set<FileHandle>();
  const written = reportEach(REPORT_BYTES, onBytes);
  await mkdir(folder);
  try {
    const last = await bytesAt(path, -ZIP_END_BYTES, ZIP_END_BYTES);
    expectZipEnd(last);
    const checksums = await readEntryChecksums(last, (offset, bytes) => bytesAt(path, offset, bytes));
    const bounds = { ...EVENT_FILE_BOUNDS, maxEntries: maxFiles * ENTRIES_PER_FILE, maxBytes };
    let begun = 0;
    await unzip(createReadStream(path), bounds, async (text) => {
      const entryName = shownName(text);
      if (text.endsWith("/") || entryName === null || isClutter(text)) return null;
      if (begun === maxFiles) {
        throw problem(
          "too-many-files",
          `A capture holds at most ${maxFiles} files. Make a second capture for the others.`,
        );
      }
      const to = join(folder, String(begun++));
      const file = await open(to, "wx");
      unfinished.add(file);
      return entrySink(file, written, (size, sha256, crc) => {
        unfinished.delete(file);
        checksums.expect(text, crc);
        files.push({ name: nameInZip(entryName, name), path: to, size, sha256 });
      });
    });
  } catch (error) {
    for (const file of unfinished) await file.close();
    throw zipProblem(error, maxFiles);
  }
  if (files.length === 0) throw problem("bad-zip", "The zip holds no files, only folders.");
  return files;
}

/** Writes one entry to its file. @param end called with the result for the entire entry */
function entrySink(
  file: FileHandle,
  written: (bytes: number) => void,
  end: (size: number, sha256: string, crc: number) => void,
): EntrySink {
  const hash = createHash("sha256");
  let crc = 0;
  let size = 0;
  return {
    write: async (bytes) => {
      hash.update(bytes);
      crc = crc32(bytes, crc);
      size += bytes.byteLength;
      await file.writeFile(bytes);
      written(bytes.byteLength);
    },
    end: async () => {
      await file.sync();
      await file.close();
      end(size, hash.digest("hex"), crc);
    },
  };
}

function reportEach(bytes: number, report: () => void): (more: number) => void {
  let since = 0;
  return (more) => {
    since += more;
    if (since < bytes) return;
    since = 0;
    report();
  };
}

/** An entry's name with the zip as one of its folders. */
function nameInZip(entry: ShownName, zip: ShownName): ShownName {
  const path = [zip.path, zip.name, entry.path].filter((part) => part !== "").join("/");
  return { ...entry, folder: entry.folder ?? zip.folder, path };
}

function zipProblem(error: unknown, maxFiles: number): unknown {
  if (!(error instanceof ZipError)) return error;
  if (error.code === "too-big") {
    return problem("too-big", `${error.message} Unpack it and upload its files one by one.`);
  }
  if (error.code === "too-many-entries") {
    return problem("too-many-files", `${error.message} A capture holds at most ${maxFiles} files.`);
  }
  return problem("bad-zip", error.message);
}
