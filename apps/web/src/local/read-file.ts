/** Reads dropped files to recognize them. Runs in its own thread; nothing of a file leaves the computer. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { EventColumns } from "@aglens/ag-model/events";
import { buffersOfEvents, prepareEvents } from "@aglens/ag-model/replication";
import type { PreparedEvents } from "@aglens/ag-model/replication";
import { recognizeFile, unreadable } from "@aglens/engine/files";
import type { Recognized } from "@aglens/engine/files";
import { problem } from "@aglens/engine/problems";
import {
  crc32,
  EVENT_FILE_BOUNDS,
  expectZipEnd,
  isClutter,
  looksLikeZip,
  readEntryChecksums,
  shownName,
  unzip,
  ZIP_END_BYTES,
  ZipError,
} from "@aglens/zip";
import type { EntryChecksums, EntrySink, ShownName } from "@aglens/zip";
import { looksLikeXel } from "xel-parser/format";
import { bytesOf } from "./blob-bytes.ts";
import { blobOf, piecesOf, readableBlob } from "./blob-file.ts";
import { giveBack } from "./give-back.ts";

interface BytesOfFile {
  readonly blob: Blob;
  readonly name: ShownName;
  /** Bytes of the complete file, where `blob` is its beginning because it isn't used. */
  readonly completeBytes?: number | undefined;
}

export interface FileToRead extends BytesOfFile {
  /**
   * The events of this file, or of its entries, are also prepared for the analysis, if the number of files is not
   * larger than this.
   */
  readonly mostPrepared: number;
}

/** A file, and its recognized content. */
export interface ReadFile {
  readonly name: ShownName;
  /** Its bytes; for events that were saved as text, the bytes of the .xel file that was made from them. */
  readonly blob: Blob;
  /** SHA-256 of the bytes as they arrived, hex. */
  readonly sha256: string;
  readonly recognised: Recognized;
  /** Its events; null where they were prepared, and where reading the file again would return others. */
  readonly columns: EventColumns | null;
  /** Prepared events of the file for the analysis; null where they were not prepared. */
  readonly prepared: PreparedEvents | null;
}

/**
 * Reads a file, or every file of a zip.
 * @param onBytes called with the number of further bytes that were read
 * @throws ProblemError `bad-zip`, `too-big`, `too-many-files`
 */
export async function readDropped(file: FileToRead, onBytes: (more: number) => void): Promise<ReadFile[]> {
  if (!(await isZip(file.blob))) return [await readOne(file, file.mostPrepared > 0, onBytes)];
  const files = await unpacked(file, onBytes);
  const read: ReadFile[] = [];
  // oxlint-disable-next-line no-await-in-loop -- one after the other: each needs memory for its events
  for (const one of files) read.push(await readOne(one, files.length <= file.mostPrepared, () => {}));
  return read;
}

const isZip = async (blob: Blob): Promise<boolean> => looksLikeZip(await bytesOf(blob.slice(0, 4)));

async function readOne(
  { blob, name, completeBytes }: BytesOfFile,
  prepares: boolean,
  onBytes: (more: number) => void,
): Promise<ReadFile> {
  const hash = sha256.create();
  let hashed = 0;
  // A large file without a use is not read to its end.
  const isEvents = looksLikeXel(await bytesOf(blob.slice(0, XEL_MARK_BYTES)));
  const byBrowser = isEvents || blob.size <= SMALL_BYTES ? digestByBrowser(blob) : null;
  const read: { columns: EventColumns | null; blob: Blob } = { columns: null, blob };
  const readable = readableBlob(blob, name, (bytes) => {
    if (byBrowser === null) hash.update(bytes);
    hashed += bytes.length;
    onBytes(bytes.length);
  });
  const file = { ...readable, completeBytes };
  const recognised = (await isZip(blob))
    ? unreadable(nestedZipText(name.name))
    : await recognizeFile(file, {
        replace: async (bytes) => {
          read.blob = await blobOf(bytes);
          return readableBlob(read.blob, name);
        },
        onColumns: (columns) => {
          read.columns = columns;
        },
      });
  const isHashed = byBrowser === null && hashed === blob.size && recognised.size === undefined;
  const columns = recognised.gaps.length === 0 ? read.columns : null;
  const prepared = prepares && columns !== null ? prepareEvents(columns) : null;
  // The next file is read before a garbage collection frees them.
  if (prepared !== null) giveBack(buffersOfEvents({ columns }));
  return {
    ...read,
    name,
    recognised,
    sha256: isHashed ? bytesToHex(hash.digest()) : await (byBrowser ?? laterDigest(recognised, blob)),
    columns: prepared === null ? columns : null,
    prepared,
  };
}

