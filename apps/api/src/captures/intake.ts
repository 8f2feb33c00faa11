/** What comes into a capture: files, zips of files and files of a live run, each kept as a blob and recognised. */
import { createHash } from "node:crypto";
import type { Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { crc32 } from "node:zlib";
import type { Logger } from "pino";
import type { CaptureFile } from "@aglens/contract";
import {
  EVENT_FILE_BOUNDS,
  expectZipEnd,
  isClutter,
  looksLikeZip,
  shownName,
  unzip,
  ZIP_END_BYTES,
  zipDirectoryPlace,
  zipEntries,
  ZipError,
} from "@aglens/zip";
import type { ShownName, ZipEntry } from "@aglens/zip";
import { problem } from "../problems.ts";
import type { BlobWriter, Blobs } from "../store/blobs.ts";
import { TooBigError } from "../store/blobs.ts";
import { isDiskFull } from "../store/space.ts";
import { newId } from "../identity.ts";
import type { Analyser } from "./job.ts";
import { randomAccess } from "./random-access.ts";
import { unreadable } from "./recognised.ts";
import type { Recognised } from "./recognised.ts";

/** Folders and archivers' own entries are counted beside the files. */
const ENTRIES_PER_FILE = 4;
const MOST_DIRECTORY_BYTES = 16 * 1024 * 1024;

export interface IntakeLimits {
  readonly maxUploadBytes: number;
  /** Files of one capture. */
  readonly maxFiles: number;
}

interface Received {
  readonly fileId: string;
  readonly name: ShownName;
  size: number;
  /** SHA-256 of the bytes, hex; "" where they were not seen. */
  sha256: string;
}

/** Turns bytes into files of a capture; which capture may take them, and when, is not known here. */
export class Intake {
  readonly #blobs: Blobs;
  readonly #analyser: Analyser;
  readonly #limits: IntakeLimits;
  readonly #log: Logger;

  constructor(blobs: Blobs, analyser: Analyser, limits: IntakeLimits, log: Logger) {
    this.#blobs = blobs;
    this.#analyser = analyser;
    this.#limits = limits;
    this.#log = log;
  }

  /**
   * Stores one file, or the files of a zip, and recognises each.
   * @param name as `expectFileName` gave it
   * @throws ProblemError `too-big`, `bad-zip`, `too-many-files`; nothing is kept then
   */
  async receive(id: string, name: ShownName, source: AsyncIterable<Uint8Array>): Promise<CaptureFile[]> {
    const fileId = newId();
    const hash = createHash("sha256");
    const size = await this.#store(id, fileId, hashed(source, hash));
    const received = looksLikeZip(await bytesAt(this.#blobs.path(id, fileId), 0, 4))
      ? await this.#unpack(id, fileId, name)
      : [{ fileId, name, size, sha256: hash.digest("hex") }];
    const recognised = await Promise.allSettled(received.map((file) => this.#recognise(id, file)));
    const failure = recognised.find((each) => each.status === "rejected");
    if (failure === undefined) {
      return recognised.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
    }
    for (const file of received) await this.#blobs.remove(id, file.fileId);
    throw failure.reason;
  }

  /**
   * Takes over a file that lies in the data directory already, and recognises it.
   * @returns null when there is none any more: it was taken over before, and deleted since
   */
  async adopt(id: string, fileId: string, name: string, path: string): Promise<CaptureFile | null> {
    const size = await this.#blobs.adopt(id, fileId, path);
    if (size === null) return null;
    return this.#recognise(id, {
      fileId,
      name: { name, folder: null, path: "" },
      size,
      sha256: "",
    });
  }

  async #store(id: string, fileId: string, source: AsyncIterable<Uint8Array>): Promise<number> {
    try {
      return await this.#blobs.receive(id, fileId, source, this.#limits.maxUploadBytes);
    } catch (error) {
      if (error instanceof TooBigError) throw tooBig(error.limit);
      throw error;
    }
  }

  /** @param zip name of the zip itself: its folder is that of entries without one */
  async #unpack(id: string, zipId: string, zip: ShownName): Promise<Received[]> {
    const received: (Received & { readonly writer: BlobWriter })[] = [];
    const path = this.#blobs.path(id, zipId);
    try {
      const last = await bytesAt(path, -ZIP_END_BYTES, ZIP_END_BYTES);
      expectZipEnd(last);
      const checksums = checksumsOf(await directoryOf(path, last));
      await unzip(
        createReadStream(path),
        {
          ...EVENT_FILE_BOUNDS,
          maxEntries: this.#limits.maxFiles * ENTRIES_PER_FILE,
          maxBytes: this.#limits.maxUploadBytes,
        },
        async (text) => {
          const entryName = shownName(text);
          if (text.endsWith("/") || entryName === null || isClutter(text)) return null;
          const path = [zip.path, zip.name, entryName.path].filter((part) => part !== "").join("/");
          const name = { ...entryName, folder: entryName.folder ?? zip.folder, path };
          if (received.length === this.#limits.maxFiles) throw tooManyFiles(this.#limits.maxFiles);
          const fileId = newId();
          const writer = await this.#blobs.create(id, fileId);
          const entry = { fileId, name, size: 0, sha256: "", writer };
          const hash = createHash("sha256");
          let crc = 0;
          received.push(entry);
          return {
            write: (bytes) => {
              hash.update(bytes);
              crc = crc32(bytes, crc);
              return writer.write(bytes);
            },
            end: async () => {
              if (checksums.get(text)?.has(crc) === false) throw damagedEntry(entryName.name);
              entry.size = writer.size;
              entry.sha256 = hash.digest("hex");
              await writer.commit();
            },
          };
        },
      );
    } catch (error) {
      for (const { fileId, writer } of received) {
        await writer.discard();
        await this.#blobs.remove(id, fileId);
      }
      throw zipProblem(error, this.#limits);
    } finally {
      await this.#blobs.remove(id, zipId);
    }
    if (received.length === 0) throw problem("bad-zip", "The zip holds no files, only folders.");
    return received;
  }

  async #recognise(id: string, { fileId, name, size, sha256 }: Received): Promise<CaptureFile> {
    const path = this.#blobs.path(id, fileId);
    // A zip that came by itself was unpacked.
    const isNested = looksLikeZip(await bytesAt(path, 0, 4));
    const recognised = isNested ? nestedZip(name.name) : await this.#recognised(path, name.name);
    return {
      id: fileId,
      ...name,
      size,
      sha256,
      ...recognised,
      given: {},
      // The grouping of all files says which role and server it has.
      role: "ignored",
      replica: "",
    };
  }

  #recognised(path: string, name: string): Promise<Recognised> {
    return this.#analyser.recognise({ path, name }).done.catch((error: unknown): Recognised => {
      // Events that were saved as text are written anew, as a .xel file.
      if (isDiskFull(error)) throw error;
      this.#log.error({ err: error }, "recognition failed");
      return unreadable(
        `${name}, byte 0: the decoder stopped unexpectedly. The file is left out of the analysis.`,
      );
    });
  }
}

