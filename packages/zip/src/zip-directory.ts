/** A zip with random access: its entries by its directory, each inflated within its declared bounds. */
import { Inflate } from "fflate";
import { crc32 } from "./crc32.ts";
import { expectZipEnd, ZIP_END_BYTES, zipDirectoryPlace, zipEntries, ZipError } from "./zip.ts";
import type { ZipEntry } from "./zip.ts";

/** Bytes that can be read at any place; fewer where they end. */
export interface BytesAt {
  readonly size: number;
  read(offset: number, length: number): Promise<Uint8Array>;
}

const STORED = 0;
const DEFLATED = 8;
const LOCAL_HEAD = 0x0403_4b50;
const LOCAL_HEAD_BYTES = 30;
/** The inflated bytes of one piece are in memory at once: at most 1,032 times as many. */
const PIECE_BYTES = 32 * 1024;

/**
 * The entries of a zip. Entries of a zip64 are not read.
 * @throws ZipError `unreadable`, `too-many-entries`
 */
export async function readZipDirectory(zip: BytesAt, maxEntries: number): Promise<ZipEntry[]> {
  const last = await zip.read(Math.max(0, zip.size - ZIP_END_BYTES), ZIP_END_BYTES);
  expectZipEnd(last);
  const place = zipDirectoryPlace(last);
  if (place === null || place.offset + place.bytes > zip.size) {
    throw new ZipError("unreadable", "The directory of the zip is not where its end says.");
  }
  // An entry has at least 46 bytes and a name.
  if (place.bytes > maxEntries * 1024) {
    throw new ZipError("too-many-entries", `The zip has more than ${maxEntries} entries.`);
  }
  const entries = zipEntries(await zip.read(place.offset, place.bytes));
  if (entries.length <= maxEntries) return entries;
  throw new ZipError("too-many-entries", `The zip has more than ${maxEntries} entries.`);
}

/**
 * The inflated bytes of an entry, piece by piece; never more than the directory declares.
 * @throws ZipError when they are fewer or others than it declares
 */
export async function* zipEntryBytes(zip: BytesAt, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  const damaged = (): ZipError => new ZipError("unreadable", `${entry.name} in it is damaged.`);
  const head = await zip.read(entry.offset, LOCAL_HEAD_BYTES);
  if (head.length < LOCAL_HEAD_BYTES) throw damaged();
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (view.getUint32(0, true) !== LOCAL_HEAD || entry.isEncrypted) throw damaged();
  const from = entry.offset + LOCAL_HEAD_BYTES + view.getUint16(26, true) + view.getUint16(28, true);
  if (from + entry.packedBytes > zip.size) throw damaged();
  let bytes = 0;
  let crc = 0;
  for await (const piece of unpacked(zip, from, entry)) {
    bytes += piece.length;
    if (bytes > entry.bytes) throw damaged();
    crc = crc32(piece, crc);
    yield piece;
  }
  if (bytes !== entry.bytes || crc !== entry.crc) throw damaged();
}

async function* unpacked(zip: BytesAt, from: number, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  if (entry.method !== STORED && entry.method !== DEFLATED) {
    throw new ZipError("unreadable", `${entry.name} in it is packed in a way that is not known.`);
  }
  let ready: Uint8Array[] = [];
  const inflate = new Inflate((piece) => ready.push(piece));
  for (let at = 0; at < entry.packedBytes; at += PIECE_BYTES) {
    const length = Math.min(PIECE_BYTES, entry.packedBytes - at);
    // oxlint-disable-next-line no-await-in-loop -- in order
    const piece = await zip.read(from + at, length);
    if (entry.method === STORED) {
      yield piece;
      continue;
    }
    try {
      inflate.push(piece, at + length === entry.packedBytes);
    } catch {
      throw new ZipError("unreadable", `${entry.name} in it is damaged.`);
    }
    yield* ready;
    ready = [];
  }
}