const nestedZipText = (name: string): string =>
  `${name} is a zip inside a zip. Unpack it and add its files; until then the analysis skips it.`;

/** The mark of a .xel file is shorter. */
const XEL_MARK_BYTES = 64;
const SMALL_BYTES = 4 * 1024 * 1024;

/** The browser hashes ten times as fast, in parallel to reading, but needs all bytes of the file at once. */
const MOST_AT_ONCE_BYTES = 128 * 1024 * 1024;

/**
 * SHA-256 by the browser itself, hex; null where the browser lacks it (a page over plain HTTP), or where the file would
 * need too much memory.
 */
function digestByBrowser(blob: Blob): Promise<string> | null {
  // A page from an insecure origin has no such object, in spite of its type.
  const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined;
  if (subtle === undefined || blob.size > MOST_AT_ONCE_BYTES) return null;
  const digest = bytesOf(blob)
    .then((bytes) => subtle.digest("SHA-256", bytes))
    .then((hash) => bytesToHex(new Uint8Array(hash)));
  // The reader of the file reports first that it cannot be read.
  digest.catch(() => {});
  return digest;
}

/** The content of a large file that isn't used stays unknown. */
function laterDigest({ evidenceFile }: Recognized, blob: Blob): Promise<string> | string {
  const isUnread = evidenceFile?.state === "convert" || evidenceFile?.state === "notUsed";
  return isUnread && evidenceFile.events + evidenceFile.samples === 0
    ? ""
    : (digestByBrowser(blob) ?? digestOf(blob));
}

async function digestOf(blob: Blob): Promise<string> {
  const hash = sha256.create();
  for await (const bytes of piecesOf(blob)) hash.update(bytes);
  return bytesToHex(hash.digest());
}

/** The files of a zip. The browser may keep their bytes on its own disk. */
async function unpacked(
  { blob, name }: BytesOfFile,
  onBytes: (more: number) => void,
): Promise<BytesOfFile[]> {
  const files: BytesOfFile[] = [];
  let checksums: EntryChecksums | null = null;
  const open = (text: string): Promise<EntrySink | null> => {
    const entry = shownName(text);
    if (text.endsWith("/") || entry === null || isClutter(text)) return Promise.resolve(null);
    return Promise.resolve(
      entrySink((bytes, crc) => {
        checksums?.expect(text, crc);
        files.push({ blob: bytes, name: nameInZip(entry, name) });
      }),
    );
  };
  try {
    const last = await bytesOf(blob.slice(-ZIP_END_BYTES));
    expectZipEnd(last);
    checksums = await readEntryChecksums(last, (offset, bytes) =>
      bytesOf(blob.slice(offset, offset + bytes)),
    );
    await unzip(
      piecesOf(blob, ({ length }) => onBytes(length)),
      EVENT_FILE_BOUNDS,
      open,
    );
  } catch (error) {
    throw zipProblem(error);
  }
  if (files.length === 0) throw problem("bad-zip", "The zip holds no files, only folders.");
  return files;
}

/** @param onEnd called with the entry's bytes and their CRC-32 */
function entrySink(onEnd: (blob: Blob, crc: number) => void): EntrySink {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let crc = 0;
  return {
    write: (bytes) => {
      crc = crc32(bytes, crc);
      parts.push(bytes.slice());
      return Promise.resolve();
    },
    end: () => {
      onEnd(new Blob(parts), crc);
      return Promise.resolve();
    },
  };
}

/** An entry's name with the zip as one of its folders. */
function nameInZip(entry: ShownName, zip: ShownName): ShownName {
  const path = [zip.path, zip.name, entry.path].filter((part) => part !== "").join("/");
  return { ...entry, folder: entry.folder ?? zip.folder, path };
}

function zipProblem(error: unknown): unknown {
  if (!(error instanceof ZipError)) return error;
  if (error.code === "too-big") return problem("too-big", `${error.message} Unpack it and add its files.`);
  if (error.code === "too-many-entries") return problem("too-many-files", error.message);
  return problem("bad-zip", error.message);
}
