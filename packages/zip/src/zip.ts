import { strFromU8, Unzip, UnzipInflate } from "fflate";
import type { UnzipFile } from "fflate";

/** Why a zip was refused; `code` is stable. */
export class ZipError extends Error {
  readonly code: "too-many-entries" | "too-big" | "unreadable";
  constructor(code: ZipError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

export interface ZipBounds {
  readonly maxEntries: number;
  /** Bytes of all entries together after inflating. */
  readonly maxBytes: number;
  /** Inflated bytes per zip byte. Event files deflate 5 to 30 times. */
  readonly maxRatio: number;
  /** Inflated bytes from which the ratio counts: a small entry of zeros is no bomb. */
  readonly ratioFromBytes: number;
}

/** Bounds that no zip of event files exceeds; a caller may set stricter ones. */
export const EVENT_FILE_BOUNDS: ZipBounds = {
  maxEntries: 2000,
  maxBytes: 8 * 2 ** 30,
  maxRatio: 300,
  ratioFromBytes: 64 * 2 ** 20,
};

/** Receives one entry. */
export interface EntrySink {
  write(bytes: Uint8Array): Promise<void>;
  end(): Promise<void>;
}

const STEP = 16 * 1024;
const END_RECORD = [0x50, 0x4b, 5, 6];
const END_RECORD_BYTES = 22;
const MOST_COMMENT_BYTES = 0xffff;
/** Bytes at the end of a zip that contain its end record, whatever comment follows. */
export const ZIP_END_BYTES = END_RECORD_BYTES + MOST_COMMENT_BYTES;

const ZIP64 = 0xffff_ffff;
const ENTRY = 0x0201_4b50;
const ENTRY_BYTES = 46;
const ENCRYPTED = 1;
const UTF8 = 1 << 11;

interface Piece {
  readonly entry: number;
  readonly bytes: Uint8Array;
  readonly final: boolean;
}

/**
 * Inflates a zip as it streams; memory stays at one step for any size. Declared sizes are not trusted: the inflated
 * bytes are counted.
 * @param open returns the sink of an entry, or null to skip it
 * @throws ZipError
 */
export async function unzip(
  source: AsyncIterable<Uint8Array>,
  bounds: ZipBounds,
  open: (name: string) => Promise<EntrySink | null>,
): Promise<void> {
  const inflating = new Inflating(bounds);
  const sinks: (EntrySink | null)[] = [];
  const drain = async (): Promise<void> => {
    const ready = inflating.take();
    for (const name of inflating.names.slice(sinks.length)) sinks.push(await open(name));
    for (const { entry, bytes, final } of ready) {
      if (bytes.byteLength > 0) await sinks[entry]?.write(bytes);
      if (final) await sinks[entry]?.end();
    }
  };
  for await (const chunk of source) {
    for (let from = 0; from < chunk.byteLength; from += STEP) {
      inflating.push(chunk.subarray(from, from + STEP));
      await drain();
    }
  }
  inflating.end();
  await drain();
  inflating.expectEntries();
}

/** Inflates the entries of a zip that arrives step by step. */
class Inflating {
  /** Names of the entries found so far. */
  readonly names: string[] = [];
  readonly #bounds: ZipBounds;
  readonly #unzip: Unzip;
  #pieces: Piece[] = [];
  #failure: Error | null = null;
  #bytesIn = 0;
  #bytesOut = 0;

  constructor(bounds: ZipBounds) {
    this.#bounds = bounds;
    this.#unzip = new Unzip((file) => this.#begin(file));
    this.#unzip.register(UnzipInflate);
  }

  push(bytes: Uint8Array): void {
    this.#bytesIn += bytes.byteLength;
    this.#feed(bytes, false);
  }

  /** @throws ZipError when the zip ends inside an entry */
  end(): void {
    this.#feed(new Uint8Array(0), true);
  }

  /** Bytes that were inflated since the last call. @throws ZipError when a bound is exceeded */
  take(): Piece[] {
    if (this.#failure) {
      throw new ZipError("unreadable", `An entry of the zip cannot be inflated: ${this.#failure.message}.`);
    }
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#bytesOut += pieces.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
    this.#checkBounds();
    return pieces;
  }

  /** @throws ZipError when the zip was empty */
  expectEntries(): void {
    if (this.names.length === 0) throw new ZipError("unreadable", "The zip has no entries.");
  }

  #begin(file: UnzipFile): void {
    const entry = this.names.push(file.name) - 1;
    file.ondata = (error, bytes, final) => {
      if (error) this.#failure ??= error;
      else this.#pieces.push({ entry, bytes, final });
    };
    try {
      file.start();
    } catch (error) {
      this.#failure ??= error as Error;
    }
  }

  #feed(bytes: Uint8Array, final: boolean): void {
    try {
      this.#unzip.push(bytes, final);
    } catch (error) {
      const { message } = error as Error;
      throw new ZipError("unreadable", `The zip is damaged after ${this.#bytesIn} bytes: ${message}.`);
    }
  }