/** @throws ProblemError `bad-file-name` when a client's text is no name a file can have */
export function expectFileName(text: string): ShownName {
  const name = shownName(text);
  if (name !== null) return name;
  throw problem(
    "bad-file-name",
    `"${text.slice(0, 80)}" is not a file name. Give ?name= the file's own name.`,
  );
}

async function* hashed(source: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const bytes of source) {
    hash.update(bytes);
    yield bytes;
  }
}

function tooBig(limit: number): Error {
  return problem(
    "too-big",
    `The file is larger than ${limit.toLocaleString("en")} bytes, the API's limit (AGLENS_MAX_UPLOAD_BYTES).`,
  );
}

export function tooManyFiles(limit: number): Error {
  return problem(
    "too-many-files",
    `A capture holds at most ${limit} files. Make a second capture for the others.`,
  );
}

function zipProblem(error: unknown, limits: IntakeLimits): unknown {
  if (!(error instanceof ZipError)) return error;
  if (error.code === "too-big") {
    return problem("too-big", `${error.message} Unpack it and upload its files one by one.`);
  }
  if (error.code === "too-many-entries") {
    return problem("too-many-files", `${error.message} A capture holds at most ${limits.maxFiles} files.`);
  }
  return problem("bad-zip", error.message);
}

/** Entries of a zip as its directory names them; none where that is elsewhere or larger than that of any zip of event files. */
async function directoryOf(path: string, last: Uint8Array): Promise<ZipEntry[]> {
  const place = zipDirectoryPlace(last);
  if (place === null || place.bytes > MOST_DIRECTORY_BYTES) return [];
  return zipEntries(await bytesAt(path, place.offset, place.bytes));
}

/** CRCs by name; a name may be there more than once. @throws ZipError when an entry is encrypted */
function checksumsOf(entries: readonly ZipEntry[]): Map<string, Set<number>> {
  const encrypted = entries.find(({ isEncrypted }) => isEncrypted);
  if (encrypted !== undefined) {
    throw new ZipError(
      "unreadable",
      `${shownName(encrypted.name)?.name ?? "An entry"} is protected by a password. Unpack the zip and add its files.`,
    );
  }
  const checksums = new Map<string, Set<number>>();
  for (const { name, crc } of entries) checksums.set(name, (checksums.get(name) ?? new Set()).add(crc));
  return checksums;
}

const nestedZip = (name: string): Recognised =>
  unreadable(
    `${name} is a zip inside a zip. Unpack it and add its files; until then it is left out of the analysis.`,
  );

function damagedEntry(name: string): ZipError {
  return new ZipError(
    "unreadable",
    `${name} in the zip is damaged: its checksum is wrong. Copy the zip again.`,
  );
}

/** Bytes of a file from an offset on, counted from its end when negative; fewer where the file is shorter. */
async function bytesAt(path: string, offset: number, length: number): Promise<Uint8Array> {
  const file = await randomAccess(path);
  try {
    return await file.read(offset < 0 ? Math.max(0, file.size + offset) : offset, length);
  } finally {
    await file.close();
  }
}
