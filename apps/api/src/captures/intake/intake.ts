/** Takes files into a capture: files, zips of files and files of a live run, each kept as a blob and recognized. */
import { createHash } from "node:crypto";
import { rm, stat } from "node:fs/promises";
import type { Logger } from "pino";
import type { CaptureFile, UnclaimedFigures } from "@aglens/contract";
import { looksLikeZip, shownName } from "@aglens/zip";
import type { ShownName } from "@aglens/zip";
import { problem } from "@aglens/engine/problems";
import { type Blobs, withBlobs } from "../../store/blobs.ts";
import { TooBigError } from "../../store/blobs.ts";
import type { Job } from "../jobs/job.ts";
import { isDiskFull } from "../../store/space.ts";
import { newId } from "../../kernel/identity.ts";
import { looksLikeXel } from "xel-parser/format";
import type { Analyzer } from "../analysis/analyzer.ts";
import { bytesAt } from "../kept/random-access.ts";
import { receiveUnread } from "../reading/received-file.ts";
import type { FileToReceive, ReceivedFile } from "../reading/received-file.ts";
import type { FollowedFile } from "../reading/recognisers.ts";
import { FEW_FILES, unreadable } from "@aglens/engine/files";
import type { Recognized } from "@aglens/engine/files";
import { NOTHING_UNCLAIMED, sumOfUnclaimed, unclaimedIn } from "./unclaimed-payloads.ts";
import { whileRoom } from "../jobs/while-room.ts";

/** Reading a smaller file again takes less time than keeping its events. */
const WORTH_KEEPING_BYTES = 1024 * 1024;

export interface IntakeLimits {
  readonly maxUploadBytes: number;
  /** Files of one capture. */
  readonly maxFiles: number;
}

interface Received {
  readonly fileId: string;
  /** Its path until a capture has it. */
  readonly path: string;
  readonly name: ShownName;
  readonly size: number;
  /** SHA-256 of the bytes, hex; where it is not known it is found while they are read. */
  readonly sha256?: string;
  /** Path where the bytes stay unchanged until a capture has them, if not `path`. */
  readonly cameAs?: string;
  /** Its recognition, if that began while it arrived. */
  readonly followed?: Job<ReceivedFile> | null;
  readonly completeBytes?: number | undefined;
}

/** Options of an incoming file. */
export interface IncomingFile {
  /** Statement texts, host and login names stay. */
  readonly keepSensitive?: boolean;
  /** Bytes that the client announced. */
  readonly announced?: number | undefined;
  /** Bytes of the complete file, where only its beginning is sent because it isn't used. */
  readonly completeBytes?: number | undefined;
  /** Files that its capture has. */
  readonly present?: number;
  /** Its reading, if that began while it arrived. */
  readonly followed?: FollowedUpload | null;
}

/** A file that is read while it is sent in parts. */
export interface FollowedUpload extends FollowedFile {
  /** Its path, once it is complete, until a capture has it. */
  readonly path: string;
}

/** Turns bytes into files of a capture; which capture may take them, and when, is not known here. */
export class Intake {
  readonly #blobs: Blobs;
  readonly #analyzer: Analyzer;
  readonly #limits: IntakeLimits;
  readonly #log: Logger;
  #unclaimed: UnclaimedFigures = NOTHING_UNCLAIMED;

  constructor(blobs: Blobs, analyzer: Analyzer, limits: IntakeLimits, log: Logger) {
    this.#blobs = blobs;
    this.#analyzer = analyzer;
    this.#limits = limits;
    this.#log = log;
  }

  /** Payload bytes that no column claims, of the files that this process received. */
  get unclaimed(): UnclaimedFigures {
    return this.#unclaimed;
  }