  #checkBounds(): void {
    const { maxEntries, maxBytes, maxRatio, ratioFromBytes } = this.#bounds;
    if (this.names.length > maxEntries) {
      throw new ZipError("too-many-entries", `The zip has more than ${maxEntries} entries.`);
    }
    if (this.#bytesOut > maxBytes) {
      throw new ZipError("too-big", `The zip holds more than ${maxBytes} bytes.`);
    }
    if (this.#bytesOut > ratioFromBytes && this.#bytesOut > this.#bytesIn * maxRatio) {
      throw new ZipError("too-big", `The zip inflates more than ${maxRatio} times, as no event file does.`);
    }
  }
}

/**
 * Checks that a zip has its end. One that is cut off between entries, or in the head of one, has lost files without a
 * trace in the rest.
 * @param last the last ZIP_END_BYTES of it
 * @throws ZipError
 */
export function expectZipEnd(last: Uint8Array): void {
  if (endRecordAt(last) !== null) return;
  throw new ZipError("unreadable", "The zip ends before its directory; copy it again.");
}

/** Position of the last complete end record of a zip; null without one. */
function endRecordAt(last: Uint8Array): number | null {
  for (let at = last.length - END_RECORD_BYTES; at >= 0; at--) {
    if (END_RECORD.every((byte, index) => last[at + index] === byte)) return at;
  }
  return null;
}

/** An entry as the directory of its zip names it. */
export interface ZipEntry {
  /** Name as `unzip` returns it. */
  readonly name: string;
  /** CRC-32 of the inflated bytes. */
  readonly crc: number;
  readonly isEncrypted: boolean;
  /** How it is packed: 0 not at all, 8 deflated. */
  readonly method: number;
  /** Bytes in the zip, and inflated bytes. */
  readonly packedBytes: number;
  readonly bytes: number;
  /** Position of its own head in the zip. */
  readonly offset: number;
}

/**
 * Place of the directory of a zip; null for a zip64, whose record is elsewhere.
 * @param last the last ZIP_END_BYTES of it, with its end as `expectZipEnd` wants it
 */
export function zipDirectoryPlace(
  last: Uint8Array,
): { readonly offset: number; readonly bytes: number } | null {
  const end = endRecordAt(last);
  if (end === null) return null;
  const view = viewOf(last);
  const place = { bytes: view.getUint32(end + 12, true), offset: view.getUint32(end + 16, true) };
  return place.offset === ZIP64 || place.bytes === ZIP64 ? null : place;
}

/** The entries in a zip's directory (APPNOTE 4.3.12), as far as it can be read. */
export function zipEntries(directory: Uint8Array): ZipEntry[] {
  const view = viewOf(directory);
  const entries: ZipEntry[] = [];
  let at = 0;
  while (at + ENTRY_BYTES <= directory.length && view.getUint32(at, true) === ENTRY) {
    const flags = view.getUint16(at + 8, true);
    const nameBytes = view.getUint16(at + 28, true);
    const name = directory.subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes);
    if (name.length < nameBytes) break;
    entries.push({
      name: strFromU8(name, (flags & UTF8) === 0),
      crc: view.getUint32(at + 16, true),
      isEncrypted: (flags & ENCRYPTED) !== 0,
      method: view.getUint16(at + 10, true),
      packedBytes: view.getUint32(at + 20, true),
      bytes: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    });
    at += ENTRY_BYTES + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

/** Whether bytes begin as a zip does. */
export function looksLikeZip(head: Uint8Array): boolean {
  return (
    head[0] === 0x50 &&
    head[1] === 0x4b &&
    (head[2] === 3 || head[2] === 5) &&
    (head[3] === 4 || head[3] === 6)
  );
}