  #count(files: readonly CaptureFile[]): void {
    this.#unclaimed = sumOfUnclaimed([this.#unclaimed, unclaimedIn(files)]);
  }

  /**
   * Stores one file, or the files of a zip, recognizes each, and removes sensitive values. A capture has a file's bytes
   * only after that: files of a process that ended before are deleted by the next one.
   * @param name result of `expectFileName`
   * @throws ProblemError `too-big`, `bad-zip`, `too-many-files`; nothing is kept then
   */
  async receive(
    id: string,
    name: ShownName,
    source: AsyncIterable<Uint8Array>,
    { keepSensitive = false, announced = 0, completeBytes, present = 0 }: IncomingFile = {},
  ): Promise<CaptureFile[]> {
    const path = this.#blobs.aside();
    const folder = this.#blobs.aside();
    const fileId = newId();
    const recognised = this.#analyzer.expectFile();
    const prepares = present < FEW_FILES;
    const stored = this.#storedAt(id, fileId, announced);
    const file = { path, name: name.name, folders: name.path, keepSensitive, prepares, ...stored };
    const incoming = new IncomingBytes(source, (first) =>
      announced > 0 && completeBytes === undefined && looksLikeXel(first)
        ? this.#analyzer.follow(file, id, announced)
        : null,
    );
    try {
      const size = await this.#store(path, incoming.bytes());
      const { sha256, followed } = incoming;
      const received = looksLikeZip(await bytesAt(path, 0, 4))
        ? await this.#unpack(path, name, folder)
        : [{ fileId, path, name, size, sha256, followed, completeBytes }];
      return await this.#takeInAll(id, received, { keepSensitive, present });
    } finally {
      // Ends the reading of an incomplete file; a thread that writes into a file has to end before the file is deleted.
      await incoming.followed?.cancel();
      recognised();
      await rm(path, { force: true });
      await rm(folder, { recursive: true, force: true });
    }
  }

  /**
   * Begins to read a .xel file that arrives in parts. Its first bytes are at `cameAs`, and later ones are added there.
   * The caller passes the result to `takeIn`, or cancels it.
   * @returns null where the file can be read only when it is complete
   */
  follow(
    id: string,
    fileId: string,
    name: ShownName,
    cameAs: string,
    { keepSensitive = false, announced = 0, present = 0 }: IncomingFile,
  ): FollowedUpload | null {
    const recognised = this.#analyzer.expectFile();
    const path = this.#blobs.aside();
    const prepares = present < FEW_FILES;
    const stored = this.#storedAt(id, fileId, announced);
    const own = { name: name.name, folders: name.path };
    const file = { path, cameAs, ...own, keepSensitive, prepares, ...stored };
    const followed = this.#analyzer.follow(file, id, announced);
    recognised();
    return followed && { ...followed, path };
  }

  /**
   * Takes in a file of the data directory as `receive` does with an uploaded one. The file stays unchanged in its
   * place; the caller deletes it once the capture has the returned files.
   * @param fileId of the file in the capture; those of a zip have `FILEID-0` and so on
   * @throws errors of `receive`
   */
  async takeIn(
    id: string,
    fileId: string,
    name: ShownName,
    path: string,
    { keepSensitive = false, present = 0, followed = null }: IncomingFile = {},
  ): Promise<CaptureFile[]> {
    await this.#blobs.expectRoom();
    const own = followed?.path ?? this.#blobs.aside();
    try {
      const received = looksLikeZip(await bytesAt(path, 0, 4))
        ? await this.#unpack(path, name, own, (count) => `${fileId}-${count}`)
        : [await this.#shared({ fileId, path: own, name, cameAs: path, followed })];
      return await this.#takeInAll(id, received, { keepSensitive, present });
    } finally {
      await rm(own, { recursive: true, force: true });
    }
  }

  /** Adds a second name to bytes that stay in their place. */
  async #shared(file: Omit<Received, "size"> & { readonly cameAs: string; followed: FollowedUpload | null }) {
    const size = await this.#blobs.share(file.cameAs, file.path);
    file.followed?.end(size, null);
    return { ...file, size };
  }

  /** Recognizes each file, and then adds all to the capture; when one fails, it gets none. */
  async #takeInAll(
    id: string,
    received: readonly Received[],
    { keepSensitive, present }: Required<Pick<IncomingFile, "keepSensitive" | "present">>,
  ): Promise<CaptureFile[]> {
    const prepares = present + received.length <= FEW_FILES;
    const recognised = await Promise.allSettled(
      received.map(async (file) => ({
        path: file.path,
        file: await this.#recognise(id, file, { keepSensitive, prepares }),
      })),
    );
    const failure = recognised.find((each) => each.status === "rejected");
    if (failure !== undefined) throw failure.reason;
    const files = recognised.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
    try {
      for (const { file, path } of files) await this.#give(id, file, path);
    } catch (error) {
      for (const { fileId } of received) await this.#blobs.remove(id, fileId);
      throw error;
    }
    const given = files.map(({ file }) => file);
    this.#count(given);
    return given;
  }

  /**
   * Takes over a file of the data directory, recognizes it, and removes sensitive values.
   * @returns null when the file does not exist any more: it was taken over before, and deleted since
   */
  async adopt(id: string, fileId: string, name: string, path: string): Promise<CaptureFile | null> {
    const coming = await sizeOf(path);
    const size = coming ?? (await this.#blobs.size(id, fileId));
    if (size === null) return null;
    return withBlobs(this.#blobs, id, coming === null ? { [fileId]: undefined } : {}, async () => {
      const from = coming === null ? this.#blobs.path(id, fileId) : path;
      const received = { fileId, path: from, name: { name, folder: null, path: "" }, size };
      const file = await this.#recognise(id, received);
      await this.#give(id, file, from);
      if (coming !== null) this.#count([file]);
      // This process wrote the file, so no uploaded bytes exist that a checksum could identify.
      return { ...file, sha256: "" };
    });
  }

  /** Makes a file a capture's, as it was recognized. */
  async #give(id: string, { id: fileId, size, keptSha256 }: CaptureFile, path: string): Promise<void> {
    const checksum = keptSha256 === undefined ? undefined : { bytes: size, sha256: keptSha256 };
    await this.#blobs.adopt(id, fileId, path, checksum);
  }

  async #store(path: string, source: AsyncIterable<Uint8Array>): Promise<number> {
    try {
      return await this.#blobs.receiveAside(path, source, this.#limits.maxUploadBytes);
    } catch (error) {
      if (error instanceof TooBigError) throw tooBig(error.limit);
      throw error;
    }
  }

  /** The files of a zip, unpacked into a folder. @throws errors of `receive` */
  async #unpack(
    path: string,
    name: ShownName,
    folder: string,
    idOf: (count: number) => string = newId,
  ): Promise<Received[]> {
    const { maxFiles, maxUploadBytes: maxBytes } = this.#limits;
    const request = { path, name, folder, maxFiles, maxBytes };
    const files = await whileRoom(this.#blobs, (onBytes) => this.#analyzer.unpack(request, onBytes));
    return files.map((file, count) => ({ fileId: idOf(count), ...file }));
  }

  async #recognise(
    id: string,
    { fileId, name, size, followed, ...bytes }: Received,
    how: Pick<FileToReceive, "keepSensitive" | "prepares"> = {},
  ): Promise<CaptureFile> {
    const stored = this.#storedAt(id, fileId, size);
    const file = { ...bytes, name: name.name, folders: name.path, ...how, ...stored };
    // A zip that was uploaded alone was unpacked.
    const isNested = looksLikeZip(await bytesAt(file.path, 0, 4));
    const received = isNested
      ? await receiveUnread(nestedZip(name.name), file)
      : await this.#received(file, followed ?? this.#analyzer.recognise(file, id, size));
    return {
      id: fileId,
      ...name,
      size,
      ...received,
      given: {},
      // The grouping of all files determines its role and server.
      role: "ignored",
      replica: "",
    };
  }

  #storedAt(id: string, fileId: string, size: number): Pick<FileToReceive, "storedAt"> {
    return size < WORTH_KEEPING_BYTES ? {} : { storedAt: this.#blobs.path(id, fileId) };
  }

  #received(file: FileToReceive, { done }: Job<ReceivedFile>): Promise<ReceivedFile> {
    return done.catch((error: unknown): Promise<ReceivedFile> => {
      // Events that were saved as text are written again, as a .xel file.
      if (isDiskFull(error)) throw error;
      this.#log.error({ err: error }, "recognition failed");
      const message = `${file.name}, byte 0: the decoder stopped unexpectedly. The analysis skips the file.`;
      return receiveUnread(unreadable(message), file);
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

/** Bytes on their way to the disk: hashed, and reported to a thread that reads them there. */
class IncomingBytes {
  /** Hex, once all bytes have arrived. */
  sha256 = "";
  followed: FollowedFile | null = null;
  readonly #source: AsyncIterable<Uint8Array>;
  readonly #follow: (first: Uint8Array) => FollowedFile | null;

  constructor(source: AsyncIterable<Uint8Array>, follow: (first: Uint8Array) => FollowedFile | null) {
    this.#source = source;
    this.#follow = follow;
  }

  /** The bytes for a consumer that stores a piece before it takes the next one. */
  async *bytes(): AsyncGenerator<Uint8Array> {
    const hash = createHash("sha256");
    let stored = 0;
    for await (const piece of this.#source) {
      hash.update(piece);
      yield piece;
      if (stored === 0) this.followed = this.#follow(piece);
      stored += piece.byteLength;
      this.followed?.arrived(stored);
    }
    this.sha256 = hash.digest("hex");
    this.followed?.end(stored, this.sha256);
  }
}

/** Null where there is no file. */
const sizeOf = (path: string): Promise<number | null> =>
  stat(path).then(
    ({ size }) => size,
    () => null,
  );

export function tooBig(limit: number): Error {
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

const nestedZip = (name: string): Recognized =>
  unreadable(
    `${name} is a zip inside a zip. Unpack it and add its files. Until then, the analysis skips it.`,
  );
